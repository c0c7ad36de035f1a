"""Running: ask until there are enough messages, keep every answer, propose candidates, screen and check them.

Run again after a crash, a stop or a failure, it reads what was answered from the store and goes on from there.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from accounts.models import User
from core.errors import DomainError
from core.inference.pacing import Pace
from core.jobs import services as jobs
from core.jobs.running import JobCancelled, JobLost
from core.models import Job
from core.permissions import require_maintainer
from core.states import move
from curation.models import TargetGroup
from generation.checks.screening import screen_run
from generation.checks.validating import check_run
from generation.models import Candidate, GenerationRun, ProviderRequest
from generation.prompts.algorithm.values import FilledPrompt
from generation.runs.algorithm.collecting import Collection, collect_messages
from generation.runs.algorithm.config import ProviderConfig
from generation.runs.algorithm.running import Result
from generation.runs.algorithm.values import Provider
from generation.runs.models import RunState
from generation.runs.planning import RunPlan, filled_prompts
from generation.runs.providers import open_provider, provider_from_json
from generation.runs.stores import DatabaseStore
from generation.states import RUN_MOVES

Progress = Callable[[int, int, str], None]


class RunBrokeOff(DomainError):
    """The provider failed or the budget is used up. What was answered is kept; the run can go on."""

    code, status = "run_broke_off", 409


@dataclass(frozen=True, slots=True)
class Watch:
    """How a run talks to whoever runs it: progress out, the wish to stop in."""

    progress: Progress = lambda done, total, message: None
    should_stop: Callable[[], bool] = lambda: False


def perform_run(run: GenerationRun, *, watch: Watch | None = None) -> dict[str, Any]:
    """Do what is left of a run and return its counts.

    Refuses a provider that cannot be opened; raises RunBrokeOff when the provider fails or the budget is used up.
    """
    watch = watch or Watch()
    move(run, RunState.RUNNING, RUN_MOVES, stopped_because="", finished_at=None)
    try:
        because = _collect_all(run, watch)
        screen_run(run, should_stop=watch.should_stop)
        if run.nli_model and not because:
            check_run(run, watch=watch.progress, should_stop=watch.should_stop)
    except (JobLost, JobCancelled):
        raise
    except Exception as error:
        # Whatever it was, the run must not look as if it were going on; the job tells the details.
        move(run, RunState.FAILED, RUN_MOVES, stopped_because=str(error), finished_at=timezone.now())
        raise
    if watch.should_stop():
        move(run, RunState.STOPPED, RUN_MOVES, stopped_because="Stopped on request.", finished_at=timezone.now())
    elif because:
        move(run, RunState.FAILED, RUN_MOVES, stopped_because=because, finished_at=timezone.now())
        raise RunBrokeOff(
            f"{because.rstrip('.')}. What was answered is kept and never paid for again: let the run go on later."
        )
    else:
        move(run, RunState.DONE, RUN_MOVES, finished_at=timezone.now())
    return dict(run.counts)


def _collect_all(run: GenerationRun, watch: Watch) -> str:
    """Ask for each group in turn; the reason why it broke off, or nothing."""
    config = provider_from_json(run.provider, seed=run.seed)
    provider = open_provider(config, should_stop=watch.should_stop)
    pace = config.pace()
    prompts = filled_prompts(plan_of(run, config))
    collected: list[Collection] = []
    total = run.wanted * len(prompts)
    because = ""
    for target, prompt in prompts:
        before = sum(len(collection.messages) for collection in collected)
        collection = _collect(run, config, provider, pace, prompt, before=before, total=total, watch=watch)
        collected.append(collection)
        because = collection.stopped_because or because or collection.fell_short_because
        _propose(run, target, collection)
        _count(run, collected)
        if collection.stopped_because:
            break
    return because


def _collect(
    run: GenerationRun,
    config: ProviderConfig,
    provider: Provider,
    pace: Pace,
    prompt: FilledPrompt,
    *,
    before: int,
    total: int,
    watch: Watch,
) -> Collection:
    store = DatabaseStore(scope=run.scope, run=run.key)
    options = config.options()
    if config.budget is not None:
        # What the run paid before it broke off, and for other groups, counts.
        options = replace(options, budget=max(0.0, config.budget - ProviderRequest.objects.paid_by(run.key).spent()))
    answered = 0

    def on_result(result: Result) -> None:
        nonlocal answered
        answered += len(result.parsed.messages)
        done = min(before + answered, total)
        watch.progress(done, total, result.error or "messages written")

    return collect_messages(
        provider,
        prompt,
        wanted=run.wanted,
        per_request=run.per_request,
        store=store,
        parameters=config.parameters,
        options=options,
        pace=pace,
        on_result=on_result,
        should_stop=watch.should_stop,
    )


@transaction.atomic
def _propose(run: GenerationRun, target: TargetGroup | None, collection: Collection) -> None:
    """Make candidates of messages that are not there yet; what people decided meanwhile stays."""
    keys = {message.request_key for message in collection.messages}
    answers = {row.key: row for row in ProviderRequest.objects.filter(scope=run.scope, key__in=keys).only("key")}
    known = set(run.candidates.values_list("request__key", "position"))
    number = run.candidates.aggregate(last=Max("number"))["last"] or 0
    rows = []
    for message in collection.messages:
        if (message.request_key, message.position) in known:
            continue
        number += 1
        text = message.text.replace("\x00", "").strip()
        rows.append(
            Candidate(
                run=run,
                number=number,
                target=target,
                request=answers[message.request_key],
                position=message.position,
                text=text,
                original_text=text,
            )
        )
    Candidate.objects.bulk_create(rows, batch_size=500)


def _count(run: GenerationRun, collected: list[Collection]) -> None:
    def total(name: str) -> int:
        return int(sum(collection.total(name) for collection in collected))

    repeated = sum(collection.repeated for collection in collected)
    paid = ProviderRequest.objects.paid_by(run.key)
    run.counts = {
        "received": sum(len(report.messages) for collection in collected for report in collection.reports),
        "candidates": run.candidates.count(),
        "repeated": repeated,
        "refusals": total("refused"),
        "unreadable": total("unreadable"),
        "failed": total("failed"),
        "asked": total("asked"),
        "reused": total("reused"),
        "paid_requests": paid.count(),
        "cost": round(paid.spent(), 6),
    }
    GenerationRun.objects.filter(pk=run.pk).update(counts=run.counts)


def plan_of(run: GenerationRun, config: ProviderConfig | None = None) -> RunPlan:
    """The plan a run was made of."""
    return RunPlan(
        suite=run.suite,
        language=run.language,
        functionality=run.functionality,
        prompt=run.prompt,
        targets=tuple(run.targets.select_related("language").order_by("name")),
        provider=config or provider_from_json(run.provider, seed=run.seed),
        wanted=run.wanted,
        per_request=run.per_request,
        seed=run.seed,
        nli_model=run.nli_model,
        rule_set=run.rule_set,
        threshold=run.threshold,
    )


@transaction.atomic
def resume_run(run: GenerationRun, *, by: User | None, ring_now: bool = True) -> None:
    """Let a stopped or failed run go on; nothing answered is asked again. `by=None` is an operator at the command line.

    Refuses everybody but maintainers, and a run that is done or under way.
    """
    if by is not None:
        require_maintainer(by)
    jobs.resume(_job(run), by=by, ring_now=ring_now)
    move(run, RunState.QUEUED, RUN_MOVES)


@transaction.atomic
def cancel_run(run: GenerationRun, *, by: User) -> None:
    """Ask a run to stop; answers under way are still kept. Refuses everybody but maintainers."""
    require_maintainer(by)
    job = _job(run)
    jobs.cancel(job, by=by)
    if job.is_finished:
        move(run, RunState.STOPPED, RUN_MOVES, stopped_because="Stopped before it began.", finished_at=timezone.now())


def _job(run: GenerationRun) -> Job:
    if run.job is None:
        raise RunBrokeOff("The job of this run was deleted. Start a new run with its settings: answers are reused.")
    return run.job
