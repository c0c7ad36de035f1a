"""How each annotator is doing: against gold, against the others, and signs of hurry or of a stuck key."""

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from annotation.questions.names import label_name
from core.text import _, ngettext

TOO_FAST_SECONDS = 1.0
TOO_FAST_SHARE = 0.2
FEWEST_LABELS = 20
BY_CHANCE = 0.001


@dataclass(frozen=True, slots=True)
class TimedLabel:
    """One label in the order in which it was given; `seconds` from showing the text to the key, if known."""

    case: Hashable
    annotator: Hashable
    label: str
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class AnnotatorQuality:
    """What can be said of one annotator; None where there is nothing to compare."""

    labels: int
    with_gold: float | None
    with_gold_of: int
    with_majority: float | None
    with_majority_of: int
    median_seconds: float | None
    too_fast_share: float | None
    longest_run: int
    longest_run_label: str | None
    longest_run_chance: float | None
    warnings: tuple[str, ...]


def rate_annotators(
    labels: Iterable[TimedLabel], *, gold: Mapping[Hashable, str], too_fast_seconds: float = TOO_FAST_SECONDS
) -> dict[Hashable, AnnotatorQuality]:
    """Rate everybody who labelled. The majority is that of the others: one's own vote never counts for oneself."""
    by_annotator: defaultdict[Hashable, list[TimedLabel]] = defaultdict(list)
    votes: defaultdict[Hashable, Counter[str]] = defaultdict(Counter)
    overall: Counter[str] = Counter()
    for given in labels:
        by_annotator[given.annotator].append(given)
        votes[given.case][given.label] += 1
        overall[given.label] += 1
    return {
        annotator: _rate(given, gold=gold, votes=votes, overall=overall, too_fast_seconds=too_fast_seconds)
        for annotator, given in by_annotator.items()
    }


def _rate(
    given: Sequence[TimedLabel],
    *,
    gold: Mapping[Hashable, str],
    votes: Mapping[Hashable, Counter[str]],
    overall: Counter[str],
    too_fast_seconds: float,
) -> AnnotatorQuality:
    against_gold = [one.label == gold[one.case] for one in given if one.case in gold]
    against_others = [
        one.label == others
        for one in given
        if (others := majority_of_others(votes[one.case], without=one.label)) is not None
    ]
    seconds = [one.seconds for one in given if one.seconds is not None]
    fast = _share([second < too_fast_seconds for second in seconds])
    run, run_label = longest_run([one.label for one in given])
    share = overall[run_label] / overall.total() if run_label is not None else 0.0
    chance = chance_of_run(len(given), run, share)
    warnings: list[str] = []
    if fast is not None and fast > TOO_FAST_SHARE and len(seconds) >= FEWEST_LABELS:
        warnings.append(
            _(
                "%(percent)s%% of the labels took less than %(seconds)s s",
                percent=round(100 * fast),
                seconds=int(too_fast_seconds) if float(too_fast_seconds).is_integer() else too_fast_seconds,
            )
        )
    if chance is not None and chance < BY_CHANCE:
        warnings.append(
            ngettext(
                "'%(label)s' %(count)s time in a row, which is unlikely by chance",
                "'%(label)s' %(count)s times in a row, which is unlikely by chance",
                run,
                label=label_name(run_label or ""),
            )
        )
    return AnnotatorQuality(
        labels=len(given),
        with_gold=_share(against_gold),
        with_gold_of=len(against_gold),
        with_majority=_share(against_others),
        with_majority_of=len(against_others),
        median_seconds=median(seconds) if seconds else None,
        too_fast_share=fast,
        longest_run=run,
        longest_run_label=run_label,
        longest_run_chance=chance,
        warnings=tuple(warnings),
    )


def majority_of_others(votes: Counter[str], *, without: str) -> str | None:
    """The majority once one vote for `without` is taken away; None on a tie or when nobody else voted."""
    others = votes - Counter([without])
    ranked = others.most_common(2)
    if not ranked or (len(ranked) == 2 and ranked[0][1] == ranked[1][1]):
        return None
    return ranked[0][0]


def longest_run(labels: Sequence[str]) -> tuple[int, str | None]:
    """The longest unbroken run of one label, and which label it is."""
    best, best_label, current = 0, None, 0
    previous: str | None = None
    for label in labels:
        current = current + 1 if label == previous else 1
        previous = label
        if current > best:
            best, best_label = current, label
    return best, best_label


def chance_of_run(labels: int, run: int, share: float) -> float | None:
    """About how likely a run this long is for somebody who labels as everybody does; None when it says nothing.

    `share` is how often everybody gives that label: a long run of a label that nearly all cases deserve is no sign.
    """
    if labels < FEWEST_LABELS or run < 2 or not 0 < share < 1:
        return None
    expected_runs = (1 + (labels - run) * (1 - share)) * share**run
    return -math.expm1(-expected_runs)


def _share(holds: Sequence[bool]) -> float | None:
    return sum(holds) / len(holds) if holds else None
