"""Measures of confusion tables that are no shares, such as macro F1, with 95% intervals that count templates.

The same idea as for shares: Wilson's interval on the number of independent cases that would be as informative.
"""

from collections.abc import Callable
from math import sqrt

import numpy as np

from core.statistics.intervals import Z95, Bounds, Floats, wilson
from core.statistics.shares import t_quantile

ADDED = 0.5  # of a template; a quarter, as for shares, covers 92% in the worst of the simulated cells

Statistic = Callable[[Floats], Floats]  # of a stack of tables; NaN where undefined


def table_interval(tables: Floats, statistic: Statistic) -> Bounds | None:
    """Return the 95% interval of a measure between 0 and 1 of the sum of tables, one table for each template.

    Tables have gold labels as rows and answers as columns, the last for no answer. The variance is the larger of two:
    leaving out each template in turn (jackknife), and the same with half of one more template for each label that has
    the rarer answer throughout, as for shares. None where a label occurs in fewer than two templates.
    """
    if len(tables) < 2:
        return None
    tables = tables[np.lexsort(tables.reshape(len(tables), -1).T)]  # so that the order of cases changes no digit
    total = tables.sum(axis=0)
    value = float(statistic(total))
    left_out = statistic(total - tables)
    if not np.isfinite(value) or not np.isfinite(left_out).all():
        return None
    moved = (left_out - left_out.mean()) ** 2
    more = _unlike(tables)
    wider = total + ADDED * more.sum(axis=0)
    centre = float(statistic(wider))
    widely = np.concatenate([statistic(wider - tables), statistic(wider - ADDED * more)]) - centre
    weights = np.concatenate([np.ones(len(tables)), np.full(len(more), 1 / ADDED)])
    effective = min(
        float(total.sum()),
        _as_cases(value, (1 - 1 / len(tables)) * float(moved.sum()), len(tables)),
        _as_cases(centre, float(weights @ widely**2), len(tables)),
    )
    effective *= (Z95 / t_quantile(_freedom(moved))) ** 2
    return wilson(value * effective, effective)


def interval_of(value: float, squares: Floats, *, templates: int) -> Bounds | None:
    """Return the 95% interval of a measure between 0 and 1 from the squared influence of each template.

    `templates` is what it counts for where templates show no variance.
    """
    effective = _as_cases(value, len(squares) / (len(squares) - 1) * float(squares.sum()), templates)
    effective *= (Z95 / t_quantile(_freedom(squares))) ** 2
    return wilson(value * effective, effective)


def table_difference(first: Floats, second: Floats, statistic: Statistic) -> tuple[Bounds, float] | None:
    """Return the 95% interval of the difference of a measure, first minus second, and its two-sided p value.

    Both have one table for each of the same templates. Student's t with the jackknife variance over templates. None
    where it is undefined or where templates show no variance: how sure that is cannot be told from them.
    """
    totals = first.sum(axis=0), second.sum(axis=0)
    left_out = statistic(totals[0] - first) - statistic(totals[1] - second)
    difference = float(statistic(totals[0]) - statistic(totals[1]))
    if len(first) < 2 or not np.isfinite(difference) or not np.isfinite(left_out).all():
        return None
    moved = (left_out - left_out.mean()) ** 2
    error = sqrt((1 - 1 / len(first)) * float(moved.sum()))
    if error < 1e-12:
        return None
    from scipy.special import stdtr

    freedom = _freedom(moved)
    half = t_quantile(freedom) * error
    bounds = max(-1.0, difference - half), min(1.0, difference + half)
    return bounds, 2 * float(stdtr(freedom, -abs(difference) / error))


def _unlike(tables: Floats) -> Floats:
    """Return one table for each label that occurs: a template of mean size that has the rarer answer throughout."""
    found = []
    for label, gold in enumerate(tables.sum(axis=0)):
        templates = np.count_nonzero(tables[:, label].sum(axis=1))
        if templates:
            table = np.zeros(tables.shape[1:])
            wrong = np.where(np.arange(len(gold)) == label, 0.0, gold)
            # Where all are right, the wrong answer is that of the next label.
            likeliest = int(np.argmax(wrong)) if wrong.any() else (label + 1) % tables.shape[1]
            table[label, label if gold[label] < wrong.sum() else likeliest] = gold.sum() / templates
            found.append(table)
    return np.stack(found)


def _as_cases(value: float, variance: float, templates: int) -> float:
    """How many independent cases have this variance; where there is none each template counts as one."""
    return value * (1 - value) / variance if variance > 1e-15 and 0 < value < 1 else float(templates)


def _freedom(moved: Floats) -> float:
    """Degrees of freedom: as many equally important templates as would have these squares, minus 1 (Satterthwaite)."""
    squares = float(moved @ moved)
    alike = float(moved.sum()) ** 2 / squares if squares > 1e-300 else float(len(moved))
    return max(1.0, min(float(len(moved)), alike) - 1)
