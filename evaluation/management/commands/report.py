"""Results of several models on a release as documents."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from curation.commands import DomainCommand, find_release
from curation.errors import Missing
from evaluation.services.documents import FORMATS, write_documents
from evaluation.services.reporting import as_json, newest_runs


class Command(DomainCommand):
    help = "Write the results of models on a release: HTML, PDF, LaTeX, CSV, JSON, JUnit."

    def add_domain_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("release", metavar="SUITE@VERSION")
        parser.add_argument(
            "--models", nargs="+", metavar="NAME", help="names, keys or run keys; default: all with results"
        )
        parser.add_argument("--out", required=True, type=Path, metavar="DIR")
        parser.add_argument("--format", nargs="+", choices=list(FORMATS), default=["html"])

    def perform(self, **options: Any) -> dict[str, Any]:
        release = find_release(options["release"])
        runs = newest_runs(release, options["models"])
        if not runs:
            raise Missing(f"No model has results on {release.key} yet. Run evaluate or import_predictions first.")
        formats = list(dict.fromkeys(options["format"]))
        files = write_documents(release, runs, options["out"], formats)
        return {**as_json(release, runs), "files": [str(file) for file in files]}

    def describe(self, result: dict[str, Any]) -> str:
        return "\n".join(["Written:", *(f"  {file}" for file in result["files"])])
