"""The scores of an attack for a paper: a table and its picture."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from core.text import _
from evaluation.attacks.algorithm.scoring import PASS_MARK
from evaluation.attacks.algorithm.values import PASSING, TITLES, Name
from evaluation.attacks.table import score_rows
from evaluation.models import Attack
from evaluation.reports.figures import Figure, FigureLine, FigureTable
from evaluation.reports.pictures.dots import figure_dots
from evaluation.reports.sheets import Sheet

COLUMNS: Mapping[Name, str] = {"original": "F1", **{name: TITLES[name] for name in TITLES if name in (
    "quo", "corr_nn", "flip", "corr_aa", "ident_nn")}}  # fmt: skip


def attack_sheet(attack: Attack, policy: str) -> Sheet:
    """Return the scores of every model on a stored attack."""
    scored = [(row["name"], row["values"]) for row in score_rows(attack, policy)]
    facts: dict[str, str] = {
        _("Data set"): str(attack.dataset),
        _("Seed"): str(attack.manifest.get("seed", "")),
        _("SHA-256 over all files"): attack.sha256,
        _("Score of a model that ignores hashtags"): policy,
    }
    return scores_sheet(attack.title, scored, facts)


def scores_sheet(title: str, scored: Sequence[tuple[str, Mapping[str, Any]]], facts: Mapping[str, str]) -> Sheet:
    """Return scores as a table, one line for each model; the best of a column is marked."""
    names = [name for name in COLUMNS if any(name in values["attacks"] for _name, values in scored)]
    lines = [
        (model, [*(_score(values["attacks"].get(name)) for name in names), _aaa(values)]) for model, values in scored
    ]
    best = [max((row[place].value or 0 for _model, row in lines), default=None) for place in range(len(names) + 1)]
    marked = tuple(
        FigureLine(
            model,
            tuple(
                replace(figure, is_best=len(lines) > 1 and figure.value is not None and figure.value == top)
                for figure, top in zip(row, best, strict=True)
            ),
            (),
        )
        for model, row in lines
    )
    heads = (*(COLUMNS[name] for name in names), "AAA")
    table = FigureTable("attack", _("Scores by attack"), PASSING, heads, (), marked)
    return Sheet(
        _("Scores of the attack “%(attack)s”", attack=title), facts, table, lambda: figure_dots(table, mark=PASS_MARK)
    )


def _score(found: Mapping[str, Any] | None) -> Figure:
    """Return a score with its interval; one that was set to 0 has none, because its interval is that of the rate."""
    if not found or found["score"] is None:
        return Figure(None)
    low, high = found["ci95"] if found["ci95"] and found["score"] == found["rate"] else (None, None)
    return Figure(found["score"], low, high)


def _aaa(values: Mapping[str, Any]) -> Figure:
    low, high = values.get("aaa_ci95") or (None, None)
    return Figure(values["aaa"], low, high)
