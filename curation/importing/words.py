"""Storing the words of an imported suite."""

from collections.abc import Sequence
from dataclasses import dataclass

from curation.catalogue.loading import find_or_create_targets
from curation.formats.values import EntryValue, FormValue, SuiteValues
from curation.lexicon.models import FormSource
from curation.models import Form, Language, LexiconEntry, Suite


@dataclass(slots=True)
class StoredWords:
    new_entries: int = 0
    new_forms: int = 0
    changed_forms: int = 0


def store_words(suite: Suite, values: SuiteValues, languages: dict[str, Language]) -> StoredWords:
    """Add new entries and forms, correct forms whose text differs; what is equal stays untouched."""
    stored = StoredWords()
    for code, language in languages.items():
        entries = [entry for entry in values.entries if entry.language == code]
        if entries:
            ids = _store_entries(suite, language, entries, stored)
            _store_forms(ids, [form for form in values.forms if form.language == code], stored)
    return stored


def _store_entries(
    suite: Suite, language: Language, entries: Sequence[EntryValue], stored: StoredWords
) -> dict[str, int]:
    known = set(LexiconEntry.objects.of(suite, language).values_list("key", flat=True))
    targets = find_or_create_targets(language, {entry.target for entry in entries if entry.target})
    fresh = [
        LexiconEntry(
            suite=suite,
            language=language,
            key=entry.key,
            kind=entry.kind,
            target=targets.get(entry.target),
            lemma=entry.lemma,
            inherent=entry.inherent,
            properties=dict(entry.properties),
            position=entry.position,
        )
        for entry in entries
        if entry.key not in known
    ]
    stored.new_entries += len(LexiconEntry.objects.bulk_create(fresh))
    return dict(LexiconEntry.objects.of(suite, language).values_list("key", "id"))


def _store_forms(entry_ids: dict[str, int], forms: Sequence[FormValue], stored: StoredWords) -> None:
    known = {
        (form.entry_id, form.features, form.perturbation): form
        for form in Form.objects.filter(entry_id__in=entry_ids.values())
    }
    fresh, changed = [], []
    for value in forms:
        entry_id = entry_ids[value.entry]
        form = known.get((entry_id, value.features, value.perturbation))
        if form is None:
            fresh.append(
                Form(
                    entry_id=entry_id,
                    features=value.features,
                    perturbation=value.perturbation,
                    text=value.text,
                    source=FormSource.IMPORT,
                    position=value.position,
                    token=value.token,
                )
            )
        elif form.text != value.text:
            form.text, form.source = value.text, FormSource.IMPORT
            changed.append(form)
    stored.new_forms += len(Form.objects.bulk_create(fresh))
    stored.changed_forms += Form.objects.bulk_update(changed, ["text", "source"])
