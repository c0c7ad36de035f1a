"""Which rows of different files are the same word, where nothing but the group and the spelling tells."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from rapidfuzz.fuzz import ratio


class TokenLike(Protocol):
    @property
    def features(self) -> str: ...
    @property
    def perturbation(self) -> str: ...


class CellLike(Protocol):
    @property
    def token(self) -> TokenLike: ...
    @property
    def features(self) -> str: ...
    @property
    def text(self) -> str: ...


AnyCell = TypeVar("AnyCell", bound=CellLike)


@dataclass(frozen=True, slots=True)
class Row(Generic[AnyCell]):
    """A word's forms in one row of one file. `fixed` names the word where one row holds all of its forms."""

    file: str
    number: int
    target: str
    cells: tuple[AnyCell, ...]
    fixed: str | None


def align(rows: Sequence[Row[AnyCell]]) -> list[list[Row[AnyCell]]]:
    """Rows grouped by word, in the order of the fullest file.

    Files of the same shape (a spelling variant beside its original) go together row by row where the groups agree;
    other rows join the word of their group that is spelt most alike. A row whose group has no word left is a new word.
    """
    if all(row.fixed is not None for row in rows):
        return [[row] for row in rows]
    files: dict[str, list[Row[AnyCell]]] = {}
    for row in rows:
        files.setdefault(row.file, []).append(row)
    order = sorted(files, key=lambda name: _rank(files[name]))
    words: list[list[Row[AnyCell]]] = []
    placed: dict[str, list[list[Row[AnyCell]]]] = {}
    for name in order:
        placed[name] = _place(files[name], words, files, placed)
    return words


def _rank(rows: list[Row[AnyCell]]) -> tuple[bool, int, bool]:
    token = rows[0].cells[0].token
    return bool(token.perturbation), -len(rows), "Number=Sing" not in token.features


def _place(
    rows: list[Row[AnyCell]],
    words: list[list[Row[AnyCell]]],
    files: dict[str, list[Row[AnyCell]]],
    placed: dict[str, list[list[Row[AnyCell]]]],
) -> list[list[Row[AnyCell]]]:
    twin = _unperturbed_twin(rows, files, placed)
    chosen: dict[int, list[Row[AnyCell]]] = {}
    if twin is not None:
        for place, (row, word) in enumerate(zip(rows, placed[twin], strict=True)):
            if row.target == word[0].target:
                chosen[place] = word
    taken = {id(word) for word in chosen.values()}
    pairs = sorted(
        (
            (-_likeness(row, word), place, index)
            for place, row in enumerate(rows)
            if place not in chosen
            for index, word in enumerate(words)
            if word[0].target == row.target
        ),
    )
    for _, place, index in pairs:
        if place not in chosen and id(words[index]) not in taken:
            chosen[place] = words[index]
            taken.add(id(words[index]))
    for place, row in enumerate(rows):
        if place in chosen:
            chosen[place].append(row)
        else:
            chosen[place] = [row]
            words.append(chosen[place])
    return [chosen[place] for place in range(len(rows))]


def _unperturbed_twin(
    rows: list[Row[AnyCell]], files: dict[str, list[Row[AnyCell]]], placed: dict[str, list[list[Row[AnyCell]]]]
) -> str | None:
    token = rows[0].cells[0].token
    if not token.perturbation:
        return None
    for name in placed:
        other = files[name][0].cells[0].token
        if not other.perturbation and other.features == token.features and len(files[name]) == len(rows):
            return name
    return None


def _likeness(row: Row[AnyCell], word: list[Row[AnyCell]]) -> float:
    mine = _squeezed(row)
    return max(ratio(mine, _squeezed(other)) for other in word)


def _squeezed(row: Row[AnyCell]) -> str:
    return row.cells[0].text.replace(" ", "").lower()
