"""The parts of a bundle, and the registry through which apps add theirs."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any

from django.utils.dateparse import parse_datetime

from accounts.models import User
from core.text import Text
from curation.bundles.rows import Row
from curation.models import Functionality, Language, Suite, TargetGroup

Target = tuple[str, str]  # code of the language, name


@dataclass(slots=True)
class Scope:
    """What belongs to a suite: what is written of it, or what an instance already has of what a bundle holds."""

    suite: Suite | None
    languages: set[str] = field(default_factory=set)
    functionalities: set[str] = field(default_factory=set)
    targets: set[Target] = field(default_factory=set)
    groups: set[str] = field(default_factory=set)
    with_labels: bool = False


@dataclass
class Place:
    """Where the rows of a bundle go."""

    suite_key: str
    by: User | None
    at: datetime

    @cached_property
    def suite(self) -> Suite:
        return Suite.objects.get(key=self.suite_key)

    @cached_property
    def languages(self) -> dict[str, Language]:
        return {language.code: language for language in Language.objects.all()}

    @cached_property
    def functionalities(self) -> dict[str, Functionality]:
        return {functionality.key: functionality for functionality in Functionality.objects.all()}

    @cached_property
    def targets(self) -> dict[Target, TargetGroup]:
        rows = TargetGroup.objects.select_related("language")
        return {(target.language.code, target.name): target for target in rows}


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One file of a bundle.

    `rows` gives what an instance has in a scope, in a stable order; `key` names the fields by which rows are told
    apart. `add` stores rows that are new, `replace` overwrites rows that differ; a part without it keeps what is there.
    """

    name: str
    title: Text
    row: type[Row]
    key: tuple[str, ...]
    rows: Callable[[Scope], Iterable[Any]]
    add: Callable[[Place, Sequence[Any]], None]
    replace: Callable[[Place, Sequence[Any]], None] | None = None
    holds_labels: bool = False

    def key_of(self, row: Row) -> tuple[Any, ...]:
        return tuple(getattr(row, name) for name in self.key)

    @property
    def file(self) -> str:
        return f"{self.name}.jsonl"


_parts: list[Part] = []


def register_parts(*parts: Part) -> None:
    """Add parts after those of the apps below; registering twice changes nothing."""
    _parts.extend(part for part in parts if part not in _parts)


def all_parts() -> tuple[Part, ...]:
    """Return the parts in the order in which they are stored: each refers to earlier ones only."""
    from curation.bundles import cases, catalogue, lexicon, templates

    own = (*catalogue.PARTS, *lexicon.PARTS, *templates.PARTS, *cases.PARTS)
    return (*own, *(part for part in _parts if part not in own))


def written_moment(moment: datetime | None) -> str:
    """Return a moment as bundles hold it."""
    return moment.isoformat() if moment else ""


def read_moment(text: str) -> datetime | None:
    """Return the moment that a bundle holds; None for none."""
    return parse_datetime(text) if text else None
