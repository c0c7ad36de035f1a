"""Pictures of results worth a paper: plain values in, a chart of Altair out, in a theme of `core.charts`.

Each is a function of its own module. Altair is imported inside them, because it takes a second.
"""

from collections.abc import Mapping
from typing import Any

from core.charts import THEMES, Theme
from core.text import _
from evaluation.reports.names import Names

PICTURES = {
    "forest": _("Forest plot: functionalities with their 95 % intervals"),
    "dumbbell": _("Dumbbells: what changes between two models"),
    "heatmap": _("Heat map: functionality by target group and language"),
    "reliability": _("Reliability diagram: what the scores mean"),
    "radar": _("Radar: classes of functionalities"),
}
SHOWN = ("forest", "dumbbell", "heatmap", "reliability")  # a radar hides intervals: it is drawn where it is asked for
MOST_MODELS = 6  # more colours cannot be told apart


def label_of(names: Names, key: str) -> str:
    """Return what an axis calls a functionality: its number and its title."""
    name = names.functionality(key)
    return f"{name.number} {name.title}".strip()


def class_titles(names: Names, models: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """Return the class of each functionality that any model was measured on; empty where none is known."""
    keys = dict.fromkeys(key for values in models.values() for key in values["by_functionality"])
    return {key: str(names.functionality(key).class_title) for key in names.in_order("functionality", keys)}


def series_scale(altair: Any, names: list[str], theme: Theme) -> tuple[Any, Any]:
    """Return the scales of colour and of shape for some models."""
    shapes = ["circle", "square", "triangle-up", "diamond", "cross", "triangle-down"]
    colours = altair.Scale(domain=names, range=list(theme.series[: len(names)]))
    return colours, altair.Scale(domain=names, range=shapes[: len(names)])


__all__ = ["MOST_MODELS", "PICTURES", "SHOWN", "THEMES", "class_titles", "label_of", "series_scale"]
