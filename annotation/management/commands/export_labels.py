"""Export every label of a suite, under pseudonyms."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from annotation.labels.exporting import labels_as_csv, labels_as_jsonl
from annotation.models import Campaign
from core.commands import DomainCommand
from core.errors import Missing
from curation.finding import find_suite


class Command(DomainCommand):
    help = "Write every label of a suite (or of one campaign) with revisions, comments and times; people by pseudonym."

    def add_domain_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("suite")
        parser.add_argument("--campaign", help="only this campaign")
        parser.add_argument("--out", required=True, type=Path, metavar="FILE", help="FILE.csv or FILE.jsonl")

    def perform(self, **options: Any) -> dict[str, Any]:
        suite = find_suite(options["suite"])
        campaigns = Campaign.objects.filter(suite=suite).order_by("created_at", "id")
        if key := options["campaign"]:
            known = ", ".join(campaigns.values_list("key", flat=True)) or "none yet"
            campaigns = campaigns.filter(key=key)
            if not campaigns:
                raise Missing(f"'{suite}' has no campaign '{key}'. Known: {known}.")
        out: Path = options["out"]
        write = labels_as_jsonl if out.suffix == ".jsonl" else labels_as_csv
        partial = out.with_name(out.name + ".partial")
        try:
            with partial.open("wb") as file:
                file.writelines(write(list(campaigns)))
        except OSError as error:
            raise Missing(f"{out} cannot be written ({error.strerror}). Name a folder that exists.") from error
        partial.replace(out)
        return {"suite": suite.key, "campaigns": [campaign.key for campaign in campaigns], "out": str(out)}

    def describe(self, result: dict[str, Any]) -> str:
        return f"{result['out']}: labels of {', '.join(result['campaigns']) or 'no campaign'}"
