"""Some thousand cases at a time, column by column: what repeats is worked out once, and the loops are C's.

Writing case by case takes three times as long.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any

from core.batches import in_batches
from core.text import _
from curation.fields import FIELDS, NAMES, OPTIONAL, TARGET_SEPARATOR, Kind
from curation.publishing.errors import PublishingError
from curation.publishing.values import FrozenCase

Column = Sequence[Any]
Row = tuple[Any, ...]

SIZE = 2_000
DIFFERENT_EACH_TIME = frozenset({"key", "text"})
values_of: Callable[[FrozenCase], Row] = attrgetter(*NAMES)


class Block:
    """Cases in a fixed order: one column per field of `curation.fields`, and their checksums."""

    __slots__ = ("columns", "sha256")

    def __init__(self, columns: Mapping[str, Column], sha256: Sequence[str] = ()) -> None:
        self.columns = columns
        self.sha256 = sha256

    @classmethod
    def of_rows(cls, rows: Iterable[Row], sha256: Sequence[str] = ()) -> Block:
        """From the values of each case, in the order of its fields; at least one."""
        return cls(dict(zip(NAMES, zip(*rows, strict=True), strict=True)), sha256)

    def __getitem__(self, field: str) -> Column:
        return self.columns[field]

    def __len__(self) -> int:
        return len(self.columns["key"])

    @property
    def has_optional(self) -> bool:
        """Whether any case has a value in an optional field."""
        return any(any(self.columns[field.name]) for field in OPTIONAL)

    def rows(self) -> Iterator[Row]:
        return zip(*self.columns.values(), strict=True)

    def cases(self) -> Iterator[FrozenCase]:
        return (FrozenCase(**dict(zip(self.columns, row, strict=True))) for row in self.rows())

    def by_language(self) -> Iterator[tuple[str, Block]]:
        """Yield the cases of each language, in order; mostly there is only one."""
        languages = self.columns["language"]
        found = dict.fromkeys(languages)
        if len(found) == 1:
            yield languages[0], self
            return
        for language in found:
            here = [place for place, code in enumerate(languages) if code == language]
            columns = {name: [column[place] for place in here] for name, column in self.columns.items()}
            yield language, Block(columns, [self.sha256[place] for place in here] if self.sha256 else ())


def in_blocks(cases: Iterable[FrozenCase], size: int = SIZE) -> Iterator[Block]:
    """Yield all cases, a block at a time, without checksums."""
    for some in in_batches(cases, size):
        yield Block.of_rows(map(values_of, some))


class Memo(dict[Any, Any]):
    """Remembers what a function made of a value. Forgets everything when it knows too much, so that memory is flat."""

    def __init__(self, function: Callable[[Any], Any], limit: int = 20_000) -> None:
        super().__init__()
        self._function = function
        self._limit = limit

    def __missing__(self, value: Any) -> Any:
        if len(self) >= self._limit:
            self.clear()
        made = self[value] = self._function(value)
        return made

    def all(self, column: Column) -> list[Any]:
        return list(map(self.__getitem__, column))


class Spelling:
    """How each kind of field is written somewhere."""

    def __init__(
        self,
        *,
        text: Callable[[str], str],
        labels: Callable[[tuple[str, ...]], str],
        flag: Callable[[bool | None], str],
        extra: Callable[[tuple[tuple[str, str], ...]], str],
    ) -> None:
        self._text = text
        self._by_kind = {
            Kind.TEXT: Memo(text),
            Kind.GROUPS: Memo(lambda targets: text(join_targets(targets))),
            Kind.LABELS: Memo(labels),
            Kind.FLAG: Memo(flag),
            Kind.COLUMNS: Memo(extra),
        }
        self._by_kind[Kind.KEY] = self._by_kind[Kind.TEXT]

    def columns(self, block: Block) -> dict[str, list[str]]:
        """Return every column of a file, written out."""
        return {
            field.column: list(map(self._text, block[field.name]))
            if field.name in DIFFERENT_EACH_TIME
            else self._by_kind[field.kind].all(block[field.name])
            for field in FIELDS
        }


def join_targets(targets: tuple[str, ...]) -> str:
    """Groups as one text. Refuses what could not be taken apart again."""
    if any(not target or ";" in target for target in targets):
        raise PublishingError(_("a target group must have a name without ';', got %(groups)s", groups=list(targets)))
    return TARGET_SEPARATOR.join(targets)
