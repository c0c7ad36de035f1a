"""Results of several models as tables: what pages, documents and LaTeX print, decided once.

The best accuracy of a row is marked, and so is what lies below one half, where guessing does better.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from core.text import _
from evaluation.metrics.crossing import DIMENSIONS, DIMENSIONS_IN_TITLES
from evaluation.metrics.scores import percent
from evaluation.reports.figures import shots_of
from evaluation.reports.names import Names, always

HUE = 250  # degrees in OKLCH
DARK = 0.26  # up to here white letters are easier to read than black ones


def lightness_and_chroma(share: float) -> tuple[float, float]:
    """Return the shade of a cell: failures are the darkest, because they are what a reader looks for."""
    return round(0.42 + 0.55 * share, 3), round(0.12 - 0.1 * share, 3)


def wants_white_letters(share: float) -> bool:
    return share < DARK


TITLES = {
    "by_functionality": _("Functionalities"),
    "by_target": _("Target groups"),
    "by_label": _("Labels"),
    "by_language": _("Languages"),
    "by_class": _("Classes of functionalities"),
    "by_direction": _("Direction of the speech"),
    "by_origin": _("Origin of the cases"),
    "by_agreement": _("Agreement of the annotators"),
    "by_perturbation_set": _("Perturbation sets"),
}
NOTES = {
    "by_target": _(
        "Cases about an identity. Gaps between groups are tested on matched templates, not on these totals."
    ),
    "by_label": _("The share of each label's cases that was found."),
}
CROSSED_NOTE = _("Cases and templates are summed over the columns.")
CHANCE = Fraction(1, 2)
FOCUS_WORDS = 20
NO_NAMES = Names()
DIMENSION_OF = {"by_class": "functionality_class"}


@dataclass(frozen=True, slots=True)
class Cell:
    """One accuracy. `share` is None where the model has no case of the row."""

    share: float | None
    n: int = 0
    correct: int = 0
    low: float | None = None
    high: float | None = None
    is_best: bool = False
    is_below_chance: bool = False
    note: str = ""
    f1: Mapping[str, float | None] = field(default_factory=dict)  # macro, micro and of each label
    templates: int | None = None

    @property
    def printed(self) -> str:
        """In per cent to one decimal, from the exact fraction; empty where undefined."""
        return "" if self.share is None else str(percent(self.correct, self.n))


@dataclass(frozen=True, slots=True)
class Line:
    """One row. Functionalities have a number, a class and an example, where they are known."""

    key: str
    title: str
    label: str
    n: int
    cells: tuple[Cell, ...]
    baselines: tuple[Cell, ...] = ()
    templates: int | None = None
    number: str = ""
    class_title: str = ""
    example: str = ""

    @property
    def full_title(self) -> str:
        return f"{self.number} {self.title}" if self.number else self.title

    @property
    def printed_templates(self) -> str:
        return "–" if self.templates is None else str(self.templates)


@dataclass(frozen=True, slots=True)
class Table:
    key: str
    title: str
    note: str
    models: tuple[str, ...]
    baselines: tuple[str, ...]
    lines: tuple[Line, ...]
    model: str = ""  # where the table is about one model, with another dimension in its columns
    columns: tuple[str, ...] = ()  # then the keys of the heads


def tables_of(
    models: Mapping[str, Mapping[str, Any]],
    names: Names = NO_NAMES,
    *,
    sections: Sequence[str] = tuple(TITLES),
    focus_words: int | None = FOCUS_WORDS,
) -> list[Table]:
    """Return the tables of the named sections that any of the models has values for; the totals come first.

    A suite has hundreds of focus words: the most frequent are shown, all of them with `focus_words=None`.
    """
    if not models:
        return []
    baselines = tuple(always(label) for label in next(iter(models.values()))["settings"]["labels"])
    found = [Table("overall", _("All cases"), "", tuple(models), baselines, (overall_line(models),))]
    for section in sections:
        keys = list(dict.fromkeys(key for values in models.values() for key in values.get(section, {})))
        if keys:
            ordered = names.in_order(DIMENSION_OF.get(section, section.removeprefix("by_")), keys)
            lines = tuple(_line(models, section, key, names) for key in ordered)
            found.append(Table(section, TITLES[section], NOTES.get(section, ""), tuple(models), baselines, lines))
    return found + _focus_words(models, baselines, most=focus_words) + _slurs(models, baselines, names)


def crossed_table(
    model: str,
    dimensions: tuple[str, str],
    crossed: Mapping[str, Mapping[str, Mapping[str, Any]]],
    names: Names = NO_NAMES,
    labels: Mapping[str, str] | None = None,
) -> Table:
    """Return one model's accuracy by two keys: a line for each value of the first, a column for each of the second.

    Values are in the order of the catalogue where they have one. The best of a line is marked, as among models.
    `labels` are the gold labels of the lines, where each has one.
    """
    rows, columns = dimensions
    heads = names.in_order(columns, (value for cells in crossed.values() for value in cells))
    lines = []
    for value in names.in_order(rows, crossed):
        cells = _marked([_cell(crossed[value].get(head)) for head in heads])
        templates = sum(cell.templates or 0 for cell in cells)
        name = names.functionality(value) if rows == "functionality" else None
        about = (name.number, name.class_title, name.example) if name else ()
        n = sum(cell.n for cell in cells)
        gold = (labels or {}).get(value) or ""
        lines.append(Line(value, names.of(rows, value), gold, n, cells, (), templates, *about))
    title = _(
        "%(rows)s by %(columns)s: %(model)s", rows=DIMENSIONS[rows], columns=DIMENSIONS_IN_TITLES[columns], model=model
    )
    printed = tuple(names.of(columns, head) for head in heads)
    key = f"{rows}_by_{columns}: " + model
    return Table(key, title, CROSSED_NOTE, printed, (), tuple(lines), model, tuple(heads))


def overall_line(models: Mapping[str, Mapping[str, Any]]) -> Line:
    """Return the accuracy on all cases, beside the models that always give one answer."""
    first = next(iter(models.values()))
    cells = _marked([_cell(values["overall"]) for values in models.values()])
    most = max(cell.n for cell in cells)
    # By label: PostgreSQL does not keep the order of the names.
    baselines = tuple(_cell(first["baselines"][f"always {label}"]) for label in first["settings"]["labels"])
    return Line("overall", _("Total"), "", most, cells, baselines, _templates(cells))


def _line(models: Mapping[str, Mapping[str, Any]], section: str, key: str, names: Names = NO_NAMES) -> Line:
    slices = [values.get(section, {}).get(key) for values in models.values()]
    cells = _marked([_cell(found) for found in slices])
    label = next((found["label"] for found in slices if found and found.get("label")), "")
    title = names.of(DIMENSION_OF.get(section, section.removeprefix("by_")), key)
    name = names.functionality(key) if section == "by_functionality" else None
    about = (name.number, name.class_title, name.example) if name else ()
    most = max(cell.n for cell in cells)
    return Line(key, title, label, most, cells, _baselines(models, section, key), _templates(cells), *about)


def _baselines(models: Mapping[str, Mapping[str, Any]], section: str, key: str) -> tuple[Cell, ...]:
    """Return what always giving one answer would reach on these cases; empty where the composition was not stored."""
    for values in models.values():
        counts = values.get("composition", {}).get(section, {}).get(key)
        if counts:
            return _always(values["settings"]["labels"], counts)
    return ()


def _focus_words(
    models: Mapping[str, Mapping[str, Any]], baselines: tuple[str, ...], *, most: int | None
) -> list[Table]:
    section = "by_focus_word"
    counts: dict[str, int] = {}
    for values in models.values():
        for word, found in values.get(section, {}).items():
            counts[word] = max(found["n"], counts.get(word, 0))
    shown = sorted(counts, key=lambda word: -counts[word])[:most]
    lines = tuple(_line(models, section, word) for word in shown)
    note = ""
    if len(shown) < len(counts):
        note = _("The %(most)s most frequent of %(all)s; all are in the CSV.", most=len(shown), all=len(counts))
    return [Table(section, _("Focus words"), note, tuple(models), baselines, lines)] if lines else []


def _slurs(models: Mapping[str, Mapping[str, Any]], baselines: tuple[str, ...], names: Names) -> list[Table]:
    found = []
    labels = next(iter(models.values()))["settings"]["labels"]
    for functionality in dict.fromkeys(key for values in models.values() for key in values.get("by_slur", {})):
        flat = {name: {"by_slur": values.get("by_slur", {}).get(functionality, {})} for name, values in models.items()}
        words = dict.fromkeys(word for values in flat.values() for word in values["by_slur"])
        lines = [_line(flat, "by_slur", word) for word in words]
        # All cases of a functionality have one gold label: always saying it is right each time.
        gold = next((m["by_functionality"].get(functionality, {}).get("label") for m in models.values()), None)
        if gold is not None:
            lines = [replace(line, baselines=_always(labels, {gold: line.n})) for line in lines]
        if lines:
            title = _("Words in %(functionality)s", functionality=names.of("functionality", functionality))
            beside = baselines if gold is not None else ()
            found.append(Table(f"by_slur.{functionality}", title, "", tuple(models), beside, tuple(lines)))
    return found


def _always(labels: Sequence[str], gold: Mapping[str, int]) -> tuple[Cell, ...]:
    """Return what always giving one label reaches on cases with these gold labels."""
    n = sum(gold.values())
    return tuple(Cell(gold.get(label, 0) / n, n, gold.get(label, 0)) for label in labels)


def _cell(found: Mapping[str, Any] | None) -> Cell:
    if not found or found["accuracy"] is None:
        return Cell(None)
    low, high = found["ci95"] or (None, None)
    share = Fraction(found["correct"], found["n"])
    f1 = {"macro": found.get("macro_f1"), "micro": found.get("micro_f1"), **(found.get("f1") or {})}
    return Cell(
        float(share),
        found["n"],
        found["correct"],
        low,
        high,
        is_below_chance=share < CHANCE,
        note=shots_of(found),
        f1=f1,
        templates=found.get("templates"),
    )


def _templates(cells: Sequence[Cell]) -> int | None:
    """Return how many templates the cases of a line have; None where it was not stored."""
    return max((cell.templates for cell in cells if cell.templates is not None), default=None)


def _marked(cells: Sequence[Cell]) -> tuple[Cell, ...]:
    """Return the same cells, the best of them marked; alone no cell is the best."""
    shares = [Fraction(cell.correct, cell.n) for cell in cells if cell.n]
    best = max(shares) if len(shares) > 1 else None
    return tuple(replace(cell, is_best=bool(cell.n) and Fraction(cell.correct, cell.n) == best) for cell in cells)
