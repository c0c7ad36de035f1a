"""Print the JSON Schema of suite bundles."""

import json
from argparse import ArgumentParser
from typing import Any

from core.commands import DomainCommand
from curation.bundles.archive import schema
from curation.bundles.parts import all_parts


class Command(DomainCommand):
    help = "Print the JSON Schema of the files in a suite bundle."

    def add_domain_arguments(self, parser: ArgumentParser) -> None:
        pass

    def perform(self, **options: Any) -> dict[str, Any]:
        return schema([(part.file, part.row) for part in all_parts()])

    def describe(self, result: dict[str, Any]) -> str:
        return json.dumps(result, indent=1, ensure_ascii=False)
