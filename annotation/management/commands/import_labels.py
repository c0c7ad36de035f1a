"""Import labels made elsewhere."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from annotation.labels.files import LAYOUTS
from annotation.labels.storing import import_label_file, skipped_text
from core.commands import DomainCommand
from curation.finding import find_suite


class Command(DomainCommand):
    help = "Import labels: one row per label, our own exports, HateCheck's columns, or Multilingual HateCheck's lists."

    def add_domain_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("suite")
        parser.add_argument("--path", required=True, type=Path, metavar="FILE", help="CSV or JSONL")
        parser.add_argument("--layout", choices=LAYOUTS, help="default: told by the columns")
        parser.add_argument("--title", default="", help="title of the campaign that holds the labels")
        parser.add_argument("--dry-run", action="store_true", help="check the file and change nothing")

    def perform(self, **options: Any) -> dict[str, Any]:
        return import_label_file(
            find_suite(options["suite"]),
            options["path"],
            by=None,
            title=options["title"],
            layout=options["layout"],
            dry_run=options["dry_run"],
        )

    def describe(self, result: dict[str, Any]) -> str:
        people = result["annotators"]
        who = "annotators who are not identified" if people is None else f"{people} annotator{'s' * (people != 1)}"
        what = f"{result['labels']} labels of {who} on {result['cases']} cases"
        notes = "".join(f"\n{note}" for note in (skipped_text(result["skipped"]), result["too_few"]) if note)
        if result["dry_run"]:
            return f"{what}; nothing was changed.{notes}"
        name = "Campaign" if len(result["campaigns"]) == 1 else "Campaigns"
        return f"{what}; {result['new']} are new. {name}: {', '.join(result['campaigns'])}{notes}"
