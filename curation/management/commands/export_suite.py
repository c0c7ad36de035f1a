"""Write a suite as a bundle, or in a published format."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from core.commands import DomainCommand
from core.errors import BadInput
from curation.bundles.options import BUNDLE
from curation.bundles.services import export_bundle
from curation.exporting.suites import export_suite, usual_format
from curation.finding import find_suite
from curation.formats.registry import written_formats


class Command(DomainCommand):
    help = (
        "Write a suite as one bundle that another instance imports whole (--out FILE.zip), as plain CSV (its cases), "
        "or in the format of HateCheck or MHC with the words and labels that were imported. Words and labels made "
        "here are only in a bundle."
    )

    def add_domain_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("suite")
        parser.add_argument(
            "--format",
            choices=[BUNDLE, *written_formats()],
            help="default: bundle for a file that ends in .zip; else the format it was imported from, or csv",
        )
        parser.add_argument("--out", required=True, type=Path, help="FILE.zip for a bundle; otherwise a folder")
        parser.add_argument("--with-labels", action="store_true", help="bundle: with verdicts and decisions")

    def perform(self, **options: Any) -> dict[str, Any]:
        suite = find_suite(options["suite"])
        out: Path = options["out"]
        format_name = options["format"] or (BUNDLE if out.suffix.lower() == ".zip" else usual_format(suite))
        if format_name == BUNDLE:
            rows = export_bundle(suite, out, with_labels=options["with_labels"])
            return {"suite": suite.key, "format": BUNDLE, "files": [str(out)], "rows": rows}
        if options["with_labels"]:
            raise BadInput("Only a bundle holds labels. Leave --with-labels out, or use --format bundle.")
        return {"suite": suite.key, "format": format_name, "files": export_suite(suite, format_name, out)}

    def describe(self, result: dict[str, Any]) -> str:
        files = "1 file" if len(result["files"]) == 1 else f"{len(result['files'])} files"
        return f"{files} of '{result['suite']}' written as {result['format']}."
