"""Labels whose source does not say who gave them: they count as votes, and there is no person behind them to rate."""

from __future__ import annotations

from collections.abc import Sequence

from annotation.models import Assignment, Campaign

UNIDENTIFIED = "unidentified"  # shown where a pseudonym would stand
WHY_NO_PEOPLE = (
    "The source of these labels does not say who gave which one, so people cannot be told apart, rated or weighed."
)


def has_unidentified(campaigns: Sequence[Campaign]) -> bool:
    """Whether any label of these campaigns was given by an annotator whom its source does not identify."""
    labels = Assignment.objects.filter(campaign__in=[one.pk for one in campaigns], label__isnull=False)
    return labels.filter(annotator__is_identified=False).exists()
