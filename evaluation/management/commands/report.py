"""Results of several models on a release as documents."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from core.commands import DomainCommand
from core.errors import Missing
from core.options.arguments import add_arguments
from curation.finding import find_release
from evaluation.results.documents import FORMATS, check_rules, read_rules, read_scope, write_documents
from evaluation.results.options import DocumentOptions
from evaluation.results.reporting import as_json, newest_runs
from evaluation.results.terminal import RULES, describe_missed, describe_rules


class Command(DomainCommand):
    help = "Write results on a release: HTML, PDF, LaTeX, CSV, JSON, JUnit, Hugging Face, Every Eval Ever."

    def add_domain_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("release", metavar="SUITE@VERSION")
        parser.add_argument(
            "--models", nargs="+", metavar="NAME", help="names, keys or run keys; default: all with results"
        )
        parser.add_argument("--out", required=True, type=Path, metavar="DIR")
        parser.add_argument("--format", nargs="+", choices=list(FORMATS), default=["html"])
        add_arguments(parser, DocumentOptions)
        parser.add_argument(
            "--fail-under", nargs="+", action="extend", default=[], metavar="RULE", help=RULES.replace("%", "%%")
        )

    def handle(self, *args: Any, **options: Any) -> None:
        self.rules: list[dict[str, Any]] = []
        super().handle(*args, **options)
        if missed := describe_missed(self.rules):
            raise CommandError(missed)

    def perform(self, **options: Any) -> dict[str, Any]:
        release = find_release(options["release"])
        runs = newest_runs(release, options["models"])
        if not runs:
            raise Missing(f"No model has results on {release.key} yet. Run evaluate or import_predictions first.")
        rules = read_rules(options["fail_under"], release)
        formats = list(dict.fromkeys(options["format"]))
        scope = read_scope(options, with_examples=True)
        files = write_documents(release, runs, options["out"], formats, rules=rules, scope=scope)
        result = {**as_json(release, runs), "files": [str(file) for file in files]}
        if rules:
            result["rules"] = self.rules = [
                {"model": name, **outcome.as_json()}
                for name, values in result["models"].items()
                for outcome in check_rules(rules, values)
            ]
        return result

    def describe(self, result: dict[str, Any]) -> str:
        written = "\n".join(["Written:", *(f"  {file}" for file in result["files"])])
        return written + describe_rules(result.get("rules", []))
