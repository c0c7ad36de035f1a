"""Counting labels where they lie: the database goes once over one index and hands back counts, never single labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from django.db import connection
from django.db.models import Count, Q, QuerySet

from annotation.agreement.fleiss import NO_CASE, fleiss_kappa_of_table, fleiss_kappa_unequal
from annotation.agreement.measured import Counts, Measured
from annotation.models import Assignment


def counts_by_item(campaigns: Sequence[int], labels: Sequence[str]) -> tuple[list[int], Counts]:
    """Every labelled item with its number of votes per label. Checks have no label and do not appear."""
    rows = list(_counted(campaigns, labels, key="item_id"))
    counts = np.asarray([row[1:] for row in rows], dtype=np.int64).reshape(len(rows), len(labels))
    return [row[0] for row in rows], _with_last_label(counts)


def vote_patterns(campaigns: Sequence[int], labels: Sequence[str]) -> tuple[Counts, Counts]:
    """Each pattern of votes, such as (4, 1), and how many cases have it: a million cases come back as a few rows."""
    # Within one campaign a case is one item, so the cases need not be looked up.
    inner = _counted(campaigns, labels, key="item_id" if len(campaigns) == 1 else "item__case_id").query
    names = ", ".join(connection.ops.quote_name(name) for name in _names(labels))
    statement, parameters = inner.sql_with_params()
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {names}, COUNT(*) FROM ({statement}) AS counted GROUP BY {names} ORDER BY {names}",  # noqa: S608
            parameters,
        )
        found = np.asarray(cursor.fetchall(), dtype=np.int64).reshape(-1, len(labels) + 1)
    return _with_last_label(found[:, :-1]), found[:, -1]


def kappa_from_database(campaigns: Sequence[int], labels: Sequence[str]) -> Measured:
    """Fleiss' kappa of all labels of some campaigns, counted by the database in one pass.

    Undefined with a reason as everywhere; unequal numbers of labels are allowed.
    """
    patterns, cases = vote_patterns(campaigns, labels)
    if not len(patterns):
        return Measured.undefined(NO_CASE)
    raters = patterns.sum(axis=1)
    equal = raters[0] >= 2 and (raters == raters[0]).all()
    return (fleiss_kappa_of_table if equal else fleiss_kappa_unequal)(patterns, cases_per_row=cases)


def _names(labels: Sequence[str]) -> list[str]:
    return ["votes", *(f"votes_{number}" for number in range(len(labels) - 1))]


def _counted(campaigns: Sequence[int], labels: Sequence[str], *, key: str) -> QuerySet[Assignment, Any]:
    """All votes and the votes for every label but the last, which is what remains: one comparison less per row."""
    chosen = Q(campaign=campaigns[0]) if len(campaigns) == 1 else Q(campaign__in=campaigns)
    wanted = {f"votes_{n}": Count("label", filter=Q(label=label)) for n, label in enumerate(labels[:-1])}
    counted: QuerySet[Assignment, Any] = (
        Assignment.objects.filter(chosen, label__isnull=False)
        .values(key)
        .annotate(votes=Count("*"), **wanted)
        .order_by()
        .values_list(key, *_names(labels))
    )
    return counted


def _with_last_label(counts: Counts) -> Counts:
    """From (all, first, second, ...) to (first, second, ..., last)."""
    known = counts[:, 1:]
    return np.column_stack([known, counts[:, 0] - known.sum(axis=1)])
