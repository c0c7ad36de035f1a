"""Models against the labels of groups of annotators, where annotators agreed that their answers are linked."""

from collections.abc import Sequence
from typing import Any

from accounts.models import User
from core.statistics.membership import DRAWS
from curation.models import Release
from curation.releases.group_labels import read_group_labels
from evaluation.metrics.columns import Columns
from evaluation.metrics.group_labels import LabelsOfGroups, compare_with_groups
from evaluation.models import EvaluationRun
from evaluation.results.reporting import titled
from evaluation.runs.scoring import case_rows, join_predictions


def compare_models_with_groups(
    release: Release, runs: Sequence[EvaluationRun], *, by: str, viewer: User | None, draws: int = DRAWS
) -> dict[str, Any]:
    """Return, for each model and group of annotators, how close the model comes to the group's labels.

    Computed anew each time and never stored, so that an agreement that is withdrawn counts at once. Refuses a viewer
    outside the workshop.
    """
    found = read_group_labels(release, by=by, viewer=viewer)
    suite = release.suite
    models: dict[str, Any] = {}
    if found.labels:
        labels, cases, given = [str(label) for label in suite.labels], case_rows(release), None
        for title, run in titled(runs).items():
            columns = Columns.of(join_predictions(run, cases), labels=labels)
            given = given or LabelsOfGroups(columns, found.labels, found.group_of, draws=draws)
            models[title] = compare_with_groups(columns, given, positive=suite.positive_label)
    return {
        "release": release.key,
        "by": by,
        "label": suite.positive_label,
        "smallest_group": found.smallest,
        "reason": found.reason,
        "titles": dict(found.titles),
        "models": models,
    }
