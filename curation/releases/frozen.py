"""Turn rows of a release into the plain values that are hashed and written, and back."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.db.models import IntegerField, QuerySet, TextField
from django.db.models.functions import Cast

from core.batches import in_batches
from core.bulk import JsonText
from core.text import _
from curation.fields import FIELDS, NAMES, Kind, names_of
from curation.hubs.entries import reserved_doi
from curation.models import Release, ReleaseCase
from curation.publishing.blocks import SIZE, Block, Memo
from curation.publishing.canonical import json_text
from curation.publishing.values import Author, ReleaseHead
from curation.releases.models import Access, ReleaseState

IMPORTED = "imported"  # under this name in the facts of a release that came from another instance
KNOWN = {field.column for field in FIELDS}
JSON_FIELDS = (*names_of(Kind.GROUPS), *names_of(Kind.LABELS), *names_of(Kind.COLUMNS))
NAMES_OF_PEOPLE = frozenset({"written_by"})  # kept by earlier versions for cases written by hand


def extra_columns(extra: dict[str, Any] | None) -> tuple[tuple[str, str], ...]:
    """Return the imported columns that are written back, without those a release computes itself."""
    return tuple(sorted((str(k), str(v)) for k, v in (extra or {}).items() if k and k not in KNOWN))


# Read plainly and decoded here, each value once: Django would decode JSON and flags row by row.
_PLAIN: dict[str, Cast] = {
    **{f"plain_{name}": Cast(name, TextField()) for name in JSON_FIELDS},
    **{f"plain_{name}": Cast(name, IntegerField()) for name in names_of(Kind.FLAG)},
}
_NAMES = [f"plain_{name}" if f"plain_{name}" in _PLAIN else name for name in NAMES]
_TEXTS = Memo(lambda text: tuple(json.loads(text)))
_DECODERS: dict[str, Mapping[Any, Any]] = {
    **dict.fromkeys((*names_of(Kind.GROUPS), *names_of(Kind.LABELS)), _TEXTS),
    **dict.fromkeys(names_of(Kind.COLUMNS), Memo(lambda text: tuple(sorted(json.loads(text).items())))),
    **{name: {None: None, 0: False, 1: True} for name in names_of(Kind.FLAG)},
}


def frozen_blocks(release: Release) -> Iterator[Block]:
    """Yield all cases of a release in order, with the checksums that were stored."""
    return blocks_of(ReleaseCase.objects.filter(release=release))


def blocks_of(cases: QuerySet[ReleaseCase]) -> Iterator[Block]:
    """Yield some cases in order."""
    stored = cases.order_by("position").annotate(**_PLAIN)
    rows = stored.values_list(*_NAMES, "sha256").iterator(chunk_size=SIZE)
    for some in in_batches(rows, SIZE):
        *columns, sha256 = zip(*some, strict=True)
        yield Block({name: _decoded(name, column) for name, column in zip(NAMES, columns, strict=True)}, sha256)


def _decoded(field: str, column: Sequence[Any]) -> Sequence[Any]:
    decoder = _DECODERS.get(field)
    return column if decoder is None else [decoder[value] for value in column]


# Equal lists are written once as JSON; the database is given the text.
_JSON_LISTS = Memo(lambda texts: JsonText(json.dumps(texts, ensure_ascii=False)))
_JSON_OBJECTS = Memo(lambda pairs: JsonText(json.dumps(dict(pairs), ensure_ascii=False)))
_ENCODERS = {
    **dict.fromkeys((*names_of(Kind.GROUPS), *names_of(Kind.LABELS)), _JSON_LISTS),
    **dict.fromkeys(names_of(Kind.COLUMNS), _JSON_OBJECTS),
}


def stored_columns(block: Block) -> list[Sequence[Any]]:
    """Return the columns of a block as they are written into `ReleaseCase`, in the order of `curation.fields`."""
    return [_ENCODERS[name].all(block[name]) if name in _ENCODERS else block[name] for name in NAMES]


def provenance_text(provenance: dict[str, Any]) -> str:
    """Return what is published of how a case was made: canonical JSON without the names of people."""
    said = {name: value for name, value in provenance.items() if name not in NAMES_OF_PEOPLE}
    return json_text(said) if said else ""


def release_head(release: Release) -> ReleaseHead:
    """Return what is true of the release as a whole: as it was when it was published, or as it is while it is not."""
    created = (release.published_at or release.built_at or release.created_at).date().isoformat()
    stored: Mapping[str, Any] | None = release.facts.get("head")
    values = stored if stored and release.state == ReleaseState.PUBLISHED else head_values(release)
    texts = {name: values[name] for name in values if name not in ("authors", "labels")}
    return ReleaseHead(
        suite=release.suite.key,
        version=release.version,
        created=created,
        authors=tuple(Author(**author) for author in values["authors"]),
        labels=tuple(values["labels"]),
        policy=release.policy,  # type: ignore[arg-type]
        min_agree=release.min_agree,
        cascade=release.cascade,  # type: ignore[arg-type]
        without_labels=release.without_labels or None,  # type: ignore[arg-type]
        gate=_gate(release),
        **texts,
    )


def _gate(release: Release) -> str:
    """Return what people accept before they get a release on request; "" where everyone may have it."""
    if release.access != Access.REQUEST:
        return ""
    return release.terms.strip() or _("Say what you want to use the release for. Its maintainers answer.")


def head_values(release: Release) -> dict[str, Any]:
    """Return what a release takes from its suite as plain values, stored when it is published: suites change."""
    suite = release.suite
    return {
        "title": release.title or suite.name,
        "description": suite.description,
        "licence": suite.licence,
        "authors": [author_values(author) for author in suite.authors],
        "labels": list(suite.labels),
        "raters": suite.raters,
        "url": public_address(release),
        "doi": reserved_doi(release),
    }


def public_address(release: Release) -> str:
    """Return the address of the release, for citations; "" on a machine that others cannot reach."""
    is_reachable = urlsplit(settings.SITE_URL).hostname not in (None, "127.0.0.1", "localhost", "::1")
    return f"{settings.SITE_URL}{release.get_absolute_url()}" if is_reachable else ""


def author_values(author: Any) -> dict[str, str]:
    """Return an author of a suite as the parts of a name."""
    known = {field.name for field in fields(Author)}
    if isinstance(author, dict):
        return {name: str(value) for name, value in author.items() if name in known}
    return {"name": str(author)}
