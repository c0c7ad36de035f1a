"""Some thousand cases at a time, column by column: what repeats is worked out once, and the loops are C's.

Writing case by case takes three times as long.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from itertools import islice
from operator import attrgetter
from typing import Any

from curation.publishing.errors import PublishingError
from curation.publishing.values import FrozenCase

Column = Sequence[Any]
Row = tuple[Any, ...]

SIZE = 2_000
TARGET_SEPARATOR = "; "
VALUE_FIELDS: tuple[str, ...] = tuple(field.name for field in fields(FrozenCase))
# the columns of every file, in their order, and where their values come from
SOURCES: Mapping[str, str] = {
    "case_id": "key",
    "functionality": "functionality",
    "test_case": "text",
    "label_gold": "label",
    "target_ident": "targets",
    "direction": "direction",
    "focus_words": "focus_words",
    "focus_lemma": "focus_lemma",
    "ref_case_id": "refers_to",
    "ref_templ_id": "refers_to_template",
    "templ_id": "template",
    "case_templ": "template_text",
    "language": "language",
    "functionality_class": "functionality_class",
    "origin": "origin",
    "label_annotated": "labels_given",
    "label_annotated_maj": "majority",
    "disagreement_in_case": "disagreement_in_case",
    "disagreement_in_template": "disagreement_in_template",
    "provenance": "provenance",
    "extra": "extra",
}
DIFFERENT_EACH_TIME = frozenset({"key", "text"})
values_of: Callable[[FrozenCase], Row] = attrgetter(*VALUE_FIELDS)


class Block:
    """Cases in a fixed order: one column per field of `FrozenCase`, and their checksums."""

    __slots__ = ("columns", "sha256")

    def __init__(self, columns: Mapping[str, Column], sha256: Sequence[str] = ()) -> None:
        self.columns = columns
        self.sha256 = sha256

    @classmethod
    def of_rows(cls, rows: Iterable[Row], sha256: Sequence[str] = ()) -> Block:
        """From the values of each case, in the order of its fields; at least one."""
        return cls(dict(zip(VALUE_FIELDS, zip(*rows, strict=True), strict=True)), sha256)

    def __getitem__(self, field: str) -> Column:
        return self.columns[field]

    def __len__(self) -> int:
        return len(self.columns["key"])

    def rows(self) -> Iterator[Row]:
        return zip(*self.columns.values(), strict=True)

    def cases(self) -> Iterator[FrozenCase]:
        return (FrozenCase(*row) for row in self.rows())

    def by_language(self) -> Iterator[tuple[str, Block]]:
        """The cases of each language, in order; mostly there is only one."""
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
    """All cases, a block at a time, without checksums."""
    rest = iter(cases)
    while some := list(islice(rest, size)):
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
        self._texts = Memo(text)
        flags = Memo(flag)
        self._others = {
            "targets": Memo(lambda targets: text(join_targets(targets))),
            "labels_given": Memo(labels),
            "disagreement_in_case": flags,
            "disagreement_in_template": flags,
            "extra": Memo(extra),
        }

    def columns(self, block: Block) -> dict[str, list[str]]:
        """Every column of a file, written out."""
        return {name: self._column(source, block[source]) for name, source in SOURCES.items()}

    def _column(self, field: str, values: Column) -> list[str]:
        if field in DIFFERENT_EACH_TIME:
            return list(map(self._text, values))
        return self._others.get(field, self._texts).all(values)


def join_targets(targets: tuple[str, ...]) -> str:
    """Groups as one text. Refuses what could not be taken apart again."""
    if any(not target or ";" in target for target in targets):
        raise PublishingError(f"a target group must have a name without ';', got {targets}")
    return TARGET_SEPARATOR.join(targets)
