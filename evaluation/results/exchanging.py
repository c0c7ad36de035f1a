"""Results of one model in the formats in which others collect results."""

from collections.abc import Sequence

from django.conf import settings
from django.utils import timezone

from core.errors import BadInput
from core.text import _
from curation.models import Release
from curation.releases.frozen import release_head
from evaluation.models import EvaluationRun
from evaluation.reports.exchange.evaluated import Evaluated
from evaluation.reports.exchange.every_eval_ever import as_every_eval_ever
from evaluation.reports.exchange.hub_entries import NoEntries, as_hub_entries

EXCHANGED = {
    "eval_results": ("eval_results.yaml", "application/yaml"),
    "every_eval_ever": ("every_eval_ever.json", "application/json"),
}
HUB = "https://huggingface.co/datasets/"


def exchange(
    release: Release, runs: Sequence[EvaluationRun], wanted: str, *, hub_dataset: str = "", organisation: str = ""
) -> str:
    """Return the results of a run in one of the formats `EXCHANGED`.

    Refuses several runs, and entries for the hub without the dataset they are about.
    """
    if len(runs) != 1:
        raise BadInput(_("This format is about one model. Choose one of the models."))
    evaluated = evaluated_of(release, runs[0], hub_dataset=hub_dataset, organisation=organisation)
    try:
        return as_every_eval_ever(evaluated) if wanted == "every_eval_ever" else as_hub_entries(evaluated)
    except NoEntries as error:
        raise BadInput(error.sentence, field="hub_dataset") from error


def evaluated_of(release: Release, run: EvaluationRun, *, hub_dataset: str, organisation: str) -> Evaluated:
    """Return a finished run as plain values. A release published with an address on the hub names its dataset."""
    url = release_head(release).url
    return Evaluated(
        suite=release.suite.key,
        version=release.version,
        sha256=release.sha256,
        url=url,
        model=run.model_version.model.name,
        finished_at=run.finished_at or timezone.now(),
        measures=run.report.values,
        environment={**run.model_version.description, **run.environment},
        software=settings.VERSION,
        hub_dataset=hub_dataset or (url.removeprefix(HUB).strip("/") if url.startswith(HUB) else ""),
        organisation=organisation,
        languages=tuple(run.languages),
    )
