"""Pictures of stored results: the same for page, API and command."""

from collections.abc import Sequence
from typing import Any

from django.utils import translation

from core.charts import FORMS, THEMES
from curation.models import Release
from evaluation.metrics.crossing import Crossed
from evaluation.models import EvaluationRun
from evaluation.reports.pictures.drawing import Material, panels_of, picture_chart, require_drawable
from evaluation.results.charting import kept_drawing
from evaluation.results.comparing import compare_runs, per_run
from evaluation.results.documents import Document
from evaluation.results.naming import names_of
from evaluation.results.options import PictureOptions
from evaluation.results.reporting import titled


def make_picture(release: Release, runs: Sequence[EvaluationRun], kind: str, chosen: PictureOptions) -> Document:
    """Draw one picture of these runs in the format, theme and language that were chosen.

    Refuses a picture there is not, and runs that cannot fill it.
    """
    with translation.override(chosen.language):
        material = material_of(release, runs)
        require_drawable(kind, material.models)
        # Measures of a finished run change only when it is measured again.
        measured = [[run.key, run.report.measured_at.isoformat()] for run in runs]
        facts = {kind: [measured, material.names.as_json(), list(material.models)], "language": chosen.language}
        theme, form = THEMES[chosen.theme], chosen.form
        drawn = kept_drawing(facts, lambda: picture_chart(kind, material, theme), form=form, theme=theme)
    name = f"{kind}-{release.suite.key}-{release.version}{'-dark' if chosen.theme == 'dark' else ''}.{form}"
    return Document(name, FORMS[form], drawn)


def material_of(release: Release, runs: Sequence[EvaluationRun]) -> Material:
    """Return what pictures are drawn from; comparisons and panels are counted where a picture needs them, and kept."""
    by_title = titled(runs)

    def compare() -> dict[str, Any]:
        first, second = runs
        return compare_runs(first, second)

    def panels(title: str) -> dict[str, Crossed]:
        run = by_title[title]
        (found,) = per_run(release, [run], "panels", lambda columns, _run: panels_of(columns)).values()
        return found

    models = {title: run.report.values for title, run in by_title.items()}
    return Material(models, names_of(release), compare, panels)
