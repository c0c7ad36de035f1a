"""Import predictions computed elsewhere and measure them."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from core.commands import DomainCommand, describe_problem
from curation.finding import find_release
from evaluation.results.reporting import as_json
from evaluation.results.terminal import describe_results
from evaluation.runs.uploading import import_predictions, parse_label_map


class Command(DomainCommand):
    help = "Import a file of predictions (CSV or JSONL) for a published release and measure them."

    def add_domain_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("release", metavar="SUITE@VERSION")
        parser.add_argument("--model", required=True, help="its name, and its column where the file has several")
        parser.add_argument("--path", required=True, type=Path)
        parser.add_argument("--column", help="the column with the predictions, where it is not clear")
        parser.add_argument(
            "--label-map",
            nargs="+",
            action="extend",
            default=[],
            metavar="WORD=LABEL",
            help="what other words mean, such as severe=hateful",
        )
        parser.add_argument("--threshold", type=float, help="the column holds scores: hateful from here on")
        parser.add_argument("--allow-missing", action="store_true", help="missing cases count as unanswered")

    def perform(self, **options: Any) -> dict[str, Any]:
        release = find_release(options["release"])
        names = ("model", "column", "threshold", "allow_missing")
        run = import_predictions(
            release,
            options["path"],
            label_map=parse_label_map(options["label_map"]),
            **{name: options[name] for name in names},
        )
        problems = run.environment.get("problems", [])
        for problem in problems:
            self.stderr.write(describe_problem(problem))
        return {**as_json(release, [run]), "problems": problems}

    def describe(self, result: dict[str, Any]) -> str:
        return describe_results(result)
