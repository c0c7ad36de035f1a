"""Write the working set of a suite."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from core.commands import DomainCommand
from curation.exporting.cases import export_cases
from curation.finding import find_suite


class Command(DomainCommand):
    help = "Write the working set of a suite as CSV."

    def add_domain_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("suite")
        parser.add_argument("--out", required=True, type=Path)

    def perform(self, **options: Any) -> dict[str, Any]:
        suite = find_suite(options["suite"])
        return {"suite": suite.key, "cases": export_cases(suite, options["out"]), "file": str(options["out"])}

    def describe(self, result: dict[str, Any]) -> str:
        return f"{result['cases']} cases written to {result['file']}."
