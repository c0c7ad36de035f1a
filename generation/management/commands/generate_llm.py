"""Have a language model write candidates."""

from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
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
from generation.checks.validating import verdict_of
from generation.models import GenerationRun
from generation.prompts.services import load_prompts
from generation.runs.groups import find_targets
from generation.runs.models import RunState
from generation.runs.planning import RunPlan, estimate_run, filled_prompts, find_functionality, plan_run, start_run
from generation.runs.providers import read_provider_file
from generation.runs.services import plan_of, resume_run


class Command(DomainCommand):
    help = "Have a language model write messages; they are kept, screened, checked and proposed as candidates."

    def add_domain_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("suite", help="made if there is none of that key")
        parser.add_argument("--functionality", help="key; needed unless --resume")
        parser.add_argument("--group", action="append", default=[], help="key of a group; may be given several times")
        parser.add_argument("--provider", type=Path, help="YAML file, see docs/generation.md; needed unless --resume")
        parser.add_argument("--n", type=int, help="messages per group; needed unless --resume")
        parser.add_argument("--resume", metavar="RUN", help="let a run that broke off go on; nothing is asked twice")
        parser.add_argument("--per-request", type=int, default=10, help="messages asked for at once")
        parser.add_argument("--language", default="", help="default: English, or the suite's only language")
        parser.add_argument("--seed", type=int, help="default: the provider file's; another seed gives other answers")
        parser.add_argument("--nli", default="", help="inference model (folder or hub id) that checks the messages")
        parser.add_argument("--threshold", type=float, default=0.5, help="a hypothesis holds above it")
        parser.add_argument(
            "--accept-passing",
            action="store_true",
            help="make cases of candidates that are clean and, with --nli, pass",
        )
        parser.add_argument("--dry-run", action="store_true", help="only show the prompt and what it may cost")

    def perform(self, **options: Any) -> dict[str, Any]:
        if options["resume"]:
            return self._go_on(_run_to_resume(options), options)
        missing = [f"--{name}" for name in ("functionality", "provider", "n") if options[name] is None]
        if missing:
            raise BadInput(f"Give {', '.join(missing)} for a new run, or --resume RUN for one that broke off.")
        load_catalogue()
        load_prompts()
        # A plan that is refused leaves no suite behind.
        with transaction.atomic():
            plan, is_new = _plan(options)
        about = _about(plan, list(options["group"])) | {"suite_created": is_new}
        if options["dry_run"]:
            result = about | _estimate(plan)
            if is_new:
                plan.suite.delete()
            return result
        return about | self._perform(start_run(plan, by=None, ring_now=False), options)

    def _go_on(self, run: GenerationRun, options: dict[str, Any]) -> dict[str, Any]:
        if run.can_go_on:
            resume_run(run, by=None, ring_now=False)
        plan = plan_of(run)
        about = _about(plan, [target.name for target in plan.targets]) | {"suite_created": False}
        return about | self._perform(run, options)

    def _perform(self, run: GenerationRun, options: dict[str, Any]) -> dict[str, Any]:
        job = perform(run.job.key if run.job else "", worker="generate_llm", on_progress=self.show_progress)
        run.refresh_from_db()
        if job is None or job.state != JobState.DONE:
            raise BadInput(
                f"{job.reason or job.message if job else 'Another worker has the job.'} Run {run.key} keeps "
                f"{run.candidates.count()} candidates; let it go on from its page, or with "
                f"generate_llm {run.suite.key} --resume {run.key}."
            )
        return self._result(run, accept=options["accept_passing"])

    def _result(self, run: GenerationRun, *, accept: bool) -> dict[str, Any]:
        accepted = 0
        if accept:
            rule = Rule.ACCEPT_PASSING if run.nli_model else Rule.ACCEPT_CLEAN
            accepted = decide_by_rule(run, rule, by=None).accepted
        candidates = list(run.candidates.all())
        verdicts = [verdict_of(item.checks, run) for item in candidates]
        found: dict[str, int] = {}
        for candidate in candidates:
            for check in {finding["check"] for finding in candidate.findings}:
                found[check] = found.get(check, 0) + 1
        return {
            "run": run.key,
            "state": run.state,
            "model": run.model,
            "seed": run.seed,
            "received": run.counts["received"],
            "refusals": run.counts["refusals"],
            "unreadable": run.counts["unreadable"],
            "duplicates": run.counts["repeated"] + found.get("duplicate", 0) + found.get("near_duplicate", 0),
            "candidates": len(candidates),
            "clean": sum(candidate.is_clean for candidate in candidates),
            "findings": found,
            "passing": sum(verdict.passed is True for verdict in verdicts) if run.nli_model else None,
            "accepted": accepted,
            "requests": {"asked": run.counts["asked"], "reused": run.counts["reused"]},
            "cost": run.counts["cost"],
        }

    def describe(self, result: dict[str, Any]) -> str:
        if "run" not in result:
            return (
                f"{result['prompt']['system']}\n\n{result['prompt']['user']}\n\n"
                f"{result['requested']} messages, {result['estimate']['requests']} requests, "
                f"cost {result['estimate']['cost']:.4f}; at most {result['estimate']['most_requests']} requests, "
                f"{result['estimate']['most_cost']:.4f}."
            )
        return (
            f"{result['run']}: {result['candidates']} candidates of {result['requested']} wanted "
            f"({result['clean']} clean, {result['duplicates']} duplicates, {result['refusals']} refusals, "
            f"{result['accepted']} accepted); cost {result['cost']:.4f}."
        )


