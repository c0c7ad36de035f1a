"""Functionality by target group: what is covered in a suite's language, and where the holes are."""

from collections import Counter
from dataclasses import dataclass

from django.db.models import Count

from core.text import _
from curation.catalogue.applicability import applicability
from curation.models import Functionality, Language, LexiconEntry, Suite, TargetGroup, Template, TestCase
from curation.morphology.realised import target_names

NO_TARGET = ""


@dataclass(frozen=True, slots=True)
class Cell:
    target: str
    cases: int
    share: float | None
    is_hole: bool


@dataclass(frozen=True, slots=True)
class Row:
    functionality: Functionality
    cells: tuple[Cell, ...]
    templates: int
    cases: int
    not_because: str


@dataclass(frozen=True, slots=True)
class Matrix:
    """`targets` are the columns; the last one, "", holds cases about no group."""

    targets: tuple[str, ...]
    rows: tuple[Row, ...]
    totals: tuple[int, ...]
    holes: int


def coverage_matrix(suite: Suite, language: Language) -> Matrix:
    """Return cases in use by functionality and group. Five queries, whatever the size.

    A case about several groups counts for each of them, in whatever order its words stand, and once in the sum of its
    row. A hole is a group that an applicable functionality has no case about; functionalities whose cases are all
    about no group have none.
    """
    counts: Counter[tuple[int, str]] = Counter()
    cases: Counter[int] = Counter()
    grouped = TestCase.objects.of(suite).in_use().filter(language=language).values("functionality", "target__name")
    for row in grouped.annotate(count=Count("id")).order_by():
        cases[row["functionality"]] += row["count"]
        for name in set(target_names(row["target__name"])) or {NO_TARGET}:
            counts[row["functionality"], name] += row["count"]
    templates = dict(
        Template.objects.of(suite)
        .filter(language=language)
        .values_list("functionality")
        .annotate(count=Count("id"))
        .order_by()
    )
    functionalities = Functionality.objects.select_related("functionality_class").order_by(
        "functionality_class__position", "position", "key"
    )
    known = applicability([language], functionalities)[language.pk]
    with_words = LexiconEntry.objects.of(suite, language).exclude(target=None).values_list("target_id", flat=True)
    targets_of_words = TargetGroup.objects.filter(pk__in=with_words).values_list("name", flat=True)
    names = {part for name in targets_of_words for part in target_names(name)}
    targets = (*sorted(names | {name for _, name in counts if name}), NO_TARGET)
    highest = max(counts.values(), default=0)
    rows = []
    for functionality in functionalities:
        applies, reason = known[functionality.pk].applies, known[functionality.pk].reason
        used = {name for pk, name in counts if pk == functionality.pk}
        is_asked_for = applies and functionality.gold_label in ("", *suite.labels)
        if not is_asked_for and not used and functionality.pk not in templates:
            continue
        cells = tuple(_cell(counts[functionality.pk, name], name, used, highest, applies) for name in targets)
        rows.append(
            Row(
                functionality,
                cells,
                templates.get(functionality.pk, 0),
                cases[functionality.pk],
                "" if applies else reason or _("It does not apply in this language."),
            )
        )
    totals = tuple(sum(row.cells[place].cases for row in rows) for place in range(len(targets)))
    return Matrix(targets, tuple(rows), totals, sum(cell.is_hole for row in rows for cell in row.cells))


def _cell(count: int, name: str, used: set[str], highest: int, applies: bool) -> Cell:
    never_about_groups = used == {NO_TARGET}
    is_hole = applies and bool(name) and not count and not never_about_groups
    return Cell(name, count, count / highest if count and highest else None, is_hole)
