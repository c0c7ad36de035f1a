"""From labels to a verdict on a case."""

from collections import Counter
from collections.abc import Iterable, Sequence

from curation.cases.verdicts import VerdictValue
from curation.models import CaseVerdict, Suite


def why_too_few(suite: Suite, labels: int) -> str:
    """What so few labels per case can say in this suite, and what to do about it; "" where they are enough."""
    if labels >= suite.threshold:
        return ""
    return (
        f"In this suite {suite.threshold} of {suite.raters} labels of a case have to equal gold. With {labels} per "
        "case, cases are disputed only where the missing labels could not mend it, and cases that had enough labels "
        "before keep what those said. Ask for more labels if that is not what you want."
    )


def settled_cases(suite: Suite) -> set[int]:
    """Ids of the cases that have, or once had, as many labels as the suite needs."""
    rows = CaseVerdict.objects.filter(case__suite=suite, raters__gte=suite.threshold)
    return set(rows.values_list("case_id", flat=True))


def without_strays(verdicts: Iterable[VerdictValue], suite: Suite) -> list[VerdictValue]:
    """Verdicts that count. One stray label overturns nothing: a case that had enough labels keeps what they said."""
    given = list(verdicts)
    if all(len(verdict.labels) >= suite.threshold for verdict in given):
        return given
    settled = settled_cases(suite)
    return [verdict for verdict in given if len(verdict.labels) >= suite.threshold or verdict.case_id not in settled]


def majority_of(labels: Sequence[str]) -> str:
    """The label most people gave; "" on a tie or without labels."""
    ranked = Counter(labels).most_common(2)
    if not ranked or (len(ranked) == 2 and ranked[0][1] == ranked[1][1]):
        return ""
    return ranked[0][0]


def verdict_of(case_id: int, labels: Sequence[str], gold: str, *, flagged: int = 0) -> VerdictValue:
    """What these labels say about a case whose gold label is `gold`."""
    return VerdictValue(
        case_id=case_id,
        labels=tuple(labels),
        agreeing=sum(label == gold for label in labels),
        majority=majority_of(labels),
        flagged_unrealistic=flagged,
    )
