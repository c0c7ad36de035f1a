"""Import labels made elsewhere."""

from typing import Any

from annotation.labels.options import LabelFileOptions
from annotation.labels.skipped import skipped_text
from annotation.labels.storing import import_label_file
from core.commands import DomainCommand
from curation.finding import find_suite


class Command(DomainCommand):
    help = (
        "Import labels: one row per label, our own exports, those of Label Studio, doccano, Argilla, Prodigy and "
        "Mechanical Turk, HateCheck's columns, or Multilingual HateCheck's lists."
    )

    options = LabelFileOptions

    def perform(self, options: LabelFileOptions) -> dict[str, Any]:
        return import_label_file(
            find_suite(options.suite), options.file, by=None, title=options.title, layout=options.layout,
            dry_run=options.dry_run,
        )  # fmt: skip

    def describe(self, result: dict[str, Any]) -> str:
        people = result["annotators"]
        who = "annotators who are not identified" if people is None else f"{people} annotator{'s' * (people != 1)}"
        tool = f"This looks like a {result['tool']} export: " if result["tool"] else ""
        by_label = ", ".join(f"{count} {label}" for label, count in result["by_label"].items())
        what = f"{tool}{result['labels']} labels of {who} on {result['cases']} cases ({by_label})"
        notes = "".join(f"\n{note}" for note in (skipped_text(result["skipped"]), result["too_few"]) if note)
        if result["dry_run"]:
            return f"{what}; nothing was changed.{notes}"
        name = "Campaign" if len(result["campaigns"]) == 1 else "Campaigns"
        return f"{what}; {result['new']} are new. {name}: {', '.join(result['campaigns'])}{notes}"
