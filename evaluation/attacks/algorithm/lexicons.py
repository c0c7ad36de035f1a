"""Lists of offensive lemmas: words a Corr N->N attack must not append. Any file in HurtLex's format can be read."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from core.tables.problems import Problem
from core.tables.reading import read_table

COLUMNS = ("id", "pos", "category", "stereotype", "lemma", "level")
LEVELS = ("conservative", "inclusive")


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Lemmas in small letters, and what was wrong in the file."""

    lemmas: frozenset[str]
    problems: tuple[Problem, ...] = ()


def read_hurtlex(path: str | Path, *, levels: Collection[str] = LEVELS, name: str | None = None) -> Lexicon:
    """Return the lemmas of a HurtLex file (tab-separated, no quoting) at the given levels.

    What is wrong with the file is in `problems`; a level that does not exist is refused.
    """
    unknown = sorted(set(levels) - set(LEVELS))
    if unknown:
        raise ValueError(f"HurtLex has no level {', '.join(unknown)}; choose from {', '.join(LEVELS)}")
    table = read_table(Path(path), required=("lemma", "level"), optional=COLUMNS, name=name, quoted=False)
    rows = [row for _, row in table.records()] if table.readable else []
    lemmas = {row["lemma"].strip().lower() for row in rows if row["level"].strip() in levels}
    return Lexicon(frozenset(lemmas - {""}), tuple(table.problems))


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
