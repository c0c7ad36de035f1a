"""From labels to a verdict on a case."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from curation.models import Suite
from curation.services.verdicts import VerdictValue


def why_too_few(suite: Suite, labels: int) -> str:
    """Why so many labels per case make no verdict in this suite, and what to do; "" where they are enough.

    With fewer labels than have to equal gold every case would be disputed, however much people agree.
    """
    if labels >= suite.threshold:
        return ""
    return (
        f"In this suite {suite.threshold} labels of a case have to equal gold; {labels} per case cannot say so. They "
        "are kept and measured, and what was decided before stays. For verdicts ask for more labels, or lower the "
        "number in the suite first."
    )


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
