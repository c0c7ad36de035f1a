"""Charts of results, drawn once and kept: the same values give the same file."""

import hashlib
import json
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from core.errors import Missing
from core.extras import is_installed
from core.text import _
from evaluation.reports.names import Names

NO_NAMES = Names()
DRAWING = 4  # change it when the drawing changes: it is part of the name under which a chart is kept
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
    folder: Path | None = None,
    language: str = "en",
) -> str:
    """Return one chart of one model as SVG. Refuses a chart there is not, or that these values cannot fill.

    It is kept in `folder`, or in that of the instance. `language` is the one in which texts are shown where this is
    called.
    """
    from evaluation.results import charts

    draw: dict[str, Callable[[Mapping[str, Any]], Any]] = {
        "functionalities": partial(charts.functionality_dots, names=names),
        "groups": charts.group_gaps,
        "calibration": charts.calibration,
        "scores": charts.score_histogram,
        "thresholds": charts.threshold_lines,
        "confusion": charts.confusion,
    }
    if name not in draw:
        raise Missing(_("There is no chart '%(chart)s'. Known: %(known)s.", chart=name, known=list(draw)))
    if not available(values, name):
        raise Missing(_("There is nothing to draw: %(chart)s.", chart=CHARTS[name]))
    titles = names.as_json()["functionalities"] if name == "functionalities" else {}
    facts = {name: [_needed(values, name), titles]} | ({} if language == "en" else {"language": language})
    return _kept(facts, lambda: charts.as_svg(draw[name](values)), folder)


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
                found[title] = chart_of(values, name, names, folder=folder, language=language)
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


def _kept(facts: Mapping[str, Any], draw: Callable[[], str], folder: Path | None) -> str:
    if folder is None:
        from django.conf import settings  # here, because reports are also written without Django

        folder = settings.VAR / "charts"
    digest = hashlib.sha256(json.dumps([DRAWING, facts], sort_keys=True).encode()).hexdigest()
    file = folder / f"{digest}.svg"
    if file.is_file():
        return str(file.read_text(encoding="utf-8"))
    drawn = draw()
    folder.mkdir(parents=True, exist_ok=True)
    part = file.with_suffix(f".{hashlib.sha256(drawn.encode()).hexdigest()[:8]}.part")
    part.write_text(drawn, encoding="utf-8")
    part.replace(file)
    return drawn
