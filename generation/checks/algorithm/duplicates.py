"""Exact and near duplicates in nearly linear time.

Texts are compared only when their MinHash signatures share a band, and then exactly, by edit similarity. A text that
is a duplicate is not compared with later ones, so that a thousand copies cost a thousand comparisons, not a million.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import regex

if TYPE_CHECKING:
    import numpy

_NOT_LETTERS = regex.compile(r"[^\p{L}\p{M}\p{N}]+")
_BANDS, _ROWS = 28, 3
_SHINGLE = 3
_PRIME = (1 << 31) - 1
# A band shared by very many texts tells nothing: only its first members are compared.
_MOST_IN_BAND = 200


@dataclass(frozen=True, slots=True)
class Duplicate:
    """A text repeats another one: exactly (similarity 1 after normalising) or nearly."""

    other: str
    similarity: float
    is_exact: bool


def normalise(text: str) -> str:
    """Return a text without regard to case, punctuation, width of characters and blanks."""
    return str(_NOT_LETTERS.sub(" ", unicodedata.normalize("NFKC", text).casefold())).strip()


class DuplicateIndex:
    """Texts seen so far; each new one is compared with those like it.

    `similarity` is the share of letters that stay in place between two texts (0 to 1) from which they count as near.
    Near duplicates are looked for within a group: the same sentence about two groups is wanted, and leaving the second
    one out would leave some groups with fewer texts than others. Refuses a similarity outside 0.5 to 1.
    """

    def __init__(self, *, similarity: float = 0.9) -> None:
        if not 0.5 <= similarity <= 1:
            raise ValueError("near duplicates are looked for from a similarity of 0.5 to 1")
        self.similarity = similarity
        self._exact: dict[str, str] = {}
        self._bands: dict[tuple[str, int, bytes], list[int]] = {}
        self._texts: list[tuple[str, str]] = []

    def add_all(self, texts: Iterable[tuple[str, str]], *, group: str = "") -> None:
        """Add texts of a group to compare with, as (key, text), without looking for duplicates among them."""
        for key, text in texts:
            plain = normalise(text)
            if plain not in self._exact:
                self._exact[plain] = key
                self._remember(key, plain, _signature(plain), group)

    def find(self, text: str, *, group: str = "") -> Duplicate | None:
        """Return the text that this one repeats, if any; nothing is remembered."""
        plain = normalise(text)
        if plain in self._exact:
            return Duplicate(self._exact[plain], 1.0, is_exact=True)
        return self._nearest(plain, _signature(plain), group)

    def look_up(self, key: str, text: str, *, group: str = "") -> Duplicate | None:
        """Return the text that this one repeats, if any; otherwise remember it."""
        plain = normalise(text)
        if plain in self._exact:
            return Duplicate(self._exact[plain], 1.0, is_exact=True)
        signature = _signature(plain)
        found = self._nearest(plain, signature, group)
        self._exact[plain] = key if found is None else found.other
        if found is None:
            self._remember(key, plain, signature, group)
        return found

    def _remember(self, key: str, plain: str, signature: Sequence[bytes], group: str) -> None:
        number = len(self._texts)
        self._texts.append((key, plain))
        for band, part in enumerate(signature):
            members = self._bands.setdefault((group, band, part), [])
            if len(members) < _MOST_IN_BAND:
                members.append(number)

    def _nearest(self, plain: str, signature: Sequence[bytes], group: str) -> Duplicate | None:
        from rapidfuzz import process
        from rapidfuzz.distance import Indel

        bands = ((group, band, part) for band, part in enumerate(signature))
        alike = sorted({number for place in bands for number in self._bands.get(place, ())})
        others = [self._texts[number][1] for number in alike]
        scorer = Indel.normalized_similarity
        found = process.extractOne(plain, others, scorer=scorer, processor=None, score_cutoff=self.similarity)
        if found is None:
            return None
        _, similarity, position = found
        return Duplicate(self._texts[alike[position]][0], float(similarity), is_exact=False)


def _signature(plain: str) -> list[bytes]:
    import zlib

    import numpy as np

    compact = plain.replace(" ", "")
    pieces = {compact[i : i + _SHINGLE] for i in range(max(1, len(compact) - _SHINGLE + 1))}
    hashes = np.fromiter((zlib.crc32(piece.encode()) % _PRIME for piece in pieces), dtype=np.uint64, count=len(pieces))
    factors, offsets = _permutations()
    smallest = ((hashes[:, None] * factors + offsets) % _PRIME).min(axis=0).astype(np.uint32)
    return [smallest[start : start + _ROWS].tobytes() for start in range(0, _BANDS * _ROWS, _ROWS)]


@lru_cache(maxsize=1)
def _permutations() -> tuple[numpy.ndarray[Any, Any], numpy.ndarray[Any, Any]]:
    import numpy as np

    chance = np.random.default_rng(20210601)
    size = _BANDS * _ROWS
    return (
        chance.integers(1, _PRIME, size=size, dtype=np.uint64),
        chance.integers(0, _PRIME, size=size, dtype=np.uint64),
    )
