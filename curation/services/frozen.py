"""Between the rows of a release and the plain values that are hashed and written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from curation.models import Release, ReleaseCase
from curation.publishing.canonical import FIELDS as CANONICAL
from curation.publishing.canonical import json_text
from curation.publishing.values import Author, FrozenCase, ReleaseHead

ROW_FIELDS = (
    "key", "language", "functionality", "functionality_class", "text", "label", "targets", "direction", "focus_words", "focus_lemma",
    "refers_to", "template", "refers_to_template", "template_text", "origin", "labels_given", "majority", "disagreement_in_case",
    "disagreement_in_template", "provenance", "extra",
)  # fmt: skip
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


def frozen_cases(release: Release) -> Iterator[FrozenCase]:
    """All cases of a release in order, streamed."""
    rows = ReleaseCase.objects.filter(release=release).order_by("position").values_list(*ROW_FIELDS)
    for values in rows.iterator(chunk_size=2000):
        yield frozen_case(values)


def row_values(case: FrozenCase) -> tuple[Any, ...]:
    """The values of `ROW_FIELDS`, for writing."""
    values: dict[str, Any] = {name: getattr(case, name) for name in ROW_FIELDS}
    values["targets"], values["labels_given"] = list(case.targets), list(case.labels_given)
    values["extra"] = dict(case.extra)
    return tuple(values[name] for name in ROW_FIELDS)


def provenance_text(provenance: dict[str, Any]) -> str:
    return json_text(provenance) if provenance else ""


def release_head(release: Release) -> ReleaseHead:
    """What is true of the release as a whole."""
    suite = release.suite
    return ReleaseHead(
        suite=suite.key,
        version=release.version,
        title=release.title or suite.name,
        created=(release.published_at or release.built_at or release.created_at).date().isoformat(),
        description=suite.description,
        licence=suite.licence or "CC-BY-4.0",
        authors=_authors(suite.authors),
        labels=tuple(suite.labels),
        policy=release.policy,  # type: ignore[arg-type]
        min_agree=release.min_agree,
        raters=suite.raters,
        cascade=release.cascade,  # type: ignore[arg-type]
    )


def _authors(names: Iterable[Any]) -> tuple[Author, ...]:
    return tuple(Author(**name) if isinstance(name, dict) else Author(name=str(name)) for name in names)
