"""The five scores of several models as points along one axis: numbers and words for a drawing on the page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.text import _
from evaluation.attacks.algorithm.values import TITLES, Name
from ui.numbers import format_percent

SHOWN: tuple[Name, ...] = ("quo", "corr_nn", "flip", "corr_aa", "ident_nn")
ROWS: Mapping[Name, str] = {"original": "F1", **{name: TITLES[name] for name in SHOWN}}
LEFT, RIGHT, TOP, STEP = 88.0, 452.0, 30.0, 34.0
MOST = 8  # more models than that cannot be told apart; the table has them all


@dataclass(frozen=True, slots=True)
class Dot:
    x: float
    y: float
    low: float
    high: float
    model: int  # 1 to 8: which shape and colour
    says: str


def draw_dots(models: Sequence[tuple[str, Mapping[str, Any]]], *, pass_mark: float) -> dict[str, Any]:
    """Positions of every score with its interval; attacks that no model answered have no row."""
    shown = models[:MOST]
    rows = [name for name in ROWS if any(name in values["attacks"] for __, values in shown)]
    dots = []
    for place, (model, values) in enumerate(shown):
        shift = (place - (len(shown) - 1) / 2) * min(3.2, 22 / max(len(shown), 1))
        for line, name in enumerate(rows):
            found = values["attacks"].get(name)
            if not found or found["score"] is None:
                continue
            is_penalised = found["score"] != found["rate"]
            low, high = (found["score"],) * 2 if is_penalised else found["ci95"]
            score = format_percent(found["score"])
            says = _("%(model)s, %(attack)s: %(score)s", model=model, attack=ROWS[name], score=score)
            y = TOP + STEP * (line + 0.5) + shift
            dots.append(Dot(at(found["score"]), round(y, 1), at(low), at(high), place + 1, says))
    return {
        "dots": dots,
        "rows": [(ROWS[name], TOP + STEP * (line + 0.5)) for line, name in enumerate(rows)],
        "ticks": [(format_percent(share, 0), at(share)) for share in (0, 0.25, 0.5, 0.75, 1)],
        "mark": at(pass_mark),
        "left": LEFT,
        "right": RIGHT,
        "top": TOP,
        "bottom": TOP + STEP * len(rows),
        "height": TOP + STEP * len(rows) + 12,
        "legend": [(place + 1, model) for place, (model, __) in enumerate(shown)],
        "left_out": len(models) - len(shown),
    }


def at(share: float) -> float:
    """Where a share lies along the axis."""
    return round(LEFT + (RIGHT - LEFT) * share, 1)
