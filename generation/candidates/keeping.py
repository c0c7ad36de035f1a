"""What is kept about candidates: findings and scores, while people may be editing them, and their provenance."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction

from core.batches import in_batches
from core.text import recall
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


def provenance_of(candidate: Candidate) -> dict[str, Any]:
    """Return what a case keeps of where it came from."""
    run, request = candidate.run, candidate.request
    kept: dict[str, Any] = {
        "run": run.key,
        "candidate": candidate.number,
        "provider": run.provider.get("name", ""),
        "model": request.model,
        "prompt": {"version": run.prompt.number, "sha256": request.prompt_sha256},
        "parameters": request.parameters,
        "seed": request.seed,
        "request": request.key,
        "checks": recall(candidate.checks),  # in plain English: a release is the same whoever reads it
    }
    if candidate.is_edited:
        kept["original_text"] = candidate.original_text
    return kept
