"""The words of a suite with all their forms, in a bundle."""

from collections.abc import Iterator, Sequence

from core.text import _
from curation.bundles.parts import Part, Place, Scope
from curation.bundles.rows import EntryRow, FormRow
from curation.models import Form, LexiconEntry

ENTRY = ("kind", "lemma", "inherent", "properties", "severity", "position")
FORM = ("features", "perturbation", "text", "source", "position", "token")


def entries(scope: Scope) -> Iterator[EntryRow]:
    if scope.suite is None:
        return
    found = LexiconEntry.objects.of(scope.suite).select_related("language", "target").prefetch_related("forms")
    for item in found.order_by("language__code", "kind", "position", "key"):
        forms = [FormRow(**{name: getattr(form, name) for name in FORM}) for form in item.forms.all()]
        yield EntryRow(
            language=item.language.code,
            key=item.key,
            target=item.target.name if item.target else "",
            forms=sorted(forms, key=lambda form: (form.features, form.perturbation)),
            **{name: getattr(item, name) for name in ENTRY},
        )


def add_entries(place: Place, rows: Sequence[EntryRow]) -> None:
    made = LexiconEntry.objects.bulk_create(
        (
            LexiconEntry(
                suite=place.suite,
                language=place.languages[row.language],
                key=row.key,
                target=place.targets.get((row.language, row.target)),
                **{name: getattr(row, name) for name in ENTRY},
            )
            for row in rows
        ),
        batch_size=1000,
    )
    Form.objects.bulk_create(
        (Form(entry=entry, **form.model_dump()) for entry, row in zip(made, rows, strict=True) for form in row.forms),
        batch_size=1000,
    )


def replace_entries(place: Place, rows: Sequence[EntryRow]) -> None:
    """Overwrite words and forms; forms that the bundle does not have stay."""
    for row in rows:
        entry = LexiconEntry.objects.get(suite=place.suite, language__code=row.language, key=row.key)
        for name in ENTRY:
            setattr(entry, name, getattr(row, name))
        entry.target = place.targets.get((row.language, row.target))
        entry.save()
        known = {(form.features, form.perturbation): form for form in entry.forms.all()}
        for value in row.forms:
            form = known.get((value.features, value.perturbation), Form(entry=entry))
            for name in FORM:
                setattr(form, name, getattr(value, name))
            form.save()


PARTS = (
    Part(
        name="lexicon", title=_("Lexicon"), row=EntryRow, key=("language", "key"),
        rows=entries, add=add_entries, replace=replace_entries,
    ),
)  # fmt: skip
