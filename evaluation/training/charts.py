"""An inoculation curve: accuracy against the number of added examples, as numbers and words for a drawing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.text import _, ngettext
from ui.numbers import format_number, format_percent

LEFT, RIGHT, TOP, BOTTOM = 52.0, 452.0, 14.0, 194.0
PARTS = {"held_out": _("held-out part"), "test": _("test part of the data")}


@dataclass(frozen=True, slots=True)
class Point:
    x: float
    y: float
    low: float
    high: float
    says: str


def draw_curve(curve: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return where the mean accuracy of both parts lies for each number of examples, with one deviation each way."""
    most = max((point["added"] for point in curve), default=0) or 1
    lines = []
    for number, (part, title) in enumerate(PARTS.items(), 1):
        points = [_point(point, point[part], title, most) for point in curve]
        path = " ".join(f"{point.x},{point.y}" for point in points)
        lines.append({"number": number, "title": title, "points": points, "path": path})
    return {
        "lines": lines,
        "across": [(format_number(point["added"]), _across(point["added"], most)) for point in curve],
        "up": [(format_percent(share, 0), _up(share)) for share in (0, 0.25, 0.5, 0.75, 1)],
        "left": LEFT,
        "right": RIGHT,
        "bottom": BOTTOM,
    }


def _point(point: Mapping[str, Any], found: Mapping[str, float | None], title: str, most: int) -> Point:
    mean, deviation = found["mean"] or 0.0, found["sd"] or 0.0
    says = ngettext(
        "%(count)s example added, %(part)s: %(accuracy)s",
        "%(count)s examples added, %(part)s: %(accuracy)s",
        point["added"],
        part=title,
        accuracy=format_percent(mean),
    )
    low, high = _up(max(0.0, mean - deviation)), _up(min(1.0, mean + deviation))
    return Point(_across(point["added"], most), _up(mean), low, high, says)


def _across(added: int, most: int) -> float:
    return round(LEFT + (RIGHT - LEFT) * added / most, 1)


def _up(share: float) -> float:
    return round(BOTTOM - (BOTTOM - TOP) * share, 1)
