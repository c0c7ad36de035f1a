"""Import predictions computed elsewhere and measure them."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from curation.commands import DomainCommand, find_release
from evaluation.command_tables import describe_results
from evaluation.services.reporting import as_json
from evaluation.services.uploading import import_predictions


class Command(DomainCommand):
    help = "Import a file of predictions (CSV or JSONL) for a published release and measure them."

    def add_domain_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("release", metavar="SUITE@VERSION")
        parser.add_argument("--model", required=True, help="its name, and its column where the file has several")
        parser.add_argument("--path", required=True, type=Path)
        parser.add_argument("--allow-missing", action="store_true", help="missing cases count as unanswered")

    def perform(self, **options: Any) -> dict[str, Any]:
        release = find_release(options["release"])
        run = import_predictions(
            release, options["path"], model=options["model"], allow_missing=options["allow_missing"]
        )
        return as_json(release, [run])

    def describe(self, result: dict[str, Any]) -> str:
        return describe_results(result)
