"""Run a model on a published release and measure it; for builds, fail where it is not good enough."""

import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from core.commands import DomainCommand
from core.errors import BadInput
from curation.finding import find_release
from curation.models import Release
from evaluation.models import EvaluationRun, ModelVersion
from evaluation.registry.services import Spec, load, name_of, register_model, settle_spec
from evaluation.reports.junit import as_junit
from evaluation.results.documents import check_rules, read_rules
from evaluation.results.reporting import as_json
from evaluation.results.terminal import RULES, describe_cost, describe_missed, describe_results, describe_rules
from evaluation.runs.costing import estimate_run
from evaluation.runs.failing import usual_error
from evaluation.runs.loaded import keep
from evaluation.runs.services import finished_run, perform_here, require_published, start_run, unfinished_run


class Command(DomainCommand):
    help = (
        "Run a model on a published release. SPEC: hf:PATH_OR_ID | http:FILE.yaml | chat:FILE.yaml | nli:PATH_OR_ID | "
        "linear:FOLDER | python:module:callable | command:NAME. Interrupted, the same command goes on where it was."
    )

    def add_domain_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("release", metavar="SUITE@VERSION")
        parser.add_argument("--model", required=True, metavar="SPEC")
        parser.add_argument(
            "--label-map",
            nargs="+",
            action="extend",
            default=[],
            metavar="CLASS=LABEL",
            help="for hf: models whose class names do not tell: LABEL_0=non-hateful LABEL_1=hateful",
        )
        parser.add_argument("--name", help="what to call the model; default: the last part of SPEC")
        parser.add_argument(
            "--fail-under",
            nargs="+",
            action="extend",
            default=[],
            metavar="RULE",
            help=RULES,
        )
        parser.add_argument("--junit", type=Path, metavar="FILE", help="write JUnit XML for a build server")
        parser.add_argument("--again", action="store_true", help="make a new run although a finished one is there")

    def handle(self, *args: Any, **options: Any) -> None:
        self.rules: list[dict[str, Any]] = []
        super().handle(*args, **options)
        if missed := describe_missed(self.rules):
            raise CommandError(missed)

    def perform(self, **options: Any) -> dict[str, Any]:
        release = find_release(options["release"])
        require_published(release)
        rules = read_rules(options["fail_under"], release)
        spec = with_labels(options["model"], options["label_map"])
        runner = load(spec, release.suite.labels)
        if runner.describe()["kind"] == "upload":
            raise BadInput("Predictions made elsewhere are not run here. Give them to import_predictions.")
        version = register_model(options["name"] or name_of(options["model"]), spec, runner, by=None)
        keep(version, release.suite.labels, runner)
        run = self.run_of(release, version, again=options["again"])
        self.tell_errors(run)
        result = as_json(release, [run])
        name, values = next(iter(result["models"].items()))
        outcomes = check_rules(rules, values)
        if rules:
            result["rules"] = self.rules = [outcome.as_json() for outcome in outcomes]
        if options["junit"]:
            document = as_junit(release.key, result["models"], {name: outcomes})
            options["junit"].parent.mkdir(parents=True, exist_ok=True)
            options["junit"].write_text(document, encoding="utf-8")
        return result

    def run_of(self, release: Release, version: ModelVersion, *, again: bool) -> EvaluationRun:
        """A finished run, or the unfinished one to go on with, or a new one."""
        found = None if again else finished_run(release, version)
        if found is None:
            self.tell_cost(release, version)
            run = unfinished_run(release, version) or start_run(release, version, by=None)
            found = perform_here(run, worker=f"command-{os.getpid()}", on_progress=self.show_progress)
        return found

    def tell_cost(self, release: Release, version: ModelVersion) -> None:
        """What is about to be spent, where that can be told; it goes on by itself."""
        estimate = estimate_run(release, version)
        if estimate is not None and estimate.requests:
            self.stderr.write(describe_cost(estimate))

    def tell_errors(self, run: EvaluationRun) -> None:
        """A model that could not be understood looks like one that is always wrong; so say it, and why."""
        if found := usual_error(run):
            self.stderr.write(
                f"{found.cases:,} of {run.predictions.count():,} cases got no usable answer and count as wrong. "
                f"Most often: {found.error}"
            )

    def describe(self, result: dict[str, Any]) -> str:
        return describe_results(result) + describe_rules(result.get("rules", []))


def with_labels(spec: str, pairs: list[str]) -> Spec:
    """The spec with a label map in it. Refuses one for a model that is described by a file or is no hf: model."""
    if not pairs:
        return spec
    kind, _, target = spec.partition(":")
    if kind != "hf" or target.endswith((".yaml", ".yml")):
        raise BadInput(
            "--label-map is for hf:FOLDER_OR_ID. Write labels: {CLASS: LABEL} into the file of other models."
        )
    if wrong := [pair for pair in pairs if "=" not in pair]:
        raise BadInput(f"'{wrong[0]}' is not CLASS=LABEL. Write for example LABEL_1=hateful.")
    labels = {name.strip(): label.strip() for name, _, label in (pair.partition("=") for pair in pairs)}
    return {"kind": kind, "model": str(settle_spec(spec)).partition(":")[2], "labels": labels}
