"""Background work of this app."""

from contextlib import suppress
from typing import Any

from core.jobs.running import JobCancelled, RunningJob, light_work, model_work
from generation.models import GenerationRun


@model_work("generation.run")
def run_generation(job: RunningJob, *, run: str) -> dict[str, Any]:
    from generation.runs.services import Watch, perform_run

    found = GenerationRun.objects.select_related("suite", "language", "functionality", "prompt").get(key=run)

    def progress(done: int, total: int, message: str) -> None:
        # The wish to stop is heard through should_stop, so that answers under way become candidates first.
        with suppress(JobCancelled):
            job.report(done, total, message)

    counts = perform_run(found, watch=Watch(progress, job.should_stop))
    job.stop_if_asked()
    return counts


@model_work("generation.try_prompts")
def try_prompts(job: RunningJob, *, trial: dict[str, Any]) -> dict[str, Any]:
    from generation.prompts.trials import try_prompt_versions

    result = try_prompt_versions(trial, progress=job.report, should_stop=job.should_stop)
    job.stop_if_asked()
    return result


@model_work("generation.check")
def check_candidates(job: RunningJob, *, run: str, model: str) -> dict[str, Any]:
    from generation.checks.validating import check_again

    found = GenerationRun.objects.select_related("suite", "language", "functionality", "prompt").get(key=run)
    return {"checked": check_again(found, model=model, watch=job.report, should_stop=job.should_stop)}


@light_work("generation.decide")
def decide_candidates(job: RunningJob, *, run: str, rule: str, threshold: float) -> dict[str, Any]:
    from dataclasses import asdict

    from generation.candidates.deciding import decide_by_rule

    found = GenerationRun.objects.select_related("suite", "language", "functionality", "prompt").get(key=run)
    return asdict(decide_by_rule(found, rule, by=job.requested_by, threshold=threshold, progress=job.report))


@model_work("generation.diversity")  # perplexity loads a model
def measure_diversity(job: RunningJob, *, choice: dict[str, Any]) -> dict[str, Any]:
    from generation.diversity.services import compare_sets

    return compare_sets(**choice, progress=job.report, should_stop=job.should_stop)


@light_work("generation.expand")
def expand_suite(job: RunningJob, *, choice: dict[str, Any]) -> dict[str, Any]:
    from generation.runs.expanding import ExpansionChoice, expand_templates

    result = expand_templates(
        ExpansionChoice.from_json(choice), by=job.requested_by, progress=job.report, should_stop=job.should_stop
    )
    job.stop_if_asked()
    return result
