"""Writing the lexicon: words, forms cell by cell or pasted, suggestions, CSV in and out."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Max

from accounts.models import Action, User
from accounts.services import audit
from core.errors import BadInput, DomainError
from core.permissions import require_author
from core.text import _, ngettext
from curation.lexicon.checks import (
    check_perturbation,
    checked_features,
    checked_properties,
    checked_target,
    refuse_duplicate,
)
from curation.lexicon.models import FormSource
from curation.lexicon.paradigms import Cell, grid_of
from curation.lexicon.removal import Removal, removal_of
from curation.models import Form, Language, LexiconEntry, Suite
from curation.morphology.features import canonical
from curation.morphology.suggest import LANGUAGES, suggest

LONGEST_FORM = 300
LONGEST_LEMMA = 200
LONGEST_GROUP = 120
KIND = re.compile(r"[a-z][a-z0-9_-]{0,39}")


@transaction.atomic
def add_entry(
    suite: Suite,
    language: Language,
    *,
    kind: str,
    lemma: str,
    target: str = "",
    inherent: str = "",
    properties: Mapping[str, str] | None = None,
    by: User,
) -> LexiconEntry:
    """Add a word. Refuses people without the role, an empty lemma, and features or properties that are none."""
    require_author(by, language.code)
    if not KIND.fullmatch(kind):
        raise BadInput(
            _("'%(kind)s' cannot be a kind of word. Use lower-case letters, e.g. profession.", kind=kind[:40])
        )
    last = LexiconEntry.objects.of(suite, language, kind).aggregate(last=Max("position"))["last"]
    position = 0 if last is None else last + 1
    entry = LexiconEntry(
        suite=suite, language=language, key=_free_key(suite, language, kind, position + 1), kind=kind, position=position
    )
    _describe(entry, lemma, target, inherent, properties or {})
    entry.save()
    suite.languages.add(language)
    _note(by, entry, added=entry.lemma)
    return entry


@transaction.atomic
def change_entry(
    entry: LexiconEntry, *, lemma: str, target: str, inherent: str, properties: Mapping[str, str], by: User
) -> LexiconEntry:
    """Correct what is said about a word. Its forms stay; its cases follow at the next generation."""
    require_author(by, entry.language.code)
    _describe(entry, lemma, target, inherent, properties)
    entry.save()
    _note(by, entry, changed=entry.lemma)
    return entry


def entry_values(entry: LexiconEntry) -> dict[str, Any]:
    """Return the options that a word has now."""
    target = entry.target.name if entry.target else ""
    return {"lemma": entry.lemma, "target": target, "inherent": entry.inherent, "properties": entry.properties}


def _describe(entry: LexiconEntry, lemma: str, target: str, inherent: str, properties: Mapping[str, str]) -> None:
    if not lemma.strip():
        raise BadInput(_("A word needs a base form. Write it in the field 'lemma'."), column="lemma")
    if len(lemma.strip()) > LONGEST_LEMMA:
        problem = _(
            "The base form '%(start)s…' is longer than %(most)s characters. Shorten it.",
            start=lemma.strip()[:30],
            most=LONGEST_LEMMA,
        )
        raise BadInput(problem)
    if len(target.strip()) > LONGEST_GROUP:
        problem = _(
            "The group '%(start)s…' is longer than %(most)s characters. Shorten it.",
            start=target.strip()[:30],
            most=LONGEST_GROUP,
        )
        raise BadInput(problem)
    entry.lemma, entry.inherent = lemma.strip(), checked_features(entry.language, inherent)
    entry.target = checked_target(entry.language, target)
    entry.properties = checked_properties(entry.language, properties)
    refuse_duplicate(entry)


@transaction.atomic
def remove_entry(entry: LexiconEntry, *, by: User) -> Removal:
    """Remove a word and its forms. Returns what the next generation does to the cases that were made with it."""
    require_author(by, entry.language.code)
    removal = removal_of(entry)
    _note(by, entry, removed=entry.lemma)
    entry.delete()
    return removal


class CellChanged(DomainError):
    """Another person wrote the cell since it was read; `now` is what stands there."""

    code, status = "cell_changed", 409


@transaction.atomic
def set_form(entry: LexiconEntry, cell: Cell, text: str, *, by: User, was: str | None = None) -> Form | None:
    """Write one cell; an empty text empties it. Returns the form that stands there now.

    `was` is what the person saw in the cell: where another text stands there meanwhile, the change is refused.
    Refuses a feature or a perturbation that there is not.
    """
    require_author(by, entry.language.code)
    checked_features(entry.language, cell.features, column="cell")
    check_perturbation(cell.perturbation)
    LexiconEntry.objects.select_for_update().get(pk=entry.pk)  # of two people who write at once, one waits
    here = entry.forms.filter(features=cell.features, perturbation=cell.perturbation).first()
    now = here.text if here else ""
    if was is not None and now not in (was, text):
        raise CellChanged(
            _(
                "Another person wrote '%(now)s' here meanwhile, you wrote '%(text)s'. Save again to replace it.",
                now=now,
                text=text,
            ),
            now=now,
        )
    _note(by, entry, cell=cell.title, was=now, text=text)
    return write_form(entry, cell, text)


def write_form(entry: LexiconEntry, cell: Cell, text: str) -> Form | None:
    """Write one cell without asking who writes; an empty text empties it."""
    if len(text) > LONGEST_FORM:
        problem = _(
            "'%(start)s…' is longer than %(most)s characters. A form is one word or a few words.",
            start=text[:30],
            most=LONGEST_FORM,
        )
        raise BadInput(problem)
    if not text.strip() or text.strip() == "-":
        entry.forms.filter(features=cell.features, perturbation=cell.perturbation).delete()
        return None
    form, _is_new = entry.forms.update_or_create(
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
    perturbed: bool,
    columns: str = "",
    extra: Sequence[Cell] = (),
    by: User,
) -> int:
    """Write a block copied from a spreadsheet, starting at a cell: rows go down the words, columns along the cells.

    All or nothing; refuses a block that is larger than the grid, and says by how much.
    """
    require_author(by, language.code)
    grid = grid_of(suite, language, kind, perturbed=perturbed, columns=columns, extra=extra)
    keys = [row.entry.key for row in grid.rows]
    if first_entry not in keys or first_cell not in grid.cells:
        raise BadInput(_("The cell to paste into is no longer in the grid. Reload the page."))
    top, start = keys.index(first_entry), grid.cells.index(first_cell)
    block = [line.split("\t") for line in text.rstrip("\r\n").replace("\r\n", "\n").split("\n")]
    if top + len(block) > len(grid.rows):
        problem = _(
            "The block has %(rows)s, but from here on the lexicon has only %(words)s. Add words first.",
            rows=ngettext("%(count)s row", "%(count)s rows", len(block)),
            words=ngettext("%(count)s word", "%(count)s words", len(grid.rows) - top),
        )
        raise BadInput(problem)
    widest = max(len(row) for row in block)
    if start + widest > len(grid.cells):
        problem = _(
            "The block has %(columns)s, but from here on the lexicon has only %(left)s.",
            columns=ngettext("%(count)s column", "%(count)s columns", widest),
            left=ngettext("%(count)s column", "%(count)s columns", len(grid.cells) - start),
        )
        raise BadInput(problem)
    written = 0
    for row, values in zip(grid.rows[top:], block, strict=False):
        for cell, value in zip(grid.cells[start:], values, strict=False):
            write_form(row.entry, cell, value)
            written += 1
        _note(by, row.entry, pasted=len(values))
    return written


def can_suggest(language: Language) -> bool:
    """Tell whether there is a morphology package for a language."""
    return language.code.partition("-")[0] in LANGUAGES


@transaction.atomic
def suggest_forms(suite: Suite, language: Language, kind: str, *, columns: str = "", by: User) -> int:
    """Fill empty cells with what a morphology package proposes; they count only once a person accepts them."""
    require_author(by, language.code)
    proposed = []
    for row in grid_of(suite, language, kind, columns=columns).rows:
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
    """Return what the cell asks for, and what the word is by itself where the cell says nothing about it."""
    named = {part.split("=")[0] for part in features.split("|")}
    own = [part for part in inherent.split("|") if part and part.split("=")[0] not in named]
    return canonical("|".join(part for part in (features, *own) if part))


@transaction.atomic
def accept_suggestions(suite: Suite, language: Language, kind: str, *, by: User, form_id: int | None = None) -> int:
    """Make suggested forms count: one, or all of the grid."""
    require_author(by, language.code)
    forms = Form.objects.suggested(suite, language, kind)
    if form_id is not None:
        forms = forms.filter(pk=form_id)
    accepted = forms.update(source=FormSource.HAND)
    if accepted:
        audit.record(by, Action.LEXICON_CHANGED, suite, language=language.code, accepted=accepted)
    return accepted


@transaction.atomic
def drop_suggestions(suite: Suite, language: Language, kind: str, *, by: User) -> int:
    """Discard the suggestions that were not accepted."""
    require_author(by, language.code)
    return Form.objects.suggested(suite, language, kind).delete()[0]


def _free_key(suite: Suite, language: Language, kind: str, number: int) -> str:
    taken = set(LexiconEntry.objects.of(suite, language).values_list("key", flat=True))
    while f"{kind}-{number:02d}" in taken:
        number += 1
    return f"{kind}-{number:02d}"


def _note(by: User, entry: LexiconEntry, **facts: object) -> None:
    audit.record(by, Action.LEXICON_CHANGED, entry, suite=entry.suite.key, language=entry.language.code, **facts)
