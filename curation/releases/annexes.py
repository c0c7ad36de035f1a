"""What curation adds to an exported release: cases left out, the lexicon and the templates behind the cases.

Lexicon and templates go on changing after a release, so they are copied when it is built.
"""

import json
from collections.abc import Iterator, Mapping
from itertools import chain

from django.db.models import QuerySet

from core.batches import in_batches
from core.bulk import insert_rows
from core.text import in_english
from curation.authoring.models import VersionState
from curation.models import Form, Release, ReleaseAnnex, ReleaseExclusion, TemplateVariant
from curation.publishing.annexes import Annex, AnnexDocument, AnnexTable, collect, collect_copied
from curation.publishing.canonical import natural_order
from curation.publishing.sorting import in_order
from curation.publishing.values import ReleaseHead
from curation.releases.frozen import IMPORTED, release_head
from curation.releases.functionalities import functionality_annex

ROWS_PER_PART = 5_000
LEXICON = (
    ("language", "language code"),
    ("kind", "what sort of word it is"),
    ("entry", "key of the word"),
    ("lemma", "the word"),
    ("group", "the group it names, if any"),
    ("severity", "how strong it is, where that is known"),
    ("features", "features of the form, Universal Dependencies"),
    ("perturbation", "how the form is respelled, if it is"),
    ("form", "the form"),
    ("inherent", "features the word has by itself, such as Gender=Fem"),
    ("properties", "rules for the spelling of the word before it, such as elides=no"),
)
TEMPLATES = (
    ("language", "language code"),
    ("template", "key of the template"),
    ("functionality", "what its cases test"),
    ("refers_to", "key of the template it varies"),
    ("relation", "how it varies that one"),
    ("version", "number of the approved version"),
    ("features", "features of this wording, such as Gender=Fem"),
    ("text", "the wording"),
    ("source_text", "the wording it was adapted from"),
    ("defaults", "features every placeholder takes unless it names its own"),
)
EXCLUDED = (
    ("case_id", "the case that was left out"),
    ("language", "language code"),
    ("functionality", "what it tests"),
    ("test_case", "its text"),
    ("reason", "why it was left out"),
    ("because_of", "the case or template that caused it"),
    ("labels", "the labels people gave, a JSON list"),
)


def freeze_annexes(release: Release) -> None:
    """Copy lexicon, approved templates, functionalities and what other apps add into the release while it is built."""
    with in_english():
        if words := _lexicon_rows(release):
            store_annex(release, AnnexTable("lexicon", "The words and forms the cases were made of", LEXICON, words))
        if _wordings(release).exists():
            rows = _template_rows(release)
            title = "The approved templates the cases were made from"
            store_annex(release, AnnexTable("templates", title, TEMPLATES, rows))
        store_annex(release, functionality_annex(release))
        for annex in collect_copied(release_head(release)):
            store_annex(release, annex)


def store_annex(release: Release, annex: Annex) -> None:
    """Write an annex, some thousand rows at a time. A document has no columns, and its text as the only cell."""
    columns, rows = ([], [[annex.text]]) if isinstance(annex, AnnexDocument) else (annex.columns, annex.rows)
    parts = in_batches(rows, ROWS_PER_PART)
    for part, some in enumerate(chain([next(parts, [])], parts)):  # without rows there is one empty part
        values = release.pk, annex.name, annex.title, list(map(list, columns)), list(map(list, some)), part
        insert_rows(ReleaseAnnex, ("release", "name", "title", "columns", "rows", "part"), [values])


def _lexicon_rows(release: Release) -> list[list[str]]:
    rows = Form.objects.usable().filter(entry__suite=release.suite).values_list(
        "entry__language__code", "entry__kind", "entry__key", "entry__lemma", "entry__target__name", "entry__severity",
        "features", "perturbation", "text", "entry__inherent", "entry__properties",
    )  # fmt: skip
    return sorted([*(cell or "" for cell in row), _said(properties)] for *row, properties in rows)


def _said(properties: Mapping[str, str]) -> str:
    return "|".join(f"{name}={value}" for name, value in sorted(properties.items()))


def _wordings(release: Release) -> QuerySet[TemplateVariant]:
    return TemplateVariant.objects.filter(version__template__suite=release.suite, version__state=VersionState.APPROVED)


def _template_rows(release: Release) -> Iterator[list[str]]:
    rows = _wordings(release).values_list(
        "version__template__language__code", "version__template__key", "version__template__functionality__key",
        "version__template__refers_to", "version__template__relation", "version__number", "features", "text",
        "version__template__source_text", "version__defaults",
    )  # fmt: skip
    texts = ([str(cell or "") for cell in row] for row in rows.iterator(chunk_size=ROWS_PER_PART))
    return in_order(texts, key=lambda row: (row[0], *natural_order(row[1]), row[6], row[7]))


def annexes_of(release: Release) -> list[Annex]:
    """Return all annexes of a release. One that came from another instance has just those that came with it."""
    head = release_head(release)
    return list(stored_annexes(head)) if is_imported(release) else collect(head)


def is_imported(release: Release) -> bool:
    """Tell whether a release was published by another instance."""
    return IMPORTED in release.facts


def stored_annexes(head: ReleaseHead) -> Iterator[Annex]:
    """Yield the annexes of the release that is being exported."""
    release = Release.objects.by_key(head.reference).first()
    if release is None:
        return
    if ReleaseExclusion.objects.filter(release=release).exists():
        yield AnnexTable("excluded", "Cases that were left out, and why", EXCLUDED, _excluded_rows(release))
    for annex in ReleaseAnnex.objects.filter(release=release, part=0).defer("rows").order_by("name"):
        columns = tuple((name, meaning) for name, meaning in annex.columns)
        if not columns:
            yield AnnexDocument(annex.name, annex.title, annex.rows[0][0])
            continue
        yield AnnexTable(annex.name, annex.title, columns, _stored_rows(annex))


def _stored_rows(annex: ReleaseAnnex) -> Iterator[list[str]]:
    parts = ReleaseAnnex.objects.filter(release=annex.release_id, name=annex.name).order_by("part")
    for rows in parts.values_list("rows", flat=True).iterator(chunk_size=1):
        yield from rows


def _excluded_rows(release: Release) -> Iterator[list[str]]:
    rows = ReleaseExclusion.objects.filter(release=release).values_list(
        "key", "language", "functionality", "text", "reason", "because_of", "labels_given"
    )
    texts = ([*row[:-1], json.dumps(row[-1], ensure_ascii=False)] for row in rows.iterator(chunk_size=ROWS_PER_PART))
    return in_order(texts, key=lambda row: natural_order(row[0]))
