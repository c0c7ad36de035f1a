"""Perform runs: ask until there are enough messages, keep every answer, propose candidates, screen and check them.

A run that is resumed after a crash, a stop or a failure reads what was answered from the store.
"""

from collections import Counter
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
from core.text import _, catalogue_name
from curation.models import TargetGroup
from generation.checks.screening import screen_run
from generation.checks.validating import check_run
from generation.models import Candidate, GenerationPlan, GenerationRun, ProviderRequest
from generation.prompts.algorithm.values import FilledPrompt
from generation.runs.algorithm.collecting import Collection, collect_messages
from generation.runs.algorithm.config import ProviderConfig
from generation.runs.algorithm.running import Result
from generation.runs.algorithm.values import Provider
from generation.runs.models import RunState
from generation.runs.planning import RunPlan, filled_prompts
from generation.runs.providers import open_provider, provider_from_json
from generation.runs.stores import DatabaseStore
from generation.sentences import one_after_another, sentence_of
from generation.states import RUN_MOVES

Progress = Callable[[int, int, str], None]


class RunInterrupted(DomainError):
    """The provider failed or the budget is used up. What was answered is kept; the run can be resumed.

    `because` is the bare reason. `ends_plan` says that further runs with this provider would fail alike.
    """

    code, status = "run_interrupted", 409

    def __init__(self, title: str, *, because: str = "", ends_plan: bool = False) -> None:
        super().__init__(title)
        self.because, self.ends_plan = because, ends_plan


@dataclass(frozen=True, slots=True)
class Watch:
    """How a run reports progress, and learns that it shall stop."""

    progress: Progress = lambda done, total, message: None
    should_stop: Callable[[], bool] = lambda: False


def perform_plan(plan: GenerationPlan, *, watch: Watch | None = None) -> dict[str, Any]:
    """Do what is left of the runs of a plan and return their counts together.

    A run that lacks messages does not keep the others from running. Raises RunInterrupted when one lacks messages, the
    provider fails or the budget is used up.
    """
    watch = watch or Watch()
    runs = list(plan.runs.with_names().in_order())
    total = sum(run.wanted * max(1, run.targets.count()) for run in runs)
    before = 0
    problems: list[str] = []
    for run in runs:
        size = run.wanted * max(1, run.targets.count())
        if run.state != RunState.DONE and not watch.should_stop():

            def progress(done: int, of: int, message: str, start: int = before, part: int = size) -> None:
                watch.progress(start + part * done // max(1, of), total, message)

            try:
                perform_run(run, watch=Watch(progress, watch.should_stop))
            except RunInterrupted as error:
                problems.append(
                    _(
                        "%(functionality)s, %(language)s: %(reason)s",
                        functionality=catalogue_name(run.functionality.title),
                        language=catalogue_name(run.language.name),
                        reason=error.because,
                    )
                )
                if error.ends_plan:
                    break
        before += size
    if problems:
        raise RunInterrupted(
            _(
                "Some runs lack messages. Answers so far are kept and will not be paid for again. "
                "Resume the plan later. %(reasons)s",
                reasons=one_after_another(problems[:3]),
            )
        )
    counts: Counter[str] = Counter()
    for run in runs:
        counts.update(run.counts)
    return {"runs": len(runs), **counts, "cost": round(counts["cost"], 6)}


def perform_run(run: GenerationRun, *, watch: Watch | None = None) -> dict[str, Any]:
    """Do what is left of a run and return its counts.

    Refuses a provider that cannot be opened; raises RunInterrupted when the provider fails or the budget is used up.
    """
    watch = watch or Watch()
    move(run, RunState.RUNNING, RUN_MOVES, stopped_because="", finished_at=None)
    try:
        because, ends_plan = _collect_all(run, watch)
        screen_run(run, should_stop=watch.should_stop)
        if run.nli_model and not because:
            check_run(run, watch=watch.progress, should_stop=watch.should_stop)
    except (JobLost, JobCancelled):
        raise
    except Exception as error:
        # Whatever it was, the run must not look as if it were still running; the job tells the details.
        move(run, RunState.FAILED, RUN_MOVES, stopped_because=sentence_of(error), finished_at=timezone.now())
        raise
    if watch.should_stop():
        move(run, RunState.STOPPED, RUN_MOVES, stopped_because=_("Stopped on request."), finished_at=timezone.now())
    elif because:
        move(run, RunState.FAILED, RUN_MOVES, stopped_because=because, finished_at=timezone.now())
        raise RunInterrupted(
            _(
                "The run lacks messages. Answers so far are kept and will not be paid for again. "
                "Resume the run later. Reason: %(reason)s",
                reason=because,
            ),
            because=because,
            ends_plan=ends_plan,
        )
    else:
        move(run, RunState.DONE, RUN_MOVES, finished_at=timezone.now())
    return dict(run.counts)


def _collect_all(run: GenerationRun, watch: Watch) -> tuple[str, bool]:
    """Ask for each group in turn. Returns why messages are missing, if they are, and whether the provider stopped."""
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
            return because, True
    return because, False


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
        # What was paid before an interruption, for other groups, and by other runs of the plan, counts.
        keys = run.plan.runs.values_list("key", flat=True) if run.plan else [run.key]
        spent = ProviderRequest.objects.paid_by(*keys).spent()
        options = replace(options, budget=max(0.0, config.budget - spent))
    answered = 0

    def on_result(result: Result) -> None:
        nonlocal answered
        answered += len(result.parsed.messages)
        done = min(before + answered, total)
        watch.progress(done, total, result.error or _("messages written"))

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
    """Return the plan that a run was made of."""
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
def resume_run(run: GenerationRun, *, by: User | None, notify: bool = True) -> None:
    """Resume a stopped or failed run with all runs of its plan; nothing answered is asked again.

    `by=None` is an operator at the command line. Refuses everyone but maintainers, and what is done or under way.
    """
    if by is not None:
        require_maintainer(by)
    jobs.resume(_job(run), by=by, ring_now=notify)
    for one in _unfinished(run):
        move(one, RunState.QUEUED, RUN_MOVES)
    run.refresh_from_db()


@transaction.atomic
def cancel_run(run: GenerationRun, *, by: User) -> None:
    """Ask a run, with all runs of its plan, to stop; answers under way are kept. Refuses everyone but maintainers."""
    require_maintainer(by)
    job = _job(run)
    jobs.cancel(job, by=by)
    if job.is_finished:
        facts = {"stopped_because": _("Stopped before it started."), "finished_at": timezone.now()}
        for one in _unfinished(run):
            move(one, RunState.STOPPED, RUN_MOVES, **facts)
        run.refresh_from_db()


def _unfinished(run: GenerationRun) -> list[GenerationRun]:
    """Return the runs of a run's job that are not done."""
    return list(GenerationRun.objects.filter(job=run.job).exclude(state=RunState.DONE))


def _job(run: GenerationRun) -> Job:
    if run.job is None:
        raise RunInterrupted(
            _("The job of this run was deleted. Start a new run with the same settings; its answers are reused.")
        )
    return run.job
