"""Write a suite in a published format."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from core.commands import DomainCommand
from curation.exporting.suites import export_suite, usual_format
from curation.finding import find_suite
from curation.formats.registry import written_formats


class Command(DomainCommand):
    help = (
        "Write a suite as plain CSV (its cases), or in the format of HateCheck or MHC with the words and labels that "
        "were imported. Words and labels made here are not in it."
    )

    def add_domain_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("suite")
        parser.add_argument(
            "--format", choices=written_formats(), help="default: the format it was imported from, else csv"
        )
        parser.add_argument("--out", required=True, type=Path, help="a folder")

    def perform(self, **options: Any) -> dict[str, Any]:
        suite = find_suite(options["suite"])
        format_name = options["format"] or usual_format(suite)
        return {"suite": suite.key, "format": format_name, "files": export_suite(suite, format_name, options["out"])}

    def describe(self, result: dict[str, Any]) -> str:
        files = "1 file" if len(result["files"]) == 1 else f"{len(result['files'])} files"
        return f"{files} of '{result['suite']}' written as {result['format']}."
