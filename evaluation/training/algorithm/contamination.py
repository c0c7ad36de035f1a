"""Which texts of a training set are test cases, word for word or nearly."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

WORD = re.compile(r"\w+")
SHINGLE = 3  # words that are compared together
FEWEST_WORDS = 5  # of a case that is searched for in longer texts: shorter ones occur by chance


@dataclass(frozen=True, slots=True)
class Leak:
    """A row of the training set that holds a case; a similarity of 1.0 is the whole case."""

    row: int
    case: str
    similarity: float
    is_exact: bool


def words_in(text: str) -> tuple[str, ...]:
    """Return the words of a text without case, punctuation and compatibility forms."""
    return tuple(WORD.findall(unicodedata.normalize("NFKC", text).casefold()))


class CaseIndex:
    """The cases of a release, ready to be found in many texts."""

    def __init__(self, cases: Mapping[str, str]) -> None:
        self._exact: dict[tuple[str, ...], list[str]] = {}
        self._shingles: dict[str, int] = {}
        self._having: dict[tuple[str, ...], list[str]] = {}
        for key, text in cases.items():
            words = words_in(text)
            if not words:
                continue
            self._exact.setdefault(words, []).append(key)
            shingles = _shingles(words)
            if len(words) >= FEWEST_WORDS:
                self._shingles[key] = len(shingles)
                for shingle in shingles:
                    self._having.setdefault(shingle, []).append(key)

    def find(self, row: int, text: str, *, similarity: float) -> Iterator[Leak]:
        """Yield the cases that a text is, or that it holds at least that share of."""
        words = words_in(text)
        exact = self._exact.get(words, [])
        yield from (Leak(row, key, 1.0, is_exact=True) for key in exact)
        shared: dict[str, int] = {}
        for shingle in _shingles(words):
            for key in self._having.get(shingle, ()):
                shared[key] = shared.get(key, 0) + 1
        for key, count in shared.items():
            share = count / self._shingles[key]
            if share >= similarity and key not in exact:
                yield Leak(row, key, share, is_exact=False)


def find_leaks(rows: Iterable[tuple[int, str]], cases: Mapping[str, str], *, similarity: float) -> list[Leak]:
    """Return every row that holds a case, in order of the rows; the closest case of a row first."""
    index = CaseIndex(cases)
    return [
        leak for row, text in rows for leak in sorted(index.find(row, text, similarity=similarity), key=_closest_first)
    ]


def _closest_first(leak: Leak) -> tuple[bool, float, str]:
    return not leak.is_exact, -leak.similarity, leak.case


def _shingles(words: Sequence[str]) -> set[tuple[str, ...]]:
    return {tuple(words[place : place + SHINGLE]) for place in range(len(words) - SHINGLE + 1)}
