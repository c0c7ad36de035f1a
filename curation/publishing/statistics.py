"""What a release consists of, in figures: counts, lengths, balance. Taken block by block: memory stays flat."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Any

from curation.publishing.blocks import Block, in_blocks
from curation.publishing.groups import GroupNames, groups_of
from curation.publishing.values import FrozenCase

# languages written without blanks between words: the number of words is undefined there, not one
WITHOUT_BLANKS = frozenset({"zh", "ja", "th", "lo", "km", "my"})


@dataclass(slots=True)
class Moments:
    """Mean and sample standard deviation of whole numbers, exact in the sums."""

    n: int = 0
    total: int = 0
    squares: int = 0
    smallest: int | None = None
    largest: int | None = None

    def add(self, values: Sequence[int]) -> None:
        if not values:
            return
        self.n += len(values)
        self.total += sum(values)
        self.squares += sum([value * value for value in values])
        self.smallest = min(values) if self.smallest is None else min(self.smallest, min(values))
        self.largest = max(values) if self.largest is None else max(self.largest, max(values))

    @property
    def mean(self) -> float | None:
        """None if nothing was measured."""
        return self.total / self.n if self.n else None

    @property
    def sd(self) -> float | None:
        """Sample standard deviation (n - 1); None for fewer than two values."""
        if self.n < 2:
            return None
        return sqrt((self.n * self.squares - self.total * self.total) / (self.n * (self.n - 1)))

    def as_json(self) -> dict[str, Any]:
        return {
            "n": self.n,
            "total": self.total,
            "squares": self.squares,
            "mean": _rounded(self.mean),
            "sd": _rounded(self.sd),
            "min": self.smallest,
            "max": self.largest,
        }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


@dataclass(slots=True)
class Statistics:
    """Figures of a release. Words are what blanks separate; characters are Unicode code points."""

    cases: int = 0
    by_label: Counter[str] = field(default_factory=Counter)
    by_language: Counter[str] = field(default_factory=Counter)
    by_functionality: Counter[str] = field(default_factory=Counter)
    by_class: Counter[str] = field(default_factory=Counter)
    by_group: Counter[str] = field(default_factory=Counter)
    by_origin: Counter[str] = field(default_factory=Counter)
    by_perturbation_set: Counter[str] = field(default_factory=Counter)
    contrast_sets: set[str] = field(default_factory=set)
    groups_by_language: dict[str, Counter[str]] = field(default_factory=dict)
    words: Moments = field(default_factory=Moments)
    characters: Moments = field(default_factory=Moments)
    without_target: int = 0
    with_disagreement: int = 0
    templates: set[str] = field(default_factory=set)  # language and key in one text, which takes less memory than two
    groups: GroupNames = field(default_factory=dict)  # which groups the targets stand for

    def add(self, block: Block) -> None:
        texts, targets = block["text"], block["targets"]
        self.cases += len(block)
        for language, part in block.by_language():
            self._add_language(language, part)
        self.by_label.update(block["label"])
        self.by_functionality.update(block["functionality"])
        self.by_class.update(block["functionality_class"])
        self.by_origin.update(block["origin"])
        self.by_perturbation_set.update(filter(None, block["perturbation_set"]))
        self.contrast_sets.update(filter(None, block["contrast_set"]))
        self.characters.add([len(text) for text in texts])
        self.without_target += targets.count(())
        self.with_disagreement += block["disagreement_in_case"].count(True)

    def _add_language(self, language: str, block: Block) -> None:
        self.by_language[language] += len(block)
        if language.split("-")[0] not in WITHOUT_BLANKS:
            self.words.add([len(text.split()) for text in block["text"]])
        for targets, times in Counter(block["targets"]).items():
            for group in groups_of(targets, language, self.groups):
                self.by_group[group] += times
                self.groups_by_language.setdefault(language, Counter())[group] += times
        self.templates.update([f"{language} {template}" for template in set(block["template"]) if template])

    def label_shares(self) -> dict[str, float]:
        """Share of each label; empty where there is no case."""
        return {label: count / self.cases for label, count in sorted(self.by_label.items())}

    def group_balance(self) -> dict[str, float | None]:
        """Per language, the smallest group's count over the largest one's: 1 is even, None if there is only one."""
        return {
            language: min(counts.values()) / max(counts.values()) if len(counts) > 1 else None
            for language, counts in sorted(self.groups_by_language.items())
        }

    def as_json(self) -> dict[str, Any]:
        """Everything as plain JSON values, names sorted."""
        return {
            "cases": self.cases,
            "templates": len(self.templates),
            "by_label": _sorted(self.by_label),
            "label_shares": {label: round(share, 6) for label, share in self.label_shares().items()},
            "by_language": _sorted(self.by_language),
            "by_functionality": _sorted(self.by_functionality),
            "by_class": _sorted(self.by_class),
            "by_group": _sorted(self.by_group),
            "by_origin": _sorted(self.by_origin),
            "groups_by_language": {code: _sorted(counts) for code, counts in sorted(self.groups_by_language.items())},
            "group_balance": {code: _rounded(value) for code, value in self.group_balance().items()},
            "without_target": self.without_target,
            "with_disagreement": self.with_disagreement,
            "words": self.words.as_json(),
            "characters": self.characters.as_json(),
            **self._sets(),
        }

    def _sets(self) -> dict[str, Any]:
        """Return the figures about contrast sets; nothing for a release without them."""
        said = {"contrast_sets": len(self.contrast_sets), "by_perturbation_set": _sorted(self.by_perturbation_set)}
        return {name: value for name, value in said.items() if value}


def _sorted(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items()))


def describe(cases: Iterable[FrozenCase]) -> Statistics:
    """Return the figures of all cases."""
    statistics = Statistics()
    for block in in_blocks(cases):
        statistics.add(block)
    return statistics
