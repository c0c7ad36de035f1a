"""Import a suite from a published format."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from core.commands import DomainCommand, describe_problem
from curation.formats.registry import FORMATS, read_suite
from curation.importing.services import import_values, labels_for


class Command(DomainCommand):
    help = "Import a suite: everything or nothing, and importing twice changes nothing."

    def add_domain_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("suite", help="key of the suite, made if need be")
        parser.add_argument("--format", required=True, choices=list(FORMATS))
        parser.add_argument("--path", required=True, type=Path, help="the folder or file")
        parser.add_argument("--language", help="language code; for MHC one language of many, for CSV that of the rows")
        parser.add_argument(
            "--templates-only", action="store_true", help="read templates and word forms, not case texts"
        )
        parser.add_argument(
            "--labels", nargs="+", default=(), help="labels of a new suite from CSV, the positive one first"
        )
        parser.add_argument("--dry-run", action="store_true", help="show what would change and change nothing")

    def perform(self, **options: Any) -> dict[str, Any]:
        labels = labels_for(options["suite"], options["labels"])
        values = read_suite(
            options["format"],
            options["path"],
            language=options["language"],
            templates_only=options["templates_only"],
            labels=labels,
        )
        report = import_values(
            options["suite"], values, format_name=options["format"], labels=labels, dry_run=options["dry_run"]
        )
        return report.as_json()

    def describe(self, result: dict[str, Any]) -> str:
        lines = [describe_problem(problem) for problem in result["problems"]]
        verb = "Would import" if result["dry_run"] else "Imported"
        new = ", ".join(f"{count} {what}" for what, count in result["new"].items() if count) or "nothing new"
        changed = ", ".join(f"{count} {what}" for what, count in result["changed"].items() if count)
        lines.append(
            f"{verb} into '{result['suite']}' ({', '.join(result['languages'])}): {new}"
            + (f"; changed {changed}" if changed else "")
            + f". The files hold {result['templates']} templates, {result['forms']} forms, {result['cases']} cases."
        )
        return "\n".join(lines)
