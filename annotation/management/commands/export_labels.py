"""Export every label of a suite, under pseudonyms."""

from typing import Any

from annotation.labels.exporting import campaigns_to_export, label_download
from annotation.labels.options import LabelExportOptions
from core.commands import DomainCommand
from core.errors import Missing
from curation.finding import find_suite


class Command(DomainCommand):
    help = "Write every label of a suite (or of one campaign) with revisions, comments and times; people by pseudonym."

    options = LabelExportOptions

    def perform(self, options: LabelExportOptions) -> dict[str, Any]:
        suite, out = find_suite(options.suite), options.out
        campaigns = [campaign.key for campaign in campaigns_to_export(suite, options.campaign)]
        kind = "jsonl" if out.suffix == ".jsonl" else "csv"
        download = label_download(suite, options.model_copy(update={"kind": kind}))
        partial = out.with_name(out.name + ".partial")
        try:
            with partial.open("wb") as file:
                file.writelines(download.content)
        except OSError as error:
            raise Missing(f"{out} cannot be written ({error.strerror}). Name a folder that exists.") from error
        partial.replace(out)
        return {"suite": suite.key, "campaigns": campaigns, "out": str(out)}

    def describe(self, result: dict[str, Any]) -> str:
        return f"{result['out']}: labels of {', '.join(result['campaigns']) or 'no campaign'}"
