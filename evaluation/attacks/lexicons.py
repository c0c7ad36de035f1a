"""Lists of offensive lemmas: words a Corr N->N attack must not append. Any file in HurtLex's format can be read."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from curation.formats.values import Problem

COLUMNS = ("id", "pos", "category", "stereotype", "lemma", "level")
LEVELS = ("conservative", "inclusive")


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Lemmas in small letters, and what was wrong in the file."""

    lemmas: frozenset[str]
    problems: tuple[Problem, ...] = ()


def read_hurtlex(path: str | Path, *, levels: Collection[str] = LEVELS) -> Lexicon:
    """The lemmas of a HurtLex file (tab-separated, no quoting) at the given levels.

    A missing column or a short row is a located problem; a level that does not exist is refused.
    """
    unknown = sorted(set(levels) - set(LEVELS))
    if unknown:
        raise ValueError(f"HurtLex has no level {', '.join(unknown)}; choose from {', '.join(LEVELS)}")
    path = Path(path)
    lines = path.read_text(encoding="utf-8-sig").split("\n")
    header = lines[0].rstrip("\r").split("\t")
    missing = [name for name in ("lemma", "level") if name not in header]
    if missing:
        fix = f"A HurtLex file begins with: {', '.join(COLUMNS)} (separated by tabs)."
        return Lexicon(frozenset(), (Problem(path.name, 1, missing[0], f"no column '{missing[0]}'", fix),))
    lemma_at, level_at = header.index("lemma"), header.index("level")
    lemmas: set[str] = set()
    problems: list[Problem] = []
    for row, line in enumerate(lines[1:], start=2):
        cells = line.rstrip("\r").split("\t")
        if len(cells) <= max(lemma_at, level_at):
            if line.strip():
                problem = f"the row has {len(cells)} cells, the header {len(header)}"
                problems.append(Problem(path.name, row, None, problem, "Separate the cells by tabs."))
            continue
        if cells[level_at] in levels and cells[lemma_at].strip():
            lemmas.add(cells[lemma_at].strip().lower())
    return Lexicon(frozenset(lemmas), tuple(problems))


@lru_cache(maxsize=65536)
def lemma_of(word: str, language: str) -> str:
    """The dictionary form of a word; the word itself where the language has no lemma list."""
    import simplemma

    try:
        return simplemma.lemmatize(word, lang=language.split("-")[0]).lower()
    except (ValueError, TypeError):
        return word


def without_offensive(words: Iterable[str], *, lexicon: frozenset[str], language: str) -> list[str]:
    """The words whose surface and lemma are both outside the lexicon, in the same order."""
    return [word for word in words if word not in lexicon and lemma_of(word, language) not in lexicon]
