"""What other apps know about one case of a release: votes, decisions, how models did. No import points up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from accounts.models import User
    from curation.models import ReleaseCase


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


_sources: dict[str, tuple[int, LineageSource]] = {}


def register_lineage(name: str, source: LineageSource, *, order: int) -> None:
    """Make a source known under a name; the same name again replaces it. Lower order comes first."""
    _sources[name] = (order, source)


def collect_lineage(case: ReleaseCase, *, viewer: User | AnonymousUser) -> list[LineageTable]:
    """All parts, in the order of their sources."""
    ordered = sorted(_sources.items(), key=lambda item: (item[1][0], item[0]))
    return [table for _, (_, source) in ordered for table in source(case, viewer=viewer)]
