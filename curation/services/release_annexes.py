"""What curation adds to an exported release: cases left out, the lexicon and the templates behind the cases.

Lexicon and templates go on changing after a release, so they are copied when it is built.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from curation.bulk import insert_rows
from curation.models import Form, Release, ReleaseAnnex, ReleaseExclusion, TemplateVariant
from curation.models.templates import VersionState
from curation.publishing.annexes import Annex, AnnexDocument, AnnexTable, collect_copied
from curation.publishing.canonical import natural_order
from curation.publishing.values import ReleaseHead
from curation.services.frozen import release_head

LEXICON = (
    ("language", "language code"),
    ("kind", "what sort of word it is"),
    ("entry", "key of the word"),
    ("lemma", "the word"),
    ("group", "the group it names, if any"),
    ("severity", "how strong it is, if somebody said so"),
    ("features", "features of the form, Universal Dependencies"),
    ("perturbation", "how the form is respelled, if it is"),
    ("form", "the form"),
    ("inherent", "features the word has by itself, such as Gender=Fem"),
    ("properties", "what somebody settled about the spelling before it, such as elides=no"),
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
    """Copy the lexicon, the approved templates and what other apps add into the release. Called while it is built."""
    tables = [
        ("lexicon", "The words and forms the cases were made of", LEXICON, _lexicon_rows(release)),
        ("templates", "The approved templates the cases were made from", TEMPLATES, _template_rows(release)),
    ]
    copies = [
        (release.pk, name, title, [list(c) for c in columns], rows) for name, title, columns, rows in tables if rows
    ]
    copies += [(release.pk, annex.name, annex.title, *_copy(annex)) for annex in collect_copied(release_head(release))]
    insert_rows(ReleaseAnnex, ("release", "name", "title", "columns", "rows"), copies)


def _copy(annex: Annex) -> tuple[list[list[str]], list[list[str]]]:
    """Columns and rows. A document has no columns, and its text as the only cell."""
    if isinstance(annex, AnnexDocument):
        return [], [[annex.text]]
    return [list(column) for column in annex.columns], [list(row) for row in annex.rows]


def _lexicon_rows(release: Release) -> list[list[str]]:
    rows = Form.objects.usable().filter(entry__suite=release.suite).values_list(
        "entry__language__code", "entry__kind", "entry__key", "entry__lemma", "entry__target__name", "entry__severity",
        "features", "perturbation", "text", "entry__inherent", "entry__properties",
    )  # fmt: skip
    return sorted([*(cell or "" for cell in row), _said(properties)] for *row, properties in rows)


def _said(properties: Mapping[str, str]) -> str:
    return "|".join(f"{name}={value}" for name, value in sorted(properties.items()))


def _template_rows(release: Release) -> list[list[str]]:
    approved = TemplateVariant.objects.filter(
        version__template__suite=release.suite, version__state=VersionState.APPROVED
    )
    rows = approved.values_list(
        "version__template__language__code", "version__template__key", "version__template__functionality__key",
        "version__template__refers_to", "version__template__relation", "version__number", "features", "text",
        "version__template__source_text", "version__defaults",
    )  # fmt: skip
    texts = [[str(cell or "") for cell in row] for row in rows]
    return sorted(texts, key=lambda row: (row[0], natural_order(row[1]), row[6], row[7]))


def stored_annexes(head: ReleaseHead) -> Iterator[Annex]:
    """The annexes of the release that is being exported."""
    release = Release.objects.by_key(head.reference).first()
    if release is None:
        return
    if ReleaseExclusion.objects.filter(release=release).exists():
        yield AnnexTable("excluded", "Cases that were left out, and why", EXCLUDED, _excluded_rows(release))
    for annex in ReleaseAnnex.objects.filter(release=release).order_by("name"):
        columns = tuple((name, meaning) for name, meaning in annex.columns)
        if not columns:
            yield AnnexDocument(annex.name, annex.title, annex.rows[0][0])
            continue
        yield AnnexTable(annex.name, annex.title, columns, annex.rows)


def _excluded_rows(release: Release) -> list[list[str]]:
    rows = ReleaseExclusion.objects.filter(release=release).values_list(
        "key", "language", "functionality", "text", "reason", "because_of", "labels_given"
    )
    texts = [[*row[:-1], json.dumps(row[-1], ensure_ascii=False)] for row in rows]
    return sorted(texts, key=lambda row: natural_order(row[0]))
