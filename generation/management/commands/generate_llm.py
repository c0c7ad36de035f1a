"""Have a language model write candidates."""

from collections import Counter
from dataclasses import asdict
from typing import Any

from django.db import transaction

from core.commands import DomainCommand
from core.errors import BadInput, Missing
from core.jobs.models import JobState
from core.jobs.services import perform
from curation.catalogue.loading import load_catalogue
from curation.catalogue.suites import require_suite_key
from curation.models import Language, Suite
from generation.candidates.deciding import Rule, decide_by_rule
from generation.checks.validating import pass_rate_cells, verdict_of
from generation.models import GenerationRun
from generation.runs.models import RunState
from generation.runs.options import PlanOptions
from generation.runs.planning import Plan, estimate_plan, filled_prompts, make_plan, start_plan
from generation.runs.providers import read_provider_file
from generation.runs.services import plan_of, resume_run

SUMMED = ("requested", "received", "refusals", "unreadable", "duplicates", "candidates", "clean", "accepted", "cost")


class Command(DomainCommand):
    help = "Have a language model write messages; they are kept, screened, checked and proposed as candidates."
    options = PlanOptions

    def perform(self, options: PlanOptions) -> dict[str, Any]:
        if options.resume:
            runs = _runs_to_resume(options)
            if runs[0].can_resume:
                resume_run(runs[0], by=None, notify=False)
            return {"suite_created": False} | self._perform(runs, options)
        needed = {"--functionality": options.functionalities, "--provider": options.provider_file}
        if missing := [flag for flag, value in needed.items() if not value]:
            raise BadInput(f"Give {' and '.join(missing)} for a new run, or --resume RUN for one that broke off.")
        load_catalogue()
        # A plan that is refused leaves no suite behind.
        with transaction.atomic():
            provider = read_provider_file(options.provider_file)
            suite, is_new = _find_or_create_suite(options)
            plan = make_plan(suite, options, provider=provider)
        if options.dry_run:
            result = _estimate(plan, options)
            if is_new:
                suite.delete()
            return result | {"suite_created": is_new}
        return {"suite_created": is_new} | self._perform(start_plan(plan, by=None, notify=False), options)

    def _perform(self, runs: list[GenerationRun], options: PlanOptions) -> dict[str, Any]:
        first = runs[0]
        job = perform(first.job.key if first.job else "", worker="generate_llm", on_progress=self.show_progress)
        for run in runs:
            run.refresh_from_db()
        if job is None or job.state != JobState.DONE:
            kept = sum(run.candidates.count() for run in runs)
            name = first.plan.key if first.plan else first.key
            raise BadInput(
                f"{job.reason or job.message if job else 'Another worker has the job.'} {name} keeps {kept} "
                f"candidates; resume it on its page, or with generate_llm {first.suite.key} --resume {name}."
            )
        results = [_result(run, list(options.groups), accept=options.accept_passing) for run in runs]
        return results[0] if first.plan is None else _together(runs, results)

    def describe(self, result: dict[str, Any]) -> str:
        if "estimate" in result:
            return (
                f"{result['prompt']['system']}\n\n{result['prompt']['user']}\n\n"
                f"{result['requested']} messages, {result['estimate']['requests']} requests, "
                f"cost {result['estimate']['cost']:.4f}; at most {result['estimate']['most_requests']} requests, "
                f"{result['estimate']['most_cost']:.4f}."
            )
        skipped = "".join(f"\nSkipped: {reason}" for reason in result.get("skipped", ()))
        return (
            f"{result.get('plan') or result['run']}: {result['candidates']} candidates of {result['requested']} wanted "
            f"({result['clean']} clean, {result['duplicates']} duplicates, {result['refusals']} refusals, "
            f"{result['accepted']} accepted); cost {result['cost']:.4f}.{skipped}"
        )


