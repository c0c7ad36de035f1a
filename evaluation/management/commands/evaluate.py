"""Run a model on a published release and measure it."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from curation.commands import DomainCommand, find_release
from evaluation.command_tables import describe_results
from evaluation.services.registry import load, name_of, register_model
from evaluation.services.reporting import as_json
from evaluation.services.running import predict_run, start_run


class Command(DomainCommand):
    help = "Run a model on a published release. SPEC: hf:PATH_OR_ID | http:FILE.yaml | chat:FILE.yaml | ..."

    def add_domain_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("release", metavar="SUITE@VERSION")
        parser.add_argument("--model", required=True, metavar="SPEC")
        parser.add_argument("--name", help="what to call the model; default: the last part of SPEC")

    def perform(self, **options: Any) -> dict[str, Any]:
        release = find_release(options["release"])
        runner = load(options["model"], release.suite)
        version = register_model(options["name"] or name_of(options["model"]), options["model"], runner, by=None)
        run = start_run(release, version, by=None)
        predict_run(run, runner, progress=self.show_progress)
        return as_json(release, [run])

    def describe(self, result: dict[str, Any]) -> str:
        return describe_results(result)
