"""Everything about the agreement of a set of cases in one value."""

from collections.abc import Callable, Hashable, Mapping
from typing import Any

import numpy.typing as npt

from annotation.measures.coefficients import Measured, fleiss_kappa, krippendorff_alpha, pairwise_agreement, unanimity
from annotation.measures.intervals import DRAWS, AgreementIntervals, agreement_intervals
from annotation.measures.votes import Case, VoteTable
from core.statistics.intervals import Bounds


def summarise_agreement(
    table: VoteTable[Case], *, template_of: Mapping[Case, Hashable | None], seed: int, draws: int = DRAWS
) -> dict[str, Any]:
    """Kappa, alpha and plain shares with 95% intervals over templates, also while labels are still missing.

    Plain values: an undefined measure is None and its reason stands beside it. `raters` is None while cases differ in
    their number of labels. `draws=0` skips the intervals.
    """
    per_case = {int(n) for n in table.counts.sum(axis=1)}
    intervals = AgreementIntervals()
    if draws:
        clusters = [template_of.get(case) or ("alone", case) for case in table.cases]
        intervals = agreement_intervals(table.counts, clusters, seed=seed, draws=draws)
    measures: dict[str, tuple[Callable[[npt.ArrayLike], Measured], Bounds | None]] = {
        "fleiss_kappa": (fleiss_kappa, intervals.kappa),
        "krippendorff_alpha": (krippendorff_alpha, intervals.alpha),
        "pairwise_agreement": (pairwise_agreement, intervals.pairwise),
        "unanimity": (unanimity, intervals.unanimity),
    }
    summary: dict[str, Any] = {"cases": len(table.cases), "raters": per_case.pop() if len(per_case) == 1 else None}
    for name, (measure, bounds) in measures.items():
        found = measure(table.counts)
        summary[name] = found.value
        summary[f"{name}_ci95"] = None if bounds is None else list(bounds)
        summary[f"{name}_reason"] = found.reason
    return summary
