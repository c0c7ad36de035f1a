"""Background work of this app."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from core.jobs.running import JobCancelled, RunningJob, light_work, model_work
from core.text import _
from generation.models import GenerationPlan, GenerationRun

if TYPE_CHECKING:
    from generation.runs.services import Watch


@model_work("generation.run", title=_("Generate messages"))
def run_generation(job: RunningJob, *, run: str) -> dict[str, Any]:
    from generation.runs.services import perform_run

    counts = perform_run(_run(run), watch=_watch(job))
    job.stop_if_asked()
    return counts


@model_work("generation.plan", title=_("Generate messages for a plan"))
def perform_generation_plan(job: RunningJob, *, plan: str) -> dict[str, Any]:
    from generation.runs.services import perform_plan

    counts = perform_plan(GenerationPlan.objects.get(key=plan), watch=_watch(job))
    job.stop_if_asked()
    return counts


def _run(key: str) -> GenerationRun:
    return GenerationRun.objects.with_names().get(key=key)


def _watch(job: RunningJob) -> Watch:
    def progress(done: int, total: int, message: str) -> None:
        # The wish to stop is heard through should_stop, so that answers under way become candidates first.
        with suppress(JobCancelled):
            job.report(done, total, message)

    from generation.runs.services import Watch

    return Watch(progress, job.should_stop)


@model_work("generation.try_prompts", title=_("Try prompts"))
def try_prompts(job: RunningJob, *, trial: dict[str, Any]) -> dict[str, Any]:
    from generation.prompts.trials import try_prompt_versions

    result = try_prompt_versions(trial, progress=job.report, should_stop=job.should_stop)
    job.stop_if_asked()
    return result


@model_work("generation.check", title=_("Check candidates"))
def check_candidates(job: RunningJob, *, run: str, model: str) -> dict[str, Any]:
    from generation.checks.validating import check_again

    return {"checked": check_again(_run(run), model=model, watch=job.report, should_stop=job.should_stop)}


@light_work("generation.decide", title=_("Decide candidates"))
def decide_candidates(job: RunningJob, *, run: str, rule: str, threshold: float) -> dict[str, Any]:
    from dataclasses import asdict

    from generation.candidates.deciding import decide_by_rule

    return asdict(decide_by_rule(_run(run), rule, by=job.requested_by, threshold=threshold, progress=job.report))


@model_work("generation.diversity", title=_("Compare diversity"))  # perplexity loads a model
def measure_diversity(job: RunningJob, *, choice: dict[str, Any]) -> dict[str, Any]:
    from generation.diversity.options import DiversityOptions
    from generation.diversity.services import compare_sets

    return compare_sets(DiversityOptions(**choice), progress=job.report, should_stop=job.should_stop)


@light_work("generation.expand", title=_("Expand templates"))
def expand_suite(job: RunningJob, *, choice: dict[str, Any]) -> dict[str, Any]:
    from generation.runs.expanding import expand_templates
    from generation.runs.options import ExpansionOptions

    options = ExpansionOptions(**choice)
    result = expand_templates(options, by=job.requested_by, progress=job.report, should_stop=job.should_stop)
    job.stop_if_asked()
    return result
