"""Charts of results, drawn once and kept: the same values give the same file."""

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from core.errors import Missing
from core.extras import is_installed

DRAWING = 3  # change it when the drawing changes: it is part of the name under which a chart is kept
CHARTS = {
    "functionalities": "Accuracy by functionality, with 95 % intervals",
    "groups": "Each target group against all others",
    "calibration": "Calibration: what the scores mean",
    "scores": "Scores of the model by gold label",
    "confusion": "Gold label against answer",
}

MAIN = ("functionalities", "groups", "calibration")


def chart_of(values: Mapping[str, Any], name: str, *, folder: Path | None = None) -> str:
    """Return one chart of one model as SVG. Refuses a chart there is not, or that these values cannot fill.

    It is kept in `folder`, or in that of the instance.
    """
    from evaluation.results import charts

    draw: dict[str, Callable[[Mapping[str, Any]], Any]] = {
        "functionalities": charts.functionality_dots,
        "groups": charts.group_gaps,
        "calibration": charts.calibration,
        "scores": charts.score_histogram,
        "confusion": charts.confusion,
    }
    if name not in draw:
        raise Missing(f"There is no chart '{name}'. Known: {', '.join(draw)}.")
    if not available(values, name):
        raise Missing(f"There is nothing to draw: {CHARTS[name]}.")
    return _kept({name: _needed(values, name)}, lambda: charts.as_svg(draw[name](values)), folder)


def report_charts(models: Mapping[str, Mapping[str, Any]], *, folder: Path | None = None) -> dict[str, str]:
    """Return what goes into a document: every chart of a single model, the main ones of several.

    Nothing where the extra `reports` is not installed: tables say the same.
    """
    if not is_installed("altair", "vl_convert"):
        return {}
    names = list(CHARTS) if len(models) == 1 else MAIN
    found = {}
    for name in names:
        for model, values in models.items():
            if available(values, name):
                found[f"{CHARTS[name]}: {model}"] = chart_of(values, name, folder=folder)
    return found


def available(values: Mapping[str, Any], name: str) -> bool:
    """Return whether the measures hold what the chart shows."""
    return bool(
        {
            "functionalities": values.get("by_functionality"),
            "groups": values.get("gaps", {}).get("target", {}).get("groups"),
            "calibration": values.get("calibration", {}).get("bins"),
            "scores": values.get("scores", {}).get("edges"),
            "confusion": values.get("confusion"),
        }.get(name)
    )


def _needed(values: Mapping[str, Any], name: str) -> Any:
    keys = {"functionalities": "by_functionality", "groups": "gaps"}
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
