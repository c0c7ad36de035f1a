"""Logistic regression on word counts, without the second and a half that importing scikit-learn takes.

The same as scikit-learn's `LogisticRegression(C=1)`: L2 penalty, free intercept, L-BFGS from zero, same tolerance.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

TOLERANCE = 1e-4
MOST_STEPS = 1000


def logistic_weights(rows: Sequence[Sequence[int]], positive: Sequence[bool], *, columns: int) -> list[float]:
    """The weight of each column. A row lists the columns it counts, one that occurs twice twice.

    Refuses rows and labels of unequal number.
    """
    import numpy
    from scipy.optimize import minimize
    from scipy.special import expit

    if len(rows) != len(positive):
        raise ValueError(f"{len(rows)} rows but {len(positive)} labels")
    lengths = numpy.fromiter(map(len, rows), dtype=numpy.intp, count=len(rows))
    row_of = numpy.repeat(numpy.arange(len(rows)), lengths)
    column_of = numpy.fromiter((column for row in rows for column in row), dtype=numpy.intp, count=int(lengths.sum()))
    labels = numpy.asarray(positive, dtype=float)
    penalty = 1 / len(rows)

    def loss_and_gradient(weights: Any) -> tuple[float, Any]:
        coefficients, intercept = weights[:-1], weights[-1]
        raw = numpy.bincount(row_of, weights=coefficients[column_of], minlength=len(rows)) + intercept
        loss = (numpy.logaddexp(0, raw) - labels * raw).mean() + penalty / 2 * coefficients @ coefficients
        surprise = (expit(raw) - labels) / len(rows)
        gradient = numpy.empty_like(weights)
        gradient[:-1] = numpy.bincount(column_of, weights=surprise[row_of], minlength=columns)
        gradient[:-1] += penalty * coefficients
        gradient[-1] = surprise.sum()
        return float(loss), gradient

    options = {"maxiter": MOST_STEPS, "maxls": 50, "gtol": TOLERANCE, "ftol": 64 * numpy.finfo(float).eps}
    start = numpy.zeros(columns + 1)
    found: Any = minimize(loss_and_gradient, start, method="L-BFGS-B", jac=True, options=options)
    return [float(weight) for weight in found.x[:-1]]
