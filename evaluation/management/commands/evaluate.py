"""Run a model on a published release and measure it; for builds, fail where it is not good enough."""

import os
from typing import Any

from django.core.management.base import CommandError

from core.commands import DomainCommand
from core.errors import BadInput
from curation.finding import find_release
from curation.models import Release
from evaluation.models import EvaluationRun, ModelVersion
from evaluation.registry.services import load, register_model, require_first_answer, settle_spec
from evaluation.reports.junit import as_junit
from evaluation.results.documents import check_rules, read_rules
from evaluation.results.reporting import as_json
from evaluation.results.terminal import describe_cost, describe_missed, describe_results, describe_rules
from evaluation.runners.loading import name_of, runner_kinds
from evaluation.runs.costing import estimate_run
from evaluation.runs.failing import usual_error
from evaluation.runs.loaded import keep
from evaluation.runs.options import RunOptions
from evaluation.runs.services import (
    finished_run,
    languages_of,
    perform_here,
    require_published,
    start_run,
    unfinished_run,
)


class Command(DomainCommand):
    options = RunOptions

    @property
    def help(self) -> str:  # type: ignore[override]
        """Name every registered kind of runner."""
        how = " | ".join(runner.syntax for runner in runner_kinds().values() if runner.source != "none")
        return f"Run a model on a published release. SPEC: {how}. Interrupted, the same command resumes."

    def handle(self, *args: Any, **options: Any) -> None:
        self.rules: list[dict[str, Any]] = []
        super().handle(*args, **options)
        if missed := describe_missed(self.rules):
            raise CommandError(missed)

    def perform(self, chosen: RunOptions) -> dict[str, Any]:
        release = find_release(chosen.release)
        require_published(release)
        rules = read_rules(list(chosen.fail_under), release)
        spec = settle_spec(chosen.model_spec())
        runner = load(spec, release.suite.labels)
        if runner.describe()["kind"] == "upload":
            raise BadInput("Predictions made elsewhere are not run here. Give them to import_predictions.")
        require_first_answer(runner, release.suite.labels)
        version = register_model(chosen.name or name_of(chosen.model), spec, runner, by=None)
        keep(version, release.suite.labels, runner)
        run = self.run_of(release, version, chosen)
        self.tell_errors(run)
        result = as_json(release, [run])
        name, values = next(iter(result["models"].items()))
        outcomes = check_rules(rules, values)
        if rules:
            result["rules"] = self.rules = [outcome.as_json() for outcome in outcomes]
        if chosen.junit:
            document = as_junit(release.key, result["models"], {name: outcomes})
            chosen.junit.parent.mkdir(parents=True, exist_ok=True)
            chosen.junit.write_text(document, encoding="utf-8")
        return result

    def run_of(self, release: Release, version: ModelVersion, chosen: RunOptions) -> EvaluationRun:
        """Return a finished run, or the unfinished one to continue, or a new one."""
        options = languages_of(release, version, chosen.languages)
        found = None if chosen.again else finished_run(release, version, options)
        if found is None:
            self.tell_cost(release, version)
            run = unfinished_run(release, version, options) or start_run(release, version, by=None, options=options)
            found = perform_here(run, worker=f"command-{os.getpid()}", on_progress=self.show_progress)
        return found

    def tell_cost(self, release: Release, version: ModelVersion) -> None:
        """What is about to be spent, where that can be told; the run continues by itself."""
        estimate = estimate_run(release, version)
        if estimate is not None and estimate.requests:
            self.stderr.write(describe_cost(estimate))

    def tell_errors(self, run: EvaluationRun) -> None:
        """A model that could not be understood looks like one that is always wrong; so say it, and why."""
        if found := usual_error(run):
            self.stderr.write(
                f"{found.cases:,} of {run.predictions.count():,} cases got no usable answer, which is not right. "
                f"Most often: {found.error}"
            )

    def describe(self, result: dict[str, Any]) -> str:
        return describe_results(result) + describe_rules(result.get("rules", []))
