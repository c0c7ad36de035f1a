"""Hold a validator's verdicts against human labels from files."""

from typing import Any

from core.commands import DomainCommand
from generation.checks.options import LabelFileOptions
from generation.checks.studies import quality_from_files


class Command(DomainCommand):
    help = "Measure precision and recall of a validator against human labels, such as those GPT-HateCheck released."
    options = LabelFileOptions

    def perform(self, options: LabelFileOptions) -> dict[str, Any]:
        return quality_from_files(options).as_json()

    def describe(self, result: dict[str, Any]) -> str:
        shares = {name: result[name] for name in ("precision", "unfiltered", "recall")}
        shown = {name: "undefined" if share is None else f"{share:.2%}" for name, share in shares.items()}
        return (
            f"{result['labelled']:,} labelled messages: {shown['precision']} of those kept are valid, "
            f"{shown['unfiltered']} of all; {shown['recall']} of the valid ones are kept."
        )
