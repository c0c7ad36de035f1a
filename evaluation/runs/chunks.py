"""Cutting a run into chunks and handing them out: a chunk has one holder, and a holder that died loses it."""

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from core.jobs.models import JobState
from core.models import Job
from evaluation.models import EvaluationRun, RunChunk
from evaluation.runners import cut_into_chunks

CHUNK = 256


@transaction.atomic
def cut(run: EvaluationRun, waiting: Sequence[tuple[int, str, int]], *, size: int = CHUNK) -> int:
    """Make the chunks of a run, once: a second caller finds those there are. Returns how many there are.

    Texts of equal length come together: a runner's batches stay full.
    """
    EvaluationRun.objects.select_for_update().get(pk=run.pk)
    there = RunChunk.objects.filter(run=run).count()
    if there:
        return there
    by_length = [case_id for case_id, _, _ in sorted(waiting, key=lambda case: case[2])]
    made = [
        RunChunk(run=run, number=number, cases=list(cases))
        for number, cases in enumerate(cut_into_chunks(by_length, size=size))
    ]
    RunChunk.objects.bulk_create(made, batch_size=200)
    return len(made)


def claim_chunk(run: EvaluationRun, *, holder: str) -> RunChunk | None:
    """Take the next free chunk, by compare-and-set. None when every chunk is done or has a holder."""
    free_abandoned(run)
    for chunk in RunChunk.objects.filter(run=run, is_done=False, holder="").order_by("number")[:20]:
        if RunChunk.objects.filter(pk=chunk.pk, is_done=False, holder="").update(holder=holder):
            return chunk
    return None


def finish_chunk(chunk: RunChunk) -> None:
    RunChunk.objects.filter(pk=chunk.pk).update(is_done=True, holder="")


def let_go(run: EvaluationRun, *, holder: str) -> None:
    """Give back what this holder has: it stops, and others shall go on at once."""
    RunChunk.objects.filter(run=run, holder=holder, is_done=False).update(holder="")


def free_abandoned(run: EvaluationRun) -> None:
    """Chunks whose job no longer holds its lease are free again."""
    holders = set(RunChunk.objects.filter(run=run, is_done=False).exclude(holder="").values_list("holder", flat=True))
    if not holders:
        return
    keys = {holder.partition("#")[0] for holder in holders}
    alive = Job.objects.filter(key__in=keys, state=JobState.RUNNING, lease_until__gte=timezone.now())
    living = {holder_name(key, attempts) for key, attempts in alive.values_list("key", "attempts")}
    dead = holders - living
    if dead:
        RunChunk.objects.filter(run=run, is_done=False, holder__in=dead).update(holder="")


def unfinished(run: EvaluationRun) -> int:
    return RunChunk.objects.filter(run=run, is_done=False).count()


def holder_name(job: str, attempt: int) -> str:
    """Return the name of a job as holder: given to another worker, it is another holder."""
    return f"{job}#{attempt}"
