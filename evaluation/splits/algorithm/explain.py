"""Why a split is hard: the surface properties of its parts, and which of them go along with the drop in F1."""

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Self

from core.statistics.significance import holm
from core.text import _
from evaluation.attacks.algorithm.tokens import words_of
from evaluation.splits.algorithm import surface
from evaluation.splits.algorithm.values import Split

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Properties:
    """The numbers of one split, as in appendix E.1 of the paper; None where a value is undefined.

    The length is that of the test texts in characters; the difference is test minus training.
    """

    unigram_overlap: float | None = None
    test_length: float | None = None
    rare_words_difference: float | None = None
    under_represented_keywords: Mapping[str, float] = field(default_factory=dict)
    under_represented_groups: Mapping[str, float] = field(default_factory=dict)
    source_divergence: float | None = None

    def numbers(self) -> dict[str, float | None]:
        """Return one number per property, for correlations: lists of under-represented values count by their length."""
        values: dict[str, float | None] = {}
        for name, value in asdict(self).items():
            values[name] = float(len(value)) if isinstance(value, dict) else value
        return values


def describe_split(
    split: Split,
    texts: Sequence[str],
    *,
    language: str = "en",
    keywords: Sequence[str] = (),
    groups: Sequence[str] | None = None,
    sources: Sequence[str] | None = None,
    progress: Progress | None = None,
) -> Properties:
    """Measure a split; `groups` (cells as `parse_groups` reads them) and `sources` are columns of the data set."""
    report = progress or (lambda step, done, total: None)
    train, test = [texts[row] for row in split.train], [texts[row] for row in split.test]
    report("overlap", 0, 4)
    overlap = surface.unigram_overlap(train, test, language=language)
    report("words", 1, 4)
    length = surface.mean_length(test)
    rare = _difference(
        surface.rare_word_share(test, language=language), surface.rare_word_share(train, language=language)
    )
    report("keywords", 2, 4)
    words = {keyword.lower() for keyword in keywords}
    scarce_words = surface.under_represented(*(_having(part, words) for part in (train, test))) if words else {}
    report("groups", 3, 4)
    scarce_groups: dict[str, float] = {}
    if groups is not None:
        cells = [parse_groups(cell) for cell in groups]
        scarce_groups = surface.under_represented(
            [cells[row] for row in split.train], [cells[row] for row in split.test]
        )
    divergence = None
    if sources is not None:
        divergence = surface.source_divergence(
            [sources[row] for row in split.train], [sources[row] for row in split.test]
        )
    report("done", 4, 4)
    return Properties(overlap, length, rare, scarce_words, scarce_groups, divergence)


def parse_groups(cell: str) -> frozenset[str]:
    """Return the groups of a cell: a Python set or list as text, or names separated by commas or semicolons.

    "None" is how HateXplain writes that a text is about no group.
    """
    text = "" if cell.strip() == "set()" else cell.strip()
    names: Iterable[str] | None = None
    if text.startswith(("{", "[", "(")):
        try:
            names = [str(name) for name in ast.literal_eval(text)]
        except (ValueError, SyntaxError, TypeError):
            text = text.strip("{}[]()")
    if names is None:
        names = text.replace(";", ",").split(",")
    return frozenset(name.strip() for name in names if name.strip().lower() not in ("", "none"))


@dataclass(frozen=True, slots=True)
class Correlation:
    """Pearson's r between a property and the drop over `n` splits; None with the reason where it is undefined.

    `p_holm` is corrected for the number of properties.
    """

    r: float | None
    p: float | None
    n: int
    reason: str = ""
    p_holm: float | None = None

    @classmethod
    def of(cls, values: Sequence[float | None], drops: Sequence[float]) -> Self:
        """Return the correlation of the splits that have a value."""
        pairs = [(value, drop) for value, drop in zip(values, drops, strict=True) if value is not None]
        if len(pairs) < 3:
            return cls(None, None, len(pairs), _("At least three splits are needed."))
        if len({value for value, _ in pairs}) < 2 or len({drop for _, drop in pairs}) < 2:
            return cls(None, None, len(pairs), _("All values are equal."))
        from scipy.stats import pearsonr

        result = pearsonr([value for value, _ in pairs], [drop for _, drop in pairs])
        return cls(float(result.statistic), float(result.pvalue), len(pairs))


def correlate_with_drop(properties: Sequence[Properties], drops: Sequence[float]) -> dict[str, Correlation]:
    """Return how each property goes along with the drop in F1 against the random split, one pair per split.

    Refuses unequal numbers of splits and drops.
    """
    if len(properties) != len(drops):
        raise ValueError(f"{len(properties)} splits but {len(drops)} drops")
    table = [one.numbers() for one in properties]
    found = {name: Correlation.of([row[name] for row in table], drops) for name in (table[0] if table else ())}
    corrected = holm({name: one.p for name, one in found.items() if one.p is not None})
    return {name: replace(one, p_holm=corrected.get(name)) for name, one in found.items()}


def _difference(first: float | None, second: float | None) -> float | None:
    return None if first is None or second is None else first - second


def _having(texts: Sequence[str], wanted: set[str]) -> list[frozenset[str]]:
    return [frozenset(wanted.intersection(words_of(text))) for text in texts]