def _about(plan: RunPlan, groups: list[str]) -> dict[str, Any]:
    return {
        "suite": plan.suite.key,
        "language": plan.language.code,
        "functionality": plan.functionality.key,
        "group": groups[0] if len(groups) == 1 else groups,
        "requested": plan.requested,
    }


def _run_to_resume(options: dict[str, Any]) -> GenerationRun:
    """The run of that key in the suite. Refuses one there is not, one that is done, and settings of a new run."""
    changed = [f"--{name}" for name in ("functionality", "provider", "n") if options[name] is not None]
    if changed:
        raise BadInput(f"A run goes on with its own settings: leave out {', '.join(changed)}.")
    runs = GenerationRun.objects.select_related("suite", "language", "functionality", "prompt", "job")
    run = runs.filter(suite__key=options["suite"], key=options["resume"]).first()
    if run is None:
        raise Missing(f"There is no run '{options['resume']}' in the suite '{options['suite']}'.")
    if run.state == RunState.DONE:
        raise BadInput(f"Run {run.key} is done. For more messages start another one with another --seed.")
    return run


def _plan(options: dict[str, Any]) -> tuple[RunPlan, bool]:
    provider = read_provider_file(options["provider"])
    functionality = find_functionality(options["functionality"])
    suite, language, is_new = _suite_and_language(options["suite"], options["language"])
    plan = plan_run(
        suite,
        language,
        functionality,
        targets=find_targets(language, options["group"]),
        provider=provider,
        wanted=options["n"],
        per_request=options["per_request"],
        seed=options["seed"],
        nli_model=options["nli"],
        threshold=options["threshold"],
    )
    return plan, is_new


def _estimate(plan: RunPlan) -> dict[str, Any]:
    prompt = filled_prompts(plan)[0][1]
    estimate = estimate_run(plan)
    return {
        "dry_run": True,
        "estimate": asdict(estimate),
        "cost": estimate.cost,
        "prompt": {"system": prompt.system, "user": prompt.user},
    }


def _suite_and_language(key: str, code: str) -> tuple[Suite, Language, bool]:
    """The suite, made if it is new, and the language to write in."""
    suite = Suite.objects.filter(key=key).first()
    languages = list(suite.languages.all()) if suite else []
    if code or not languages:
        language = Language.objects.filter(code=code or "en").first()
        if language is None:
            known = ", ".join(Language.objects.order_by("code").values_list("code", flat=True))
            raise Missing(f"There is no language '{code}'. Known: {known}.")
    else:
        language = next((item for item in languages if item.code == "en"), languages[0])
        if len(languages) > 1 and language.code != "en":
            raise BadInput(f"'{key}' has several languages: name one with --language.")
    if suite is not None:
        return suite, language, False
    require_suite_key(key)
    suite = Suite.objects.create(key=key, name=key)
    suite.languages.add(language)
    return suite, language, True
