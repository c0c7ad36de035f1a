"""From labels to a verdict on a case."""

from collections import Counter
from collections.abc import Iterable, Sequence

from annotation.models import Campaign
from core.text import ngettext
from curation.cases.verdicts import VerdictValue
from curation.models import CaseVerdict, Suite


def why_too_few(suite: Suite, labels: int) -> str:
    """What so few labels per case can say in this suite, and what to do about it; "" where they are enough."""
    if labels >= suite.threshold:
        return ""
    return ngettext(
        "In this suite, %(threshold)s of %(raters)s labels of a case must equal the gold label. With %(count)s label "
        "per case, a case counts as a disagreement only if the missing labels could not change that, and a case that "
        "had enough labels before keeps its verdict. Ask for more labels to get a verdict on every case.",
        "In this suite, %(threshold)s of %(raters)s labels of a case must equal the gold label. With %(count)s labels "
        "per case, a case counts as a disagreement only if the missing labels could not change that, and a case that "
        "had enough labels before keeps its verdict. Ask for more labels to get a verdict on every case.",
        labels,
        threshold=suite.threshold,
        raters=suite.raters,
    )


def source_of(campaign: Campaign) -> str:
    """Return what the verdicts of a campaign name as their source."""
    return f"campaign:{campaign.key}"[:120]


def sources_taken_back(suite: Suite) -> list[str]:
    """Return the sources of a suite whose labels no longer count."""
    return [source_of(one) for one in Campaign.objects.filter(suite=suite).taken_back()]


def settled_cases(suite: Suite) -> set[int]:
    """Ids of the cases that have, or once had, as many labels as the suite needs; labels taken back do not count."""
    rows = CaseVerdict.objects.filter(case__suite=suite, raters__gte=suite.threshold)
    rows = rows.exclude(source__in=sources_taken_back(suite))
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
