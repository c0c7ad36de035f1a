"""Paradigm grids: which cells a kind of word has in a language, and what stands in them."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from curation.lexicon.models import FormSource
from curation.models import Form, Language, LexiconEntry, Suite
from curation.morphology.feature_names import form_name
from curation.morphology.features import canonical

BEFORE_PERTURBATION = " ~ "  # stands between features and perturbation in a column's title
USED, ALL = "used", "all"
NOT_CROSSED = {"Pos", "Gender"}  # an adjective has a column of its own; gender mostly comes with the word


@dataclass(frozen=True, slots=True, order=True)
class Cell:
    """A column of the grid."""

    perturbation: str
    features: str

    @property
    def title(self) -> str:
        """How files, addresses and the API name the column."""
        return (
            f"{self.features or 'base form'}{BEFORE_PERTURBATION}{self.perturbation}"
            if self.perturbation
            else self.features or "base form"
        )

    @property
    def name(self) -> str:
        """What pages call the form."""
        return form_name(self.features, self.perturbation)

    def contradicts(self, inherent: str) -> bool:
        """Tell whether a word with these features of its own has no such form: a masculine word, a feminine cell."""
        own = dict(part.split("=", 1) for part in inherent.split("|") if part)
        asked = dict(part.split("=", 1) for part in self.features.split("|") if part)
        return any(name in asked and asked[name] != value for name, value in own.items())


@dataclass(frozen=True, slots=True)
class GridRow:
    entry: LexiconEntry
    forms: tuple[tuple[Cell, Form | None, bool], ...]  # cell, what stands there, whether a form could stand there

    @property
    def missing(self) -> int:
        return sum(form is None and is_possible for _, form, is_possible in self.forms)


@dataclass(frozen=True, slots=True)
class Grid:
    cells: tuple[Cell, ...]
    rows: tuple[GridRow, ...]
    columns: str = USED

    @property
    def missing(self) -> int:
        return sum(row.missing for row in self.rows)

    @property
    def suggested(self) -> int:
        return sum(
            form is not None and form.source == FormSource.SUGGESTION for row in self.rows for _, form, _ in row.forms
        )


def cell_from_title(title: str) -> Cell:
    """Return the cell a column title means. Refuses (FeatureError) features that are none."""
    features, _tilde, perturbation = title.partition(BEFORE_PERTURBATION)
    features = features.strip()
    return Cell(perturbation.strip(), "" if features in ("", "base form") else canonical(features))


def cells_of_schema(language: Language, kind: str) -> list[Cell]:
    """Return the cells the language's feature schema asks for, without those that only some words have."""
    schema = language.features or {}
    values = {feature["name"]: feature["values"] for feature in schema.get("features", [])}
    names = schema.get("paradigms", {}).get(kind, list(values))
    alone = {*NOT_CROSSED, *schema.get("fixed", ())}
    crossed = [name for name in names if name in values and name not in alone]
    cells = [
        Cell("", canonical("|".join(f"{name}={value}" for name, value in zip(crossed, chosen, strict=True))))
        for chosen in product(*(values[name] for name in crossed))
    ]
    if "Pos" in names and "Adj" in values.get("Pos", []):
        cells.append(Cell("", "Pos=Adj"))
    return cells or [Cell("", "")]


def grid_of(
    suite: Suite,
    language: Language,
    kind: str,
    *,
    perturbed: bool = False,
    columns: str = "",
    extra: Sequence[Cell] = (),
) -> Grid:
    """Return all words of a kind with their forms; two queries. Perturbed forms have columns where asked for.

    `columns` are those in use ("used") or also those of the language's schema ("all"). Where nothing is said, an
    imported list keeps its own columns and a list written here has all. `extra` columns stand at the end.
    """
    entries = list(LexiconEntry.objects.of(suite, language, kind).select_related("target").order_by("position", "key"))
    forms: dict[int, dict[Cell, Form]] = {entry.pk: {} for entry in entries}
    used: dict[Cell, None] = {}
    is_imported = False
    for form in Form.objects.filter(entry__in=forms).order_by("perturbation", "id"):
        cell = Cell(form.perturbation, form.features)
        forms[form.entry_id][cell] = form
        is_imported = is_imported or form.source == FormSource.IMPORT
        if perturbed or not form.perturbation:
            used.setdefault(cell)
    shown = columns or (USED if is_imported else ALL)
    plain = [cell for cell in used if not cell.perturbation]
    if shown == ALL or not plain:
        plain = list(dict.fromkeys([*cells_of_schema(language, kind), *plain]))
    cells = tuple(dict.fromkeys([*plain, *(cell for cell in used if cell.perturbation), *extra]))
    rows = tuple(
        GridRow(entry, tuple((cell, forms[entry.pk].get(cell), not cell.contradicts(entry.inherent)) for cell in cells))
        for entry in entries
    )
    return Grid(cells, rows, shown)


def kinds_of(suite: Suite, language: Language) -> list[str]:
    """Return the kinds of word that are in use or that the language's schema names."""
    used = LexiconEntry.objects.of(suite, language).values_list("kind", flat=True).distinct()
    return sorted({*used, *(language.features or {}).get("paradigms", {"identity": [], "slur": []})})
