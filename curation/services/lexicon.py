"""Writing the lexicon: words, forms cell by cell or pasted, suggestions, CSV in and out."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence

from django.db import transaction
from django.db.models import Max

from accounts.models import Action, User
from accounts.services import audit
from curation.errors import BadInput
from curation.models import Form, Language, LexiconEntry, Suite
from curation.models.lexicon import FormSource
from curation.morphology.features import canonical
from curation.morphology.suggest import suggest
from curation.permissions import require_author
from curation.services.catalogue import find_or_create_targets
from curation.services.paradigms import Cell, cell_from_title, grid_of

LONGEST_FORM = 300
FIXED_COLUMNS = ("key", "target", "lemma", "inherent", "elides")


@transaction.atomic
def add_entry(
    suite: Suite,
    language: Language,
    *,
    kind: str,
    lemma: str,
    target: str = "",
    inherent: str = "",
    elides: str = "",
    by: User,
) -> LexiconEntry:
    """Add a word. Refuses people without the role, an empty lemma, and features that are none."""
    require_author(by, language.code)
    if not lemma.strip():
        raise BadInput("A word needs a base form. Write it in the field 'lemma'.")
    last = LexiconEntry.objects.of(suite, language, kind).aggregate(last=Max("position"))["last"]
    position = 0 if last is None else last + 1
    entry = LexiconEntry.objects.create(
        suite=suite,
        language=language,
        key=_free_key(suite, language, kind, position + 1),
        kind=kind,
        target=find_or_create_targets(language, {target.strip()})[target.strip()] if target.strip() else None,
        lemma=lemma.strip(),
        inherent=features_text(inherent),
        properties={"elides": elides} if elides else {},
        position=position,
    )
    suite.languages.add(language)
    _note(by, entry, added=entry.lemma)
    return entry


@transaction.atomic
def change_entry(
    entry: LexiconEntry, *, lemma: str, target: str, inherent: str, elides: str, severity: str = "", by: User
) -> LexiconEntry:
    """Correct what is said about a word. Its forms and its cases stay."""
    require_author(by, entry.language.code)
    if not lemma.strip():
        raise BadInput("A word needs a base form. Write it in the field 'lemma'.")
    name = target.strip()
    entry.lemma, entry.inherent, entry.severity = lemma.strip(), features_text(inherent), severity
    entry.target = find_or_create_targets(entry.language, {name})[name] if name else None
    entry.properties = {
        **{k: v for k, v in entry.properties.items() if k != "elides"},
        **({"elides": elides} if elides else {}),
    }
    entry.save()
    _note(by, entry, changed=entry.lemma)
    return entry


@transaction.atomic
def remove_entry(entry: LexiconEntry, *, by: User) -> None:
    """Remove a word and its forms. Cases that were made with it stay as they are."""
    require_author(by, entry.language.code)
    _note(by, entry, removed=entry.lemma)
    entry.delete()


@transaction.atomic
def set_form(entry: LexiconEntry, cell: Cell, text: str, *, by: User) -> Form | None:
    """Write one cell; an empty text empties it. Returns the form that stands there now."""
    require_author(by, entry.language.code)
    _note(by, entry, cell=cell.title)
    return _write(entry, cell, text)


def _write(entry: LexiconEntry, cell: Cell, text: str) -> Form | None:
    if len(text) > LONGEST_FORM:
        raise BadInput(f"'{text[:30]}…' is longer than {LONGEST_FORM} characters. A form is a word or a few.")
    if not text.strip() or text.strip() == "-":
        entry.forms.filter(features=cell.features, perturbation=cell.perturbation).delete()
        return None
    form, _ = entry.forms.update_or_create(
        features=cell.features, perturbation=cell.perturbation, defaults={"text": text, "source": FormSource.HAND}
    )
    return form


@transaction.atomic
def paste_forms(
    suite: Suite,
    language: Language,
    kind: str,
    *,
    first_entry: str,
    first_cell: Cell,
    text: str,
    respelt: bool,
    by: User,
) -> int:
    """Write a block copied from a spreadsheet, starting at a cell: rows go down the words, columns along the cells.

    All or nothing; refuses a block that is larger than the grid, and says by how much.
    """
    require_author(by, language.code)
    grid = grid_of(suite, language, kind, respelt=respelt)
    keys = [row.entry.key for row in grid.rows]
    if first_entry not in keys or first_cell not in grid.cells:
        raise BadInput("The cell to paste into is not in the grid any more. Reload the page.")
    top, start = keys.index(first_entry), grid.cells.index(first_cell)
    block = [line.split("\t") for line in text.rstrip("\r\n").replace("\r\n", "\n").split("\n")]
    if top + len(block) > len(grid.rows):
        raise BadInput(
            f"The block has {len(block)} rows, but only {len(grid.rows) - top} words follow. Add words first."
        )
    widest = max(len(row) for row in block)
    if start + widest > len(grid.cells):
        raise BadInput(f"The block has {widest} columns, but only {len(grid.cells) - start} cells follow.")
    written = 0
    for row, values in zip(grid.rows[top:], block, strict=False):
        for cell, value in zip(grid.cells[start:], values, strict=False):
            _write(row.entry, cell, value)
            written += 1
        _note(by, row.entry, pasted=len(values))
    return written


@transaction.atomic
def suggest_forms(suite: Suite, language: Language, kind: str, *, by: User) -> int:
    """Fill empty cells with what a morphology package proposes; they count only once somebody accepts them."""
    require_author(by, language.code)
    proposed = []
    for row in grid_of(suite, language, kind).rows:
        for cell, form, is_possible in row.forms:
            if form is None and is_possible and not cell.perturbation:
                found = suggest(language.code, kind, row.entry.lemma, _with_inherent(cell.features, row.entry.inherent))
                if found:
                    proposed.append(
                        Form(entry=row.entry, features=cell.features, text=found[0].text, source=FormSource.SUGGESTION)
                    )
    Form.objects.bulk_create(proposed)
    return len(proposed)


def _with_inherent(features: str, inherent: str) -> str:
    """What the cell asks for, and what the word is by itself where the cell says nothing about it."""
    named = {part.split("=")[0] for part in features.split("|")}
    own = [part for part in inherent.split("|") if part and part.split("=")[0] not in named]
    return canonical("|".join(part for part in (features, *own) if part))


@transaction.atomic
def accept_suggestions(suite: Suite, language: Language, kind: str, *, by: User, form_id: int | None = None) -> int:
    """Make suggested forms count: one, or all of the grid."""
    require_author(by, language.code)
    forms = Form.objects.filter(
        entry__suite=suite, entry__language=language, entry__kind=kind, source=FormSource.SUGGESTION
    )
    if form_id is not None:
        forms = forms.filter(pk=form_id)
    accepted = forms.update(source=FormSource.HAND)
    if accepted:
        audit.record(by, Action.LEXICON_CHANGED, suite, language=language.code, accepted=accepted)
    return accepted


@transaction.atomic
def drop_suggestions(suite: Suite, language: Language, kind: str, *, by: User) -> int:
    """Forget the suggestions nobody accepted."""
    require_author(by, language.code)
    dropped, _ = Form.objects.filter(
        entry__suite=suite, entry__language=language, entry__kind=kind, source=FormSource.SUGGESTION
    ).delete()
    return dropped


def csv_rows(suite: Suite, language: Language, kind: str) -> Iterator[Sequence[str]]:
    """The grid as a table: who the word is about, its properties, then one column per cell."""
    grid = grid_of(suite, language, kind, respelt=True)
    yield (*FIXED_COLUMNS, *(cell.title for cell in grid.cells))
    for row in grid.rows:
        entry = row.entry
        target = entry.target.name if entry.target else ""
        yield (
            entry.key, target, entry.lemma, entry.inherent, str(entry.properties.get("elides", "")),
            *(form.text if form and form.source != FormSource.SUGGESTION else "" for _, form, _ in row.forms),
        )  # fmt: skip


@transaction.atomic
def import_csv(suite: Suite, language: Language, kind: str, content: str, *, by: User) -> int:
    """Read a table as `csv_rows` writes it. All or nothing; every bad row and column is named.

    Words with a known key are corrected, others are added. Empty cells leave a form alone.
    """
    require_author(by, language.code)
    reader = csv.DictReader(io.StringIO(content.lstrip("\ufeff"), newline=""))
    header = [name for name in reader.fieldnames or [] if name]
    problems = [
        _problem(1, name, "a lexicon file needs this column", "add it") for name in ("lemma",) if name not in header
    ]
    cells: dict[str, Cell] = {}
    for name in header:
        if name not in FIXED_COLUMNS:
            try:
                cells[name] = cell_from_title(name)
            except ValueError as error:
                problems.append(_problem(1, name, str(error), "name features like Number=Plur, or remove the column"))
    rows = list(enumerate(reader, 2))
    problems += [
        _problem(n, "lemma", "it is empty", "write the base form")
        for n, row in rows
        if not (row.get("lemma") or "").strip()
    ]
    if problems:
        raise BadInput(f"Nothing was imported: {len(problems)} problems.", problems=problems)
    known = {entry.key: entry for entry in LexiconEntry.objects.of(suite, language, kind)}
    for _, row in rows:
        _import_row(suite, language, kind, row, cells, known, by=by)
    return len(rows)


def _import_row(
    suite: Suite,
    language: Language,
    kind: str,
    row: Mapping[str, str | None],
    cells: Mapping[str, Cell],
    known: Mapping[str, LexiconEntry],
    *,
    by: User,
) -> None:
    facts = {name: (row.get(name) or "").strip() for name in ("lemma", "target", "inherent", "elides")}
    entry = known.get((row.get("key") or "").strip())
    entry = change_entry(entry, **facts, by=by) if entry else add_entry(suite, language, kind=kind, **facts, by=by)
    for name, cell in cells.items():
        if (row.get(name) or "").strip():
            _write(entry, cell, row[name] or "")


def _problem(row: int, column: str, problem: str, fix: str) -> dict[str, object]:
    return {"file": "lexicon.csv", "row": row, "column": column, "problem": problem, "fix": fix, "severity": "error"}


def features_text(text: str) -> str:
    """Canonical features. Refuses what is none, with the reason."""
    try:
        return canonical(text.strip()) if text.strip() else ""
    except ValueError as error:
        raise BadInput(f"'{text}' are no features: {error}. Write them like Gender=Fem|Number=Plur.") from error


def _free_key(suite: Suite, language: Language, kind: str, number: int) -> str:
    taken = set(LexiconEntry.objects.of(suite, language).values_list("key", flat=True))
    while f"{kind}-{number:02d}" in taken:
        number += 1
    return f"{kind}-{number:02d}"


def _note(by: User, entry: LexiconEntry, **facts: object) -> None:
    audit.record(by, Action.LEXICON_CHANGED, entry, suite=entry.suite.key, language=entry.language.code, **facts)
