"""Results by two keys at once, such as functionality by language, or target group by language."""

import numpy as np

from core.text import _
from evaluation.metrics.columns import Columns, Factor
from evaluation.metrics.slices import Slice, slice_factor

DIMENSIONS = {
    "functionality": _("Functionalities"),
    "functionality_class": _("Classes of functionalities"),
    "language": _("Languages"),
    "target": _("Target groups"),
    "label": _("Labels"),
    "direction": _("Directions"),
    "focus_word": _("Focus words"),
    "origin": _("Origins"),
    "agreement": _("Agreement"),
    "perturbation_set": _("Perturbation sets"),
}
# The same inside a title such as "Target groups by languages".
DIMENSIONS_IN_TITLES = {
    "functionality": _("functionalities"),
    "functionality_class": _("classes of functionalities"),
    "language": _("languages"),
    "target": _("target groups"),
    "label": _("labels"),
    "direction": _("directions"),
    "focus_word": _("focus words"),
    "origin": _("origins"),
    "agreement": _("agreement"),
    "perturbation_set": _("perturbation sets"),
}
Crossed = dict[str, dict[str, Slice]]


def cross(columns: Columns, rows: str, across: str) -> Crossed:
    """Return the measures of each pair of values that has a case: row, column, measures, in order of appearance.

    Target groups are counted in cases about an identity only, as everywhere. Intervals count templates.
    """
    import pandas

    first, second = _factor(columns, rows), _factor(columns, across)
    frames = [pandas.DataFrame({"case": factor.rows, "code": factor.codes}) for factor in (first, second)]
    both = frames[0].merge(frames[1], on="case", suffixes=("_row", "_column"))
    pairs = np.asarray(both[["code_row", "code_column"]], dtype=np.int64).reshape(-1, 2)
    used, codes = np.unique(pairs, axis=0, return_inverse=True)
    factor = Factor(tuple(map(str, range(len(used)))), np.asarray(both["case"], dtype=np.int64), codes.reshape(-1))
    found: Crossed = {}
    for (row, column), measures in zip(used.tolist(), slice_factor(columns, factor).values(), strict=True):
        found.setdefault(first.values[row], {})[second.values[column]] = measures
    return found


def _factor(columns: Columns, key: str) -> Factor:
    if key == "label":
        return Factor(columns.labels, np.arange(len(columns.cases)), columns.gold)
    factor = columns.factors[key]
    return factor.only(columns.is_identity) if key == "target" else factor
