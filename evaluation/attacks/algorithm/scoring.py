"""From answers to scores: the rate of each attack, the AAA score, the hashtag check, the Pareto frontier."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Literal

from core.statistics.intervals import newcombe, wilson
from core.text import _
from evaluation.attacks.algorithm.values import SCORED, TITLES, AttackSet, Name


@dataclass(frozen=True, slots=True)
class Rate:
    """`correct` of `n`. Share and interval are None when nothing was measured."""

    correct: int
    n: int

    @property
    def share(self) -> float | None:
        return self.correct / self.n if self.n else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % Wilson interval, which stays within 0 and 1 even for few posts."""
        return wilson(self.correct, self.n)


def rate_of(expected: Sequence[bool], predicted: Sequence[bool]) -> Rate:
    """Return how many answers are right. Refuses unequal numbers of answers and posts."""
    if len(expected) != len(predicted):
        raise ValueError(f"{len(predicted)} answers for {len(expected)} posts")
    return Rate(sum(a == b for a, b in zip(expected, predicted, strict=True)), len(expected))


def difference_interval(first: Rate, second: Rate) -> tuple[float, float] | None:
    """The 95 % interval of the first share minus the second, by Newcombe's method (from the two Wilson intervals).

    None when it is undefined: nothing measured on one side.
    """
    one, other = first.share, second.share
    if one is None or other is None or first.interval is None or second.interval is None:
        return None
    return newcombe(one, first.interval, other, second.interval)


def chi_squared_p(first: Rate, second: Rate) -> float | None:
    """Return the p-value of the 2 x 2 chi-squared test (one degree of freedom, no correction) that two shares differ.

    None when it is undefined: nothing measured on one side. Shares that are both 0 or both 1 give 1.0.
    """
    if not first.n or not second.n:
        return None
    if first.correct + second.correct in (0, first.n + second.n):
        return 1.0
    from scipy.stats import chi2_contingency

    table = [[rate.correct, rate.n - rate.correct] for rate in (first, second)]
    return float(chi2_contingency(table, correction=False).pvalue)


Policy = Literal["penalise", "printed", "warn"]
SIGNIFICANT = 0.05
PASS_MARK = 0.6
SEED, REPETITIONS = 2021, 4000  # of the interval of AAA


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

    @property
    def drops_significantly(self) -> bool:
        """Whether a rate is lower on posts of hashtags, by the chi-squared test the paper's text describes."""
        found = ((*self.true_positive, self.p_true_positive), (*self.true_negative, self.p_true_negative))
        return any(
            p is not None and p < SIGNIFICANT and (after.share or 0.0) < (before.share or 0.0)
            for before, after, p in found
        )


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
    aaa_interval: tuple[float, float] | None
    hashtag_check: HashtagCheck | None
    policy: Policy
    notes: tuple[str, ...] = ()

    def passes(self, name: Name) -> bool | None:
        """Return whether an attack's score reaches the pass mark of 60 %; None where there is no score."""
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
    asked: tuple[Name, ...] = (*SCORED, "original", "hashtag_check")
    notes: list[str] = [_("%(attack)s: not answered.", attack=TITLES[name]) for name in asked if name not in rates]
    check = None
    if "original" in rates and "hashtag_check" in rates:
        check = check_hashtags(sets["original"].labels, answers["original"], answers["hashtag_check"])
    if check is not None and (check.drops_significantly if policy == "printed" else check.ignores_hashtags):
        penalised = policy != "warn"
        notes.append(_described(check, policy))
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
        aaa_interval=_aaa_interval(sets, answers) if all(four) else None,
        hashtag_check=check,
        policy=policy,
        notes=tuple(notes),
    )


