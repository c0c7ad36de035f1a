"""Charts of results, drawn once and kept: the same values give the same file."""

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from core.charts import LIGHT, Form, Theme, draw
from core.errors import Missing
from core.extras import is_installed
from core.text import _
from evaluation.reports.names import Names

NO_NAMES = Names()
DRAWING = 5  # change it when the drawing changes: it is part of the name under which a chart is kept
CHARTS = {
    "functionalities": _("Accuracy by functionality, with 95 % intervals"),
    "groups": _("Each target group against all others"),
    "calibration": _("Calibration: what the scores mean"),
    "scores": _("Scores of the model by gold label"),
    "thresholds": _("What each threshold gives"),
    "confusion": _("Gold label against answer"),
}

MAIN = ("functionalities", "groups", "calibration")


def chart_of(
    values: Mapping[str, Any],
    name: str,
    names: Names = NO_NAMES,
    *,
    form: Form = "svg",
    theme: Theme = LIGHT,
    folder: Path | None = None,
    language: str = "en",
) -> bytes:
    """Return one chart of one model as a file. Refuses a chart there is not, or that these values cannot fill.

    It is kept in `folder`, or in that of the instance. `language` is the one in which texts are shown where this is
    called.
    """
    from evaluation.reports.pictures.forest import forest
    from evaluation.reports.pictures.reliability import reliability
    from evaluation.results import charts

    makers: dict[str, Callable[[Mapping[str, Any], Theme], Any]] = {
        "functionalities": lambda found, colours: forest({"": found}, names, colours),
        "groups": charts.group_gaps,
        "calibration": lambda found, colours: reliability({"": found}, colours),
        "scores": charts.score_histogram,
        "thresholds": charts.threshold_lines,
        "confusion": charts.confusion,
    }
    if name not in makers:
        raise Missing(_("There is no chart '%(chart)s'. Known: %(known)s.", chart=name, known=list(makers)))
    if not available(values, name):
        raise Missing(_("There is nothing to draw: %(chart)s.", chart=CHARTS[name]))
    titles = names.as_json()["functionalities"] if name == "functionalities" else {}
    facts = {name: [_needed(values, name), titles]} | ({} if language == "en" else {"language": language})
    return kept_drawing(facts, lambda: makers[name](values, theme), form=form, theme=theme, folder=folder)


def report_charts(
    models: Mapping[str, Mapping[str, Any]],
    names: Names = NO_NAMES,
    *,
    folder: Path | None = None,
    language: str = "en",
) -> dict[str, str]:
    """Return what goes into a document: every chart of a single model, the main ones of several.

    Nothing where the extra `reports` is not installed: tables say the same.
    """
    if not is_installed("altair", "vl_convert"):
        return {}
    found: dict[str, str] = {}
    for name in CHARTS if len(models) == 1 else MAIN:
        for model, values in models.items():
            if available(values, name):
                title = _("%(chart)s: %(model)s", chart=CHARTS[name], model=model)
                found[title] = chart_of(values, name, names, folder=folder, language=language).decode()
    return found


def available(values: Mapping[str, Any], name: str) -> bool:
    """Return whether the measures hold what the chart shows."""
    return bool(
        {
            "functionalities": values.get("by_functionality"),
            "groups": any(
                found["ci95"] for found in values.get("gaps", {}).get("target", {}).get("groups", {}).values()
            ),
            "calibration": values.get("calibration", {}).get("bins"),
            "scores": values.get("scores", {}).get("edges"),
            "thresholds": values.get("discrimination", {}).get("sweep"),
            "confusion": values.get("confusion"),
        }.get(name)
    )


def _needed(values: Mapping[str, Any], name: str) -> Any:
    keys = {"functionalities": "by_functionality", "groups": "gaps", "thresholds": "discrimination"}
    return [values[keys.get(name, name)], values["settings"]["labels"]]


def kept_drawing(
    facts: Mapping[str, Any], make: Callable[[], Any], *, form: Form, theme: Theme, folder: Path | None = None
) -> bytes:
    """Return a chart as a file; what was drawn from the same facts before is read again."""
    if folder is None:
        from django.conf import settings  # here, because reports are also written without Django

        folder = settings.VAR / "charts"
    digest = hashlib.sha256(json.dumps([DRAWING, theme.name, facts], sort_keys=True).encode()).hexdigest()
    file = folder / f"{digest}.{form}"
    if file.is_file():
        return file.read_bytes()
    drawn = draw(make(), form, theme)
    folder.mkdir(parents=True, exist_ok=True)
    part = file.with_suffix(f".{hashlib.sha256(drawn).hexdigest()[:8]}.part")
    part.write_bytes(drawn)
    part.replace(file)
    return drawn
