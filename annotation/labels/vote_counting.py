"""Counting labels where they lie: the database goes once over one index and hands back counts, never single labels."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from django.db import connection
from django.db.models import BigIntegerField, Case, Count, Q, QuerySet, Sum, Value, When

from annotation.measures.coefficients import Counts
from annotation.models import Assignment

BASE = 4096  # more labels than any case gets
DIGITS = 5  # of that base, in a number of 63 bits


def counts_by_item(campaigns: Sequence[int], labels: Sequence[str]) -> tuple[list[int], Counts]:
    """Every labelled item with its number of votes per label. Checks have no label and do not appear."""
    rows = list(_counted(campaigns, labels, "item_id").values_list("item_id", *_names(labels)))
    counts = np.asarray([row[1:] for row in rows], dtype=np.int64).reshape(len(rows), len(labels))
    return [row[0] for row in rows], _with_last_label(counts)


def vote_patterns(campaigns: Sequence[int], labels: Sequence[str]) -> tuple[Counts, Counts]:
    """Each pattern of votes, such as (4, 1), and how many cases have it: a million cases come back as a few rows.

    The votes of a case travel as the digits of one number, which halves the work of grouping them.
    """
    # Within one campaign a case is one item, so the cases need not be looked up.
    key = "item_id" if len(campaigns) == 1 else "item__case_id"
    groups = [labels[start : start + DIGITS] for start in range(0, len(labels), DIGITS)]
    packed = {
        f"votes_{number}": Sum(_digit(group, has_last=len(groups) == 1), output_field=BigIntegerField())
        for number, group in enumerate(groups)
    }
    counted = _labelled(campaigns).values(key).annotate(**packed).order_by().values_list(*packed)
    statement, parameters = counted.query.sql_with_params()
    names = ", ".join(connection.ops.quote_name(name) for name in packed)
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {names}, COUNT(*) FROM ({statement}) AS counted GROUP BY {names}",  # noqa: S608
            parameters,
        )
        rows = cursor.fetchall()
    found = np.asarray([[int(cell) for cell in row] for row in rows], dtype=np.int64).reshape(-1, len(groups) + 1)
    digits = [
        (found[:, number] // BASE**place) % BASE for number, group in enumerate(groups) for place in range(len(group))
    ]
    return np.column_stack(digits), found[:, -1]


class TemplatePatterns(NamedTuple):
    """Patterns of votes, how many cases of one template have each, and which template that is.

    A case without a template is one of its own, with its id below 0.
    """

    patterns: Counts
    cases: Counts
    templates: Counts


def patterns_by_language(campaigns: Sequence[int], labels: Sequence[str]) -> dict[str, TemplatePatterns]:
    """The same for each language and template, in order; rounds of a case are added. Cases are not held in memory."""
    key, language, template = "item__case_id", "item__case__language__code", "item__case__template_id"
    counted = _counted(campaigns, labels, key, language, template).filter(item__case__isnull=False)
    rows = counted.values_list(language, template, key, *_names(labels))
    found: defaultdict[str, Counter[tuple[int, ...]]] = defaultdict(Counter)
    for code, template_id, case_id, *votes in rows.iterator(chunk_size=5000):
        found[code][template_id or -case_id, *votes] += 1
    return {code: _table(found[code], len(labels)) for code in sorted(found)}


def _table(patterns: Counter[tuple[int, ...]], labels: int) -> TemplatePatterns:
    """From counts of (template, votes, ...)."""
    ordered = sorted(patterns.items())  # the same order from either database: sums are then the same to the last digit
    found = np.asarray([pattern for pattern, _ in ordered], dtype=np.int64).reshape(len(ordered), labels + 1)
    cases = np.asarray([cases for _, cases in ordered], dtype=np.int64)
    return TemplatePatterns(_with_last_label(found[:, 1:]), cases, found[:, 0])


def _digit(labels: Sequence[str], *, has_last: bool) -> Case:
    """One vote as a digit. Where every label is among these, the last needs no comparison: it is what remains."""
    asked = labels[:-1] if has_last else labels
    remains = BASE ** (len(labels) - 1) if has_last else 0
    compared = (When(label=label, then=Value(BASE**place)) for place, label in enumerate(asked))
    return Case(*compared, default=Value(remains), output_field=BigIntegerField())


def _labelled(campaigns: Sequence[int]) -> QuerySet[Assignment]:
    chosen = Q(campaign=campaigns[0]) if len(campaigns) == 1 else Q(campaign__in=campaigns)
    return Assignment.objects.filter(chosen, label__isnull=False)


def _names(labels: Sequence[str]) -> list[str]:
    return ["votes", *(f"votes_{number}" for number in range(len(labels) - 1))]


def _counted(campaigns: Sequence[int], labels: Sequence[str], *keys: str) -> QuerySet[Assignment, Any]:
    """All votes and the votes for every label but the last, which is what remains: one comparison less per row."""
    wanted = {f"votes_{n}": Count("label", filter=Q(label=label)) for n, label in enumerate(labels[:-1])}
    counted: QuerySet[Assignment, Any] = _labelled(campaigns).values(*keys).annotate(votes=Count("*"), **wanted)
    return counted.order_by()


def _with_last_label(counts: Counts) -> Counts:
    """From (all, first, second, ...) to (first, second, ..., last)."""
    known = counts[:, 1:]
    return np.column_stack([known, counts[:, 0] - known.sum(axis=1)])
