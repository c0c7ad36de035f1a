"""From answers to scores: the rate of each attack, the AAA score, and whether the model ignores hashtags."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from evaluation.attacks.rates import Rate, chi_squared_p, difference_interval, rate_of
from evaluation.attacks.values import SCORED, AttackSet, Name

Policy = Literal["penalise", "warn"]
PASS_MARK = 0.6


@dataclass(frozen=True, slots=True)
class HashtagCheck:
    """What is left of the answers once every word is a hashtag.

    The paper tests whether a rate drops significantly. By that test three of the four models in its own table ignore
    hashtags, among them models it scores above 45: a model may read hashtags less well and still read them. So the
    p values are reported, and what decides is whether the answers still tell abusive posts from others.
    """

    true_positive: tuple[Rate, Rate]  # before, after
    true_negative: tuple[Rate, Rate]
    p_true_positive: float | None
    p_true_negative: float | None

    @property
    def information(self) -> float | None:
        """True positive plus true negative rate minus 1 on posts of hashtags: 1 is perfect, 0 is as good as chance."""
        found, left_alone = self.true_positive[1].share, self.true_negative[1].share
        return None if found is None or left_alone is None else found + left_alone - 1

    @property
    def information_interval(self) -> tuple[float, float] | None:
        """Its 95 % interval: it is the share of abusive posts called abusive minus that of the others."""
        harmless = self.true_negative[1]
        return difference_interval(self.true_positive[1], Rate(harmless.n - harmless.correct, harmless.n))

    @property
    def ignores_hashtags(self) -> bool:
        """Whether the answers to posts of hashtags are not shown to be better than chance (lower bound above 0)."""
        interval = self.information_interval
        return interval is not None and interval[0] <= 0


@dataclass(frozen=True, slots=True)
class AttackScores:
    """All scores of one model. A score is None where it is undefined, and `notes` says why.

    `rates` are the plain correct-prediction rates; `scores` are what counts, 0 for both Corr attacks where the model
    ignores hashtags and the policy is to penalise that.
    """

    rates: Mapping[Name, Rate]
    scores: Mapping[Name, float | None]
    f1: float | None
    aaa: float | None
    aaa_with_f1: float | None
    hashtag_check: HashtagCheck | None
    policy: Policy
    notes: tuple[str, ...] = ()

    def passes(self, name: Name) -> bool | None:
        """Whether an attack's score reaches the pass mark of 60 %; None where there is no score."""
        score = self.scores.get(name)
        return None if score is None else score >= PASS_MARK


def score_answers(
    sets: Mapping[Name, AttackSet], answers: Mapping[Name, Sequence[bool]], *, policy: Policy = "penalise"
) -> AttackScores:
    """Score a model's answers (True: abusive) to attack sets, in the order of the sets' posts.

    Refuses answers to a set that was not built and a number of answers unlike the number of posts.
    """
    unknown = sorted(set(answers) - set(sets))
    if unknown:
        raise ValueError(f"there are answers but no posts for {', '.join(unknown)}")
    rates = {name: rate_of(sets[name].labels, answers[name]) for name in sets if name in answers}
    scores: dict[Name, float | None] = {name: rate.share for name, rate in rates.items()}
    notes = [f"{name} was not answered" for name in (*SCORED, "original", "hashtag_check") if name not in rates]
    check = None
    if "original" in rates and "hashtag_check" in rates:
        check = check_hashtags(sets["original"].labels, answers["original"], answers["hashtag_check"])
    if check is not None and check.ignores_hashtags:
        penalised = policy == "penalise"
        effect = "both Corr scores are 0" if penalised else "both Corr scores mean nothing"
        notes.append(f"the model ignores hashtags ({_described(check)}): {effect}")
        for name in ("corr_nn", "corr_aa"):
            if penalised and name in scores:
                scores[name] = 0.0
    # The published figures call the share of right answers F1: the micro-averaged F1 of two classes is just that.
    f1 = scores.get("original")
    four = [scores.get(name) for name in SCORED]
    return AttackScores(
        rates=rates,
        scores=scores,
        f1=f1,
        aaa=geometric_mean(four),
        aaa_with_f1=geometric_mean([f1, *four]),
        hashtag_check=check,
        policy=policy,
        notes=tuple(notes),
    )


def check_hashtags(labels: Sequence[bool], before: Sequence[bool], after: Sequence[bool]) -> HashtagCheck:
    """Compare the answers to the test set with those to the same posts made of hashtags."""
    positive = _rate_within(labels, before, wanted=True), _rate_within(labels, after, wanted=True)
    negative = _rate_within(labels, before, wanted=False), _rate_within(labels, after, wanted=False)
    return HashtagCheck(positive, negative, chi_squared_p(*positive), chi_squared_p(*negative))


def geometric_mean(values: Iterable[float | None]) -> float | None:
    """The geometric mean: 0 when any value is 0, None when any is undefined or there is none."""
    known = list(values)
    if not known or any(value is None for value in known):
        return None
    numbers = [value for value in known if value is not None]
    if any(value < 0 for value in numbers):
        raise ValueError("a geometric mean needs values of at least 0")
    return 0.0 if 0.0 in numbers else math.exp(math.fsum(map(math.log, numbers)) / len(numbers))


def _rate_within(labels: Sequence[bool], predicted: Sequence[bool], *, wanted: bool) -> Rate:
    if len(labels) != len(predicted):
        raise ValueError(f"{len(predicted)} answers for {len(labels)} posts")
    asked = [answer for label, answer in zip(labels, predicted, strict=True) if label == wanted]
    return Rate(sum(answer == wanted for answer in asked), len(asked))


def _described(check: HashtagCheck) -> str:
    low, high = check.information_interval or (0.0, 0.0)
    return (
        "on posts of hashtags its answers are not shown to be better than chance: TPR + TNR - 1 = "
        f"{check.information or 0.0:.2f}, 95 % interval {low:.2f} to {high:.2f}"
    )
