"""Versions of a prompt tried on one small batch each at temperature 0, so that the wording is the only difference."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from typing import Any

from accounts.models import Action, User
from accounts.services import audit
from core.errors import BadInput
from core.jobs.services import request_job
from core.models import Job
from core.permissions import require_maintainer
from core.text import _, catalogue_name
from curation.models import Suite, TargetGroup
from generation.models import Prompt
from generation.prompts.algorithm.trial import TRIAL_TEMPERATURE, try_versions
from generation.prompts.algorithm.values import FilledPrompt
from generation.prompts.options import MOST_MESSAGES
from generation.prompts.services import fill
from generation.runs.algorithm.config import ProviderConfig
from generation.runs.algorithm.running import RunReport, run_requests
from generation.runs.algorithm.values import Request
from generation.runs.models import scope_of
from generation.runs.providers import open_provider, provider_as_json, provider_from_json
from generation.runs.stores import DatabaseStore

MOST_VERSIONS = 5


def request_trial(
    prompts: Sequence[Prompt],
    *,
    suite: Suite,
    target: TargetGroup | None,
    provider: ProviderConfig,
    count: int,
    by: User,
) -> Job:
    """Queue a trial of versions of one prompt. Refuses everyone but maintainers: it may cost money."""
    require_maintainer(by)
    if not 1 <= len(prompts) <= MOST_VERSIONS or not 1 <= count <= MOST_MESSAGES:
        raise BadInput(
            _(
                "Choose 1 to %(versions)s versions and 1 to %(messages)s messages.",
                versions=MOST_VERSIONS,
                messages=MOST_MESSAGES,
            )
        )
    for prompt in prompts:
        fill(prompt, suite=suite, target=target, count=count)
    first = prompts[0]
    trial = {
        "prompts": [prompt.pk for prompt in prompts],
        "suite": suite.pk,
        "target": target.pk if target else None,
        "provider": provider_as_json(provider),
        "count": count,
    }
    title = _(
        "Try versions of the prompt for %(functionality)s", functionality=catalogue_name(first.functionality.title)
    )
    job = request_job("generation.try_prompts", {"trial": trial}, title=title, by=by)
    audit.record(by, Action.GENERATION_REQUESTED, first, trial=True, versions=[prompt.number for prompt in prompts])
    return job


def try_prompt_versions(
    trial: dict[str, Any],
    *,
    progress: Callable[[int, int, str], None] = lambda done, total, message: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> dict[str, Any]:
    """Ask for one batch per version and return the messages with figures to compare them by."""
    config = provider_from_json(trial["provider"])
    suite = Suite.objects.get(pk=trial["suite"])
    target = TargetGroup.objects.select_related("language").get(pk=trial["target"]) if trial["target"] else None
    prompts = Prompt.objects.select_related("language", "functionality").in_bulk(trial["prompts"])
    filled = {
        f"version {prompts[key].number}": fill(prompts[key], suite=suite, target=target, count=trial["count"])
        for key in trial["prompts"]
    }
    provider = open_provider(config, should_stop=should_stop)
    store = DatabaseStore(scope=scope_of(provider_as_json(config)), run="trial")
    pace = config.pace()
    reports: list[RunReport] = []

    def ask(prompt: FilledPrompt, temperature: float) -> list[str]:
        request = Request(prompt, provider.model, replace(config.parameters, temperature=temperature))
        # The budget is the trial's, not each version's.
        left = None if config.budget is None else max(0.0, config.budget - sum(item.spent for item in reports))
        options = replace(config.options(), budget=left)
        report = run_requests(provider, [request], store=store, options=options, pace=pace, should_stop=should_stop)
        if not should_stop() and (report.stopped_because or report.failed):
            raise BadInput(report.stopped_because or report.results[0].error)
        reports.append(report)
        progress(len(reports), len(filled), _("versions tried"))
        return report.messages

    trials = try_versions(filled, ask=ask, should_stop=should_stop)
    outcomes = [
        asdict(trial) | {"why_empty": _why_empty(report)} for trial, report in zip(trials, reports, strict=True)
    ]
    return {"temperature": TRIAL_TEMPERATURE, "trials": outcomes}


def _why_empty(report: RunReport) -> str:
    if report.messages:
        return ""
    return _("The model declined.") if report.refused else _("No messages could be read from the answer.")
