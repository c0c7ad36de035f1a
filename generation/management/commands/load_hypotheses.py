"""Load the published hypotheses of GPT-HateCheck from your own copy."""

from pathlib import Path
from typing import Any

from core.commands import DomainCommand
from core.errors import BadInput
from curation.catalogue.loading import load_catalogue
from generation.checks.models import RuleSetName
from generation.checks.options import PublishedWordingOptions
from generation.checks.versions import load_published_wording


class Command(DomainCommand):
    help = "Load the published hypotheses of GPT-HateCheck from your copy; then use --hypotheses as_published."
    options = PublishedWordingOptions

    def perform(self, options: PublishedWordingOptions) -> dict[str, Any]:
        path = Path(options.file)
        if not path.is_file():
            raise BadInput(f"There is no file {path}. Name a table with the columns 'column' and 'hypothesis'.")
        load_catalogue()
        rows = load_published_wording(path.read_bytes(), by=None)
        return {"rule_set": RuleSetName.PUBLISHED, "functionalities": [row.functionality.key for row in rows]}

    def describe(self, result: dict[str, Any]) -> str:
        loaded = len(result["functionalities"])
        return f"The published hypotheses of {loaded} functionalities are loaded. Use --hypotheses as_published."
