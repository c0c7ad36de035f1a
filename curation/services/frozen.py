"""Between the rows of a release and the plain values that are hashed and written."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import fields
from functools import lru_cache
from operator import attrgetter
from typing import Any

from django.db.models import TextField
from django.db.models.functions import Cast

from curation.models import Release, ReleaseCase
from curation.models.releases import ReleaseState
from curation.publishing.canonical import FIELDS as CANONICAL
from curation.publishing.canonical import json_text
from curation.publishing.values import Author, FrozenCase, ReleaseHead

ROW_FIELDS = (
    "key", "language", "functionality", "functionality_class", "text", "label", "targets", "direction", "focus_words",
    "focus_lemma", "refers_to", "template", "refers_to_template", "template_text", "origin", "labels_given", "majority",
    "disagreement_in_case", "disagreement_in_template", "provenance", "extra",
)  # fmt: skip
VALUE_FIELDS = tuple(field.name for field in fields(FrozenCase))  # the same, in the order of the value
TARGETS_AT, LABELS_AT, EXTRA_AT = (VALUE_FIELDS.index(name) for name in ("targets", "labels_given", "extra"))
TARGETS_JOINED_BY = " + "


def target_names(name: str | None) -> tuple[str, ...]:
    """The groups in a target's name; an intersectional one joins several."""
    return tuple(name.split(TARGETS_JOINED_BY)) if name else ()


def extra_columns(extra: dict[str, Any] | None) -> tuple[tuple[str, str], ...]:
    """Imported columns that must come back, without those a release computes itself."""
    return tuple(sorted((str(k), str(v)) for k, v in (extra or {}).items() if k and k not in CANONICAL))


def frozen_case(values: tuple[Any, ...]) -> FrozenCase:
    """A case from the values of `ROW_FIELDS`."""
    row = dict(zip(ROW_FIELDS, values, strict=True))
    row["targets"] = tuple(row["targets"])
    row["labels_given"] = tuple(row["labels_given"])
    row["extra"] = tuple(sorted(row["extra"].items()))
    return FrozenCase(**row)


@lru_cache(maxsize=4096)  # a few lists of labels and targets serve a whole release
def _texts(value: str) -> tuple[str, ...]:
    return tuple(json.loads(value))


@lru_cache(maxsize=64)
def _columns(value: str) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(json.loads(value).items()))


def frozen_cases(release: Release) -> Iterator[FrozenCase]:
    """All cases of a release in order, streamed. JSON is read as text: decoding each value would take half the time."""
    as_text = {f"{name}_text": Cast(name, TextField()) for name in ("targets", "labels_given", "extra")}
    names = [f"{name}_text" if f"{name}_text" in as_text else name for name in VALUE_FIELDS]
    rows = ReleaseCase.objects.filter(release=release).annotate(**as_text).order_by("position").values_list(*names)
    for row in rows.iterator(chunk_size=2000):
        values = list(row)
        values[TARGETS_AT] = _texts(values[TARGETS_AT])
        values[LABELS_AT] = _texts(values[LABELS_AT])
        values[EXTRA_AT] = _columns(values[EXTRA_AT])
        yield FrozenCase(*values)


_values_of = attrgetter(*ROW_FIELDS)
_TARGETS, _LABELS, _EXTRA = (ROW_FIELDS.index(name) for name in ("targets", "labels_given", "extra"))


class RowMaker:
    """Turns cases into values of `ROW_FIELDS` for writing.

    Equal lists are one and the same object, so that the writer turns each into JSON only when it changes.
    """

    def __init__(self) -> None:
        self._lists: dict[tuple[str, ...], list[str]] = {}
        self._no_extra: dict[str, str] = {}

    def __call__(self, case: FrozenCase) -> list[Any]:
        values = list(_values_of(case))
        values[_TARGETS] = self._lists.setdefault(case.targets, list(case.targets))
        values[_LABELS] = self._lists.setdefault(case.labels_given, list(case.labels_given))
        values[_EXTRA] = dict(case.extra) if case.extra else self._no_extra
        return values


def provenance_text(provenance: dict[str, Any]) -> str:
    return json_text(provenance) if provenance else ""


def release_head(release: Release) -> ReleaseHead:
    """What is true of the release as a whole: as it was when it was published, or as it is while it is not."""
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
        **texts,
    )


def head_values(release: Release) -> dict[str, Any]:
    """What a release takes over from its suite, as plain values: stored when it is published, because suites change."""
    suite = release.suite
    return {
        "title": release.title or suite.name,
        "description": suite.description,
        "licence": suite.licence,
        "authors": [author_values(author) for author in suite.authors],
        "labels": list(suite.labels),
        "raters": suite.raters,
    }


def author_values(author: Any) -> dict[str, str]:
    """An author of a suite: a name, or the parts of one."""
    known = {field.name for field in fields(Author)}
    if isinstance(author, dict):
        return {name: str(value) for name, value in author.items() if name in known}
    return {"name": str(author)}
