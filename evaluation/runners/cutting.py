"""From the numbers of a service to a label and one score: several outputs combined, thresholds per language."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

HALF = 0.5  # the threshold of scores that were cut at several


@dataclass(frozen=True, slots=True)
class Cut:
    """What a text is by its score. `share` is the score as it is kept, None where it is no share of one."""

    is_positive: bool
    share: float | None


@dataclass(frozen=True, slots=True)
class Cuts:
    """Where scores are cut, and what one output of several counts.

    `any` compares every output with a threshold of its own; `max` cuts the highest, `weighted` the weighted mean.
    Scores that were cut at different thresholds are kept on one scale on which the threshold is one half: else no
    single threshold would tell what the model said.
    """

    threshold: float
    by_language: Mapping[str, float] = field(default_factory=dict)
    by_output: Mapping[str, float] = field(default_factory=dict)
    weights: Mapping[str, float] = field(default_factory=dict)
    rule: Literal["max", "any", "weighted"] = "max"
    scale: float = 1.0  # the highest score of the service

    @property
    def are_several(self) -> bool:
        return bool(self.by_language) or self.rule == "any"

    @property
    def kept_threshold(self) -> float:
        """The threshold of the scores that are kept."""
        return HALF if self.are_several else self.threshold / self.scale

    def threshold_in(self, language: str) -> float:
        """Return the threshold of a language; `pt` also means `pt-BR`."""
        return self.by_language.get(language, self.by_language.get(language.partition("-")[0], self.threshold))

    def judge(self, outputs: Mapping[str, float], language: str = "") -> Cut:
        """Return what the outputs of one text say together. Raises ValueError for no output at all."""
        usual = self.threshold_in(language)
        if self.rule == "any":
            cuts = {name: self.by_output.get(name, usual) for name in outputs}
            shares = [aligned(score / self.scale, cuts[name] / self.scale) for name, score in outputs.items()]
            return Cut(any(score >= cuts[name] for name, score in outputs.items()), max(shares))
        if self.rule == "weighted":
            weights = {name: self.weights.get(name, 0.0) for name in outputs}
            score = sum(weights[name] * outputs[name] for name in outputs) / sum(weights.values())
        else:
            score = max(outputs.values())
        share = score / self.scale
        if not 0 <= share <= 1:  # some services score from 0 to 100; their cut is honoured, no share is made up
            return Cut(score >= usual, None)
        return Cut(score >= usual, aligned(share, usual / self.scale) if self.are_several else share)


def aligned(share: float, threshold: float) -> float:
    """Return a share on the scale on which its threshold is one half: in order, and from 0 to 1 as before."""
    share = min(1.0, max(0.0, share))
    if share < threshold:
        return HALF * share / threshold
    return HALF + HALF * (share - threshold) / (1 - threshold) if threshold < 1 else HALF
