"""Measure finished runs again, after an upgrade that computes figures differently."""

from argparse import ArgumentParser
from typing import Any

from core.commands import DomainCommand
from curation.finding import find_release
from evaluation.runs.scoring import rescore_runs


class Command(DomainCommand):
    help = "Measure finished runs again from their stored predictions. No model is asked."

    def add_domain_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("release", nargs="?", metavar="SUITE@VERSION", help="default: all releases")

    def perform(self, **options: Any) -> dict[str, Any]:
        release = find_release(options["release"]) if options["release"] else None
        return {"rescored": [run.key for run in rescore_runs(release)]}

    def describe(self, result: dict[str, Any]) -> str:
        number = len(result["rescored"])
        return f"{number} {'run' if number == 1 else 'runs'} measured again."
