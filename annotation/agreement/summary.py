"""Everything about the agreement of a set of cases in one value, overall or by any key."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping
from dataclasses import dataclass
from typing import Any

from annotation.agreement.fleiss import fleiss_kappa_of_table, fleiss_kappa_unequal
from annotation.agreement.intervals import DRAWS, AgreementIntervals, agreement_intervals
from annotation.agreement.krippendorff_alpha import Level, krippendorff_alpha
from annotation.agreement.measured import Interval, Measured
from annotation.agreement.percent import pairwise_agreement, unanimity
from annotation.agreement.votes import Case, VoteTable, below_threshold


@dataclass(frozen=True, slots=True)
class AgreementSummary:
    """Agreement of a set of cases. `raters` is None while cases differ in their number of labels."""

    cases: int
    raters: int | None
    kappa: Measured
    kappa_ci95: Interval
    alpha: Measured
    alpha_ci95: Interval
    pairwise: Measured
    pairwise_ci95: Interval
    unanimity: Measured
    unanimity_ci95: Interval
    below_threshold: int | None

    def as_json(self) -> dict[str, Any]:
        """Plain values; an undefined measure is None and its reason stands beside it."""
        return {
            "cases": self.cases,
            "raters": self.raters,
            "fleiss_kappa": self.kappa.value,
            "fleiss_kappa_ci95": _listed(self.kappa_ci95),
            "fleiss_kappa_reason": self.kappa.reason,
            "krippendorff_alpha": self.alpha.value,
            "krippendorff_alpha_ci95": _listed(self.alpha_ci95),
            "krippendorff_alpha_reason": self.alpha.reason,
            "pairwise_agreement": self.pairwise.value,
            "pairwise_agreement_ci95": _listed(self.pairwise_ci95),
            "pairwise_agreement_reason": self.pairwise.reason,
            "unanimity": self.unanimity.value,
            "unanimity_ci95": _listed(self.unanimity_ci95),
            "unanimity_reason": self.unanimity.reason,
            "below_threshold": self.below_threshold,
        }


def summarise_agreement(
    table: VoteTable[Case],
    *,
    template_of: Mapping[Case, Hashable | None],
    seed: int,
    gold: Mapping[Case, str] | None = None,
    at_least: int | None = None,
    wanted_raters: int | None = None,
    level: Level = "nominal",
    draws: int = DRAWS,
) -> AgreementSummary:
    """Kappa, alpha and plain shares with 95% intervals over templates, also while labels are still missing.

    With `gold` and `at_least`, cases with fewer labels for gold are counted; with `wanted_raters` only among cases that
    have all their labels, so that a running campaign does not count unfinished cases. `draws=0` skips the intervals.
    """
    clusters = [template_of.get(case) or ("alone", case) for case in table.cases]
    per_case = {int(n) for n in table.counts.sum(axis=1)}
    raters = per_case.pop() if len(per_case) == 1 else None
    kappa = fleiss_kappa_of_table if raters is not None and raters >= 2 else fleiss_kappa_unequal
    skipped = Interval.undefined("intervals were not asked for")
    complete = table if wanted_raters is None else table.with_raters(wanted_raters)
    intervals = AgreementIntervals(skipped, skipped, skipped, skipped)
    if draws:
        intervals = agreement_intervals(table.counts, clusters, seed=seed, level=level, draws=draws)
    return AgreementSummary(
        cases=len(table.cases),
        raters=raters,
        kappa=kappa(table.counts),
        kappa_ci95=intervals.kappa,
        alpha=krippendorff_alpha(table.counts, level=level),
        alpha_ci95=intervals.alpha,
        pairwise=pairwise_agreement(table.counts),
        pairwise_ci95=intervals.pairwise,
        unanimity=unanimity(table.counts),
        unanimity_ci95=intervals.unanimity,
        below_threshold=None
        if gold is None or at_least is None
        else len(below_threshold(complete, gold, at_least=at_least)),
    )


def split_table(table: VoteTable[Case], groups_of: Mapping[Case, Collection[str]]) -> dict[str, VoteTable[Case]]:
    """One table per group, such as functionality, language, target group, or annotator (the cases they labelled).

    A case may be in several groups or in none.
    """
    members: dict[str, set[Case]] = {}
    for case in table.cases:
        for group in groups_of.get(case, ()):
            members.setdefault(group, set()).add(case)
    return {group: table.only(case in cases for case in table.cases) for group, cases in members.items()}


def _listed(interval: Interval) -> list[float] | None:
    return None if interval.bounds is None else list(interval.bounds)