def _aaa_interval(sets: Mapping[Name, AttackSet], answers: Mapping[Name, Sequence[bool]]) -> tuple[float, float] | None:
    """Return the 95 % percentile interval of AAA over test posts drawn again.

    Two attacks are made from each test post (Quo and Corr A->A from abusive ones, Corr N->N and Flip from the others),
    so posts are drawn, not answers. None where the two sets of a pair have unequal numbers of posts.
    """
    import numpy

    random = numpy.random.default_rng(SEED)
    product = numpy.ones(REPETITIONS)
    pairs: tuple[tuple[Name, Name], ...] = (("quo", "corr_aa"), ("corr_nn", "flip"))
    for first, second in pairs:
        one, other = (numpy.equal(sets[name].labels, answers[name]) for name in (first, second))
        if len(one) != len(other):
            return None
        # Drawing posts again is drawing how many have both right, the first, the second, none.
        shares = [(one & other).mean(), (one & ~other).mean(), (~one & other).mean(), (~one & ~other).mean()]
        both, only_first, only_second, _ = random.multinomial(len(one), shares, size=REPETITIONS).T / len(one)
        product *= (both + only_first) * (both + only_second)
    low, high = numpy.quantile(product**0.25, [0.025, 0.975])
    return float(low), float(high)


def check_hashtags(labels: Sequence[bool], before: Sequence[bool], after: Sequence[bool]) -> HashtagCheck:
    """Compare the answers to the test set with those to the same posts made of hashtags."""
    positive = _rate_within(labels, before, wanted=True), _rate_within(labels, after, wanted=True)
    negative = _rate_within(labels, before, wanted=False), _rate_within(labels, after, wanted=False)
    return HashtagCheck(positive, negative, chi_squared_p(*positive), chi_squared_p(*negative))


def geometric_mean(values: Iterable[float | None]) -> float | None:
    """Return the geometric mean: 0 when any value is 0, None when any is undefined or there is none."""
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


def _described(check: HashtagCheck, policy: Policy) -> str:
    """Return why a model counts as ignoring hashtags, and what follows from it."""
    if policy == "printed":
        return _(
            "The model ignores hashtags: a rate drops significantly once every word is a hashtag, which is the rule in "
            "the paper's text. Both Corr scores are 0."
        )
    low, high = check.information_interval or (0.0, 0.0)
    found = {"information": round(check.information or 0.0, 2), "low": round(low, 2), "high": round(high, 2)}
    if policy == "warn":
        return _(
            "The model ignores hashtags: on posts of hashtags its answers are not shown to be better than chance "
            "(TPR + TNR - 1 = %(information)s, 95%% interval %(low)s to %(high)s). Both Corr scores mean nothing.",
            **found,
        )
    return _(
        "The model ignores hashtags: on posts of hashtags its answers are not shown to be better than chance "
        "(TPR + TNR - 1 = %(information)s, 95%% interval %(low)s to %(high)s). Both Corr scores are 0.",
        **found,
    )


def spread_of(values: Sequence[float | None]) -> dict[str, float | int | None]:
    """Return mean, standard deviation, lowest and highest of a score over seeds; None where a seed has no score."""
    known = [value for value in values if value is not None]
    if not known or len(known) < len(values):
        return {"seeds": len(values), "mean": None, "sd": None, "low": None, "high": None}
    deviation = stdev(known) if len(known) > 1 else None
    return {"seeds": len(known), "mean": fmean(known), "sd": deviation, "low": min(known), "high": max(known)}


# Which functionalities of a static suite ask the question an attack asks.
STATIC_COUNTERPARTS: Mapping[Name, tuple[str, ...]] = {
    "quo": ("counter_quote_nh", "counter_ref_nh"),
    "ident_nn": ("ident_neutral_nh", "ident_pos_nh"),
}


def pareto_frontier(models: Mapping[str, Sequence[float | None]]) -> list[str]:
    """Return the models that no other beats: at least as good everywhere and better somewhere. Order as given.

    A model with an undefined value is never on the frontier. Refuses models with unequal numbers of values.
    """
    if len({len(values) for values in models.values()}) > 1:
        raise ValueError("every model needs the same number of scores")
    complete = {
        name: tuple(value for value in values if value is not None)
        for name, values in models.items()
        if None not in values
    }
    return [
        name
        for name, values in complete.items()
        if not any(_dominates(other, values) for rival, other in complete.items() if rival != name)
    ]


def _dominates(first: Sequence[float], second: Sequence[float]) -> bool:
    return first != second and all(a >= b for a, b in zip(first, second, strict=True))