def _result(run: GenerationRun, groups: list[str], *, accept: bool) -> dict[str, Any]:
    """Return what came of one run."""
    accepted = 0
    if accept:
        rule = Rule.ACCEPT_PASSING if run.nli_model else Rule.ACCEPT_CLEAN
        accepted = decide_by_rule(run, rule, by=None).accepted
    candidates = list(run.candidates.all())
    found = Counter(check for one in candidates for check in {finding["check"] for finding in one.findings})
    groups = groups or [target.name for target in run.targets.all()]
    return {
        "suite": run.suite.key,
        "language": run.language.code,
        "functionality": run.functionality.key,
        "group": groups[0] if len(groups) == 1 else groups,
        "requested": plan_of(run).requested,
        "run": run.key,
        "state": run.state,
        "model": run.model,
        "seed": run.seed,
        "received": run.counts["received"],
        "refusals": run.counts["refusals"],
        "unreadable": run.counts["unreadable"],
        "duplicates": run.counts["repeated"] + found["duplicate"] + found["near_duplicate"],
        "candidates": len(candidates),
        "clean": sum(candidate.is_clean for candidate in candidates),
        "findings": dict(found),
        "passing": sum(verdict_of(one.checks, run).passed is True for one in candidates) if run.nli_model else None,
        "accepted": accepted,
        "requests": {"asked": run.counts["asked"], "reused": run.counts["reused"]},
        "cost": run.counts["cost"],
    }


def _together(runs: list[GenerationRun], results: list[dict[str, Any]]) -> dict[str, Any]:
    """Return what came of the runs of a plan: sums, one table of pass rates, and each run."""
    first = runs[0]
    cells = pass_rate_cells(runs, threshold=first.threshold)
    return {
        "suite": first.suite.key,
        "plan": first.plan.key if first.plan else "",
        "skipped": first.plan.skipped_reasons if first.plan else [],
        "model": first.model,
        **{name: sum(result[name] for result in results) for name in SUMMED},
        "passing": sum(result["passing"] for result in results) if first.nli_model else None,
        "requests": dict(sum((Counter(result["requests"]) for result in results), Counter())),
        "pass_rates": [asdict(cell) | {"rate": cell.rate} for cell in cells],
        "runs": results,
    }


def _runs_to_resume(options: PlanOptions) -> list[GenerationRun]:
    """Return the run of that key with all runs of its plan, or the runs of a plan.

    Refuses one there is not, one that is done, and settings of a new run.
    """
    new = {"--functionality": options.functionalities, "--provider": options.provider_file}
    if changed := [flag for flag, value in new.items() if value]:
        raise BadInput(f"A run is resumed with its own settings: leave out {', '.join(changed)}.")
    runs = GenerationRun.objects.with_names().filter(suite__key=options.suite)
    run = runs.filter(key=options.resume).first() or runs.filter(plan__key=options.resume).first()
    if run is None:
        raise Missing(f"There is no run or plan '{options.resume}' in the suite '{options.suite}'.")
    found = list(runs.filter(plan=run.plan).in_order()) if run.plan else [run]
    if all(one.state == RunState.DONE for one in found):
        raise BadInput(f"{options.resume} is done. For more messages start another run with another --seed.")
    return found


def _estimate(plan: Plan, options: PlanOptions) -> dict[str, Any]:
    first = plan.runs[0]
    prompt = filled_prompts(first)[0][1]
    estimate = estimate_plan(plan)
    groups = list(options.groups)
    return {
        "suite": plan.suite.key,
        "language": first.language.code,
        "functionality": first.functionality.key,
        "group": groups[0] if len(groups) == 1 else groups,
        "requested": plan.requested,
        "runs": len(plan.runs),
        "skipped": list(plan.skipped),
        "dry_run": True,
        "estimate": asdict(estimate),
        "cost": estimate.cost,
        "prompt": {"system": prompt.system, "user": prompt.user},
    }


def _find_or_create_suite(options: PlanOptions) -> tuple[Suite, bool]:
    """Return the suite, and whether it is new: then it has the languages of the plan, or English."""
    suite = Suite.objects.filter(key=options.suite).first()
    if suite is not None:
        return suite, False
    require_suite_key(options.suite)
    suite = Suite.objects.create(key=options.suite, name=options.suite)
    suite.languages.set(Language.objects.filter(code__in=options.languages or ["en"]))
    return suite, True
