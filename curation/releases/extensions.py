"""What other apps add to a release: facts about its suite, and the history of a case. No import points up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from accounts.models import User
    from curation.models import ReleaseCase, Suite


@dataclass(frozen=True, slots=True)
class Cell:
    """A text, perhaps with a link. `is_label` shows it as labels are shown, `is_text` covers it as cases are."""

    text: str
    url: str = ""
    is_label: bool = False
    is_text: bool = False


@dataclass(frozen=True, slots=True)
class LineageTable:
    """One part of a case's history. `empty` says what it means that there are no rows."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    empty: str = ""
    note: str = ""


class LineageSource(Protocol):
    """Parts of a case's history that the viewer may see; people only by pseudonym."""

    def __call__(self, case: ReleaseCase, *, viewer: User | AnonymousUser) -> Iterable[LineageTable]: ...


_histories: dict[str, tuple[int, LineageSource]] = {}


def register_lineage(name: str, source: LineageSource, *, order: int) -> None:
    """Make a source known under a name; the same name again replaces it. Lower order comes first."""
    _histories[name] = (order, source)


def collect_lineage(case: ReleaseCase, *, viewer: User | AnonymousUser) -> list[LineageTable]:
    """Return all parts, in the order of their sources."""
    ordered = sorted(_histories.items(), key=lambda item: (item[1][0], item[0]))
    return [table for _, (_, source) in ordered for table in source(case, viewer=viewer)]


class FactSource(Protocol):
    """Facts about a suite as plain JSON values, computed when a release is previewed or built."""

    def __call__(self, suite: Suite) -> Mapping[str, Any]: ...


_facts: dict[str, FactSource] = {}


def register_facts(name: str, source: FactSource) -> None:
    """Make a source known under a name; the same name again replaces it."""
    _facts[name] = source


def collect_facts(suite: Suite) -> dict[str, dict[str, Any]]:
    """Everything known, by the name of its source."""
    return {name: dict(source(suite)) for name, source in sorted(_facts.items())}
