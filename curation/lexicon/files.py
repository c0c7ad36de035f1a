"""The lexicon as a table: what is downloaded can be corrected in a spreadsheet and read back."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict

from django.db import transaction

from accounts.models import User
from core.errors import BadInput
from core.permissions import require_author
from core.tables.cells import restore
from core.tables.problems import Problem
from core.tables.reading import Table, read_table
from core.text import _, ngettext, pgettext
from curation.lexicon.checks import check_perturbation, checked_features, spelling_properties
from curation.lexicon.models import FormSource
from curation.lexicon.paradigms import Cell, cell_from_title, grid_of
from curation.lexicon.services import LONGEST_FORM, add_entry, change_entry, write_form
from curation.models import Language, LexiconEntry, Suite
from curation.morphology.features import FeatureError

FACTS = ("key", "target", "lemma", "inherent")
SAID = 5  # problems in the sentence; all of them go with it
NAME_FEATURES = _("name features like Number=Plur, or remove the column")


def csv_rows(suite: Suite, language: Language, kind: str) -> Iterator[Sequence[str]]:
    """Yield the grid as a table: who the word is about, its properties, then one column per cell."""
    grid = grid_of(suite, language, kind, perturbed=True)
    asked = [wanted.name for wanted in spelling_properties(language)]
    yield (*FACTS, *asked, *(cell.title for cell in grid.cells))
    for row in grid.rows:
        entry = row.entry
        target = entry.target.name if entry.target else ""
        yield (
            entry.key, target, entry.lemma, entry.inherent, *(str(entry.properties.get(name, "")) for name in asked),
            *(form.text if form and form.source != FormSource.SUGGESTION else "" for _, form, _ in row.forms),
        )  # fmt: skip


@transaction.atomic
def import_words(
    suite: Suite, language: Language, kind: str, content: bytes, *, name: str = "lexicon.csv", by: User
) -> int:
    """Read a table as `csv_rows` writes it and return how many words it has. All or nothing; every fault is named.

    Words with a known key are corrected, others are added. Empty cells leave a form alone, and a column that is not
    there leaves alone what it would say.
    """
    require_author(by, language.code)
    properties = [wanted.name for wanted in spelling_properties(language)]
    table = read_table(content, required=["lemma"], optional=[*FACTS, *properties], name=name)
    cells = _cells_of(table, {*FACTS, *properties}, language)
    known = {entry.key: entry for entry in LexiconEntry.objects.of(suite, language, kind).select_related("target")}
    with transaction.atomic():
        for number, row in table.records() if table.readable else ():
            try:
                if not table.is_exact:  # as `csv_download` defused them
                    row = {name: restore(cell) for name, cell in row.items()}
                _import_row(suite, language, kind, row, cells, known, properties, by=by)
            except BadInput as error:
                table.add(number, error.fields.get("column"), error.title, _("correct the row"))
        if any(problem.is_error for problem in table.problems):
            raise _refusal(table.problems)
    return len(table.rows)


def _refusal(problems: Sequence[Problem]) -> BadInput:
    """Return the first few problems in words, because pages show nothing else, and all of them as values."""
    title: str = _("Nothing was imported.")
    for problem in problems[:SAID]:
        title = _following(title, _located(problem))
    if (more := len(problems) - SAID) > 0:
        title = _following(title, ngettext("And %(count)s more problem.", "And %(count)s more problems.", more))
    return BadInput(title, problems=[asdict(problem) for problem in problems])


def _following(first: str, second: str) -> str:
    return pgettext("one sentence after another", "%(first)s %(second)s", first=first, second=second)


def _located(problem: Problem) -> str:
    """Return what is wrong with its place."""
    facts = {"row": problem.row, "column": problem.column, "problem": problem.sentences}
    if problem.row and problem.column:
        return _("Row %(row)s, column '%(column)s': %(problem)s", **facts)
    if problem.row:
        return _("Row %(row)s: %(problem)s", row=problem.row, problem=problem.sentences)
    if problem.column:
        return _("The column '%(column)s': %(problem)s", column=problem.column, problem=problem.sentences)
    return _("The file: %(problem)s", problem=problem.sentences)


def _cells_of(table: Table, others: set[str], language: Language) -> dict[str, Cell]:
    cells: dict[str, Cell] = {}
    for name in table.header:
        if name and name not in others:
            try:
                cells[name] = cell_from_title(name)
                checked_features(language, cells[name].features, column=name)
                check_perturbation(cells[name].perturbation)
            except FeatureError as error:
                table.add(1, name, error.problem, NAME_FEATURES)
            except BadInput as error:
                table.add(1, name, error.title, NAME_FEATURES)
    return cells


def _import_row(
    suite: Suite,
    language: Language,
    kind: str,
    row: Mapping[str, str],
    cells: Mapping[str, Cell],
    known: dict[str, LexiconEntry],
    properties: Sequence[str],
    *,
    by: User,
) -> None:
    lemma = row["lemma"].strip()
    # A row without a known key is a new word, unless the group has that word already: reading twice adds nothing.
    group = row["target"].strip() if "target" in row else None
    entry = known.get(row.get("key", "").strip()) or _same_word(known.values(), lemma, group)
    said = dict(entry.properties) if entry else {}
    said.update({name: row[name].strip() for name in properties if name in row})
    before = {
        "target": entry.target.name if entry and entry.target else "",
        "inherent": entry.inherent if entry else "",
    }
    facts = {name: row.get(name, before[name]).strip() for name in before}
    entry = (
        change_entry(entry, lemma=lemma, **facts, properties=said, by=by)
        if entry
        else add_entry(suite, language, kind=kind, lemma=lemma, **facts, properties=said, by=by)
    )
    known[entry.key] = entry
    for name, cell in cells.items():
        if row[name].strip():
            if len(row[name]) > LONGEST_FORM:
                problem = _(
                    "The form in '%(column)s' is longer than %(most)s characters. Shorten it.",
                    column=name,
                    most=LONGEST_FORM,
                )
                raise BadInput(problem, column=name)
            write_form(entry, cell, row[name])


def _same_word(entries: Iterable[LexiconEntry], lemma: str, group: str | None) -> LexiconEntry | None:
    for entry in entries:
        if entry.lemma == lemma and group in (None, entry.target.name if entry.target else ""):
            return entry
    return None
