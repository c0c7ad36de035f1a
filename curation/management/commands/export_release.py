"""Write a release into a folder."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from curation.commands import DomainCommand, find_release
from curation.publishing.export import FORMATS
from curation.services.release_export import export_release


class Command(DomainCommand):
    help = "Write a release into a new folder: cases, checksums, documents and the chosen formats."

    def add_domain_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("release", metavar="SUITE@VERSION")
        parser.add_argument("--out", required=True, type=Path, help="a folder that is new or empty")
        parser.add_argument("--format", nargs="+", default=["csv"], choices=FORMATS)

    def perform(self, **options: Any) -> dict[str, Any]:
        release = find_release(options["release"])
        manifest = export_release(release, options["out"], formats=options["format"])
        return {
            "release": release.key,
            "sha256": manifest.sha256,
            "cases": manifest.cases,
            "folder": str(options["out"]),
        }

    def describe(self, result: dict[str, Any]) -> str:
        return (
            f"{result['cases']} cases of {result['release']} written to {result['folder']}\nsha256 {result['sha256']}"
        )
