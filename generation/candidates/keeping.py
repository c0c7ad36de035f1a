"""Keeping what a machine found out about candidates while people may be editing them."""

from collections.abc import Sequence

from django.db import transaction

from core.batches import in_batches
from generation.models import Candidate

_PORTION = 500


def keep_what_was_found(candidates: Sequence[Candidate], field: str) -> None:
    """Write a field (findings or checks) of candidates whose text is still the one that was looked at.

    One that was edited meanwhile keeps what its new text was given.
    """
    for portion in in_batches(candidates, _PORTION):
        with transaction.atomic():
            rows = Candidate.objects.select_for_update().filter(pk__in=[candidate.pk for candidate in portion])
            texts = dict(rows.values_list("pk", "text"))
            unchanged = [candidate for candidate in portion if texts.get(candidate.pk) == candidate.text]
            Candidate.objects.bulk_update(unchanged, [field])
