"""Two runs against each other, and a ranking of many; kept, because the predictions of a finished run never change."""

import hashlib
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

from django.conf import settings
from django.core.cache import cache

from core.errors import BadInput
from core.text import _
from curation.models import Release
from evaluation.metrics.columns import Columns
from evaluation.metrics.compare import compare_models, rank_models
from evaluation.metrics.crossing import Crossed, cross
from evaluation.metrics.discrimination import operating_points
from evaluation.metrics.suites import compare_suites
from evaluation.models import EvaluationRun
from evaluation.results.reporting import titled
from evaluation.runs.models import RunState
from evaluation.runs.scoring import case_rows, common_languages, join_predictions, threshold_of

Found = TypeVar("Found")
USUAL_PREVALENCE = 0.05
KEPT = 7 * 24 * 3600  # seconds
SAME_RUN = _("A run cannot be compared with itself. Choose two different runs.")
METHOD = "macro-f1-groups"  # what was kept under another method is not read again


def compare_runs(first: EvaluationRun, second: EvaluationRun) -> dict[str, Any]:
    """Two runs on one release: overall and by functionality, with what is significant. Refuses other pairs."""
    _require_two(first, second)
    if first.release_id != second.release_id:
        raise BadInput(_("Two models are compared on one release. Choose two runs on the same release."))

    def compute() -> dict[str, Any]:
        cases = case_rows(first.release, common_languages((first, second)))
        one, other = (columns_of(run, cases) for run in (first, second))
        return compare_models(one, other)

    return _kept(f"compare:{first.key}:{second.key}", compute)


def compare_releases(first: EvaluationRun, second: EvaluationRun) -> dict[str, Any]:
    """Compare one model on two suites or releases, by stored measures: lower, higher, or a tie within three points."""
    _require_two(first, second)
    one, other = first.report.values, second.report.values
    return {
        "overall": compare_suites({"overall": one["overall"]}, {"overall": other["overall"]}),
        "by_functionality": compare_suites(one["by_functionality"], other["by_functionality"]),
        "by_target": compare_suites(one["by_target"], other["by_target"]),
    }


def rank_runs(runs: Sequence[EvaluationRun]) -> list[dict[str, Any]]:
    """Rank runs on one release from best to worst, with ties; `run` names each one's key."""
    if not runs:
        return []
    keys = ":".join(sorted(run.key for run in runs))

    def compute() -> list[dict[str, Any]]:
        cases = case_rows(runs[0].release, common_languages(runs))
        return rank_models({run.key: columns_of(run, cases) for run in runs})

    return _kept(f"rank:{hashlib.sha256(keys.encode()).hexdigest()}", compute)


def cross_runs(release: Release, runs: Sequence[EvaluationRun], dimensions: tuple[str, str]) -> dict[str, Crossed]:
    """Return the measures of each model by two dimensions of a release, kept by run."""
    return per_run(release, runs, f"cross:{':'.join(dimensions)}", lambda columns, run: cross(columns, *dimensions))


def operating_points_of(
    release: Release, runs: Sequence[EvaluationRun], *, threshold: float | None, prevalence: float | None
) -> dict[str, dict[str, Any]]:
    """Return what a threshold gives each model that has scores; each one's own where none is given."""
    positive, share = release.suite.positive_label, prevalence or USUAL_PREVALENCE

    def measure(columns: Columns, run: EvaluationRun) -> dict[str, Any]:
        cut = threshold_of(run) if threshold is None else threshold
        return operating_points(columns, positive=positive, threshold=cut, prevalence=share)

    found = per_run(release, runs, f"point:{threshold}:{share}", measure)
    return {name: points for name, points in found.items() if not points["reason"]}


def per_run(
    release: Release,
    runs: Sequence[EvaluationRun],
    name: str,
    measure: Callable[[Columns, EvaluationRun], Found],
) -> dict[str, Found]:
    """Measure the predictions of each run; the cases are read once, and not at all where everything is kept."""
    cases: list[tuple[int, dict[str, Any]]] = []

    def compute(run: EvaluationRun) -> Found:
        cases.extend([] if cases else case_rows(release))
        run.release = release
        return measure(columns_of(run, cases), run)

    return {title: _kept(f"{name}:{run.key}", partial(compute, run)) for title, run in titled(runs).items()}


def columns_of(run: EvaluationRun, cases: list[tuple[int, dict[str, Any]]]) -> Columns:
    return Columns.of(join_predictions(run, cases), labels=[str(label) for label in run.release.suite.labels])


def _kept(name: str, compute: Callable[[], Found]) -> Found:
    # Keys of runs are never used again, numbers of rows are; another version may measure other things.
    key = f"evaluation:{settings.VERSION}:{METHOD}:{name}"
    found: Found | None = cache.get(key)
    if found is None:
        found = compute()
        cache.set(key, found, KEPT)
    return found


def _require_two(first: EvaluationRun, second: EvaluationRun) -> None:
    if first.pk == second.pk:
        raise BadInput(SAME_RUN)
    for run in (first, second):
        if run.state != RunState.DONE:
            raise BadInput(_("%(run)s is not finished yet. Choose runs with results.", run=run.title))
