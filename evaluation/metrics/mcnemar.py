"""McNemar's exact test for two models on the same cases. It takes cases for independent, which those of a template are
not: papers print it, so comparisons give it for the record, but no verdict rests on it."""

from __future__ import annotations


def mcnemar_exact(only_first: int, only_second: int) -> float:
    """Two-sided exact p value from the cases that only one of the two models gets right.

    1.0 when there is no such case: nothing speaks for a difference.
    """
    if only_first < 0 or only_second < 0:
        raise ValueError("numbers of cases are never below 0")
    from statsmodels.stats.contingency_tables import mcnemar

    return float(mcnemar([[0, only_first], [only_second, 0]], exact=True).pvalue)
