"""Expand the approved templates of a suite."""

from typing import Any

from core.commands import DomainCommand
from curation.cases.generating import generate_cases
from curation.cases.options import GenerateCasesOptions
from curation.finding import find_suite


class Command(DomainCommand):
    help = "Make the cases of all approved templates; repeatable, nothing twice."
    options = GenerateCasesOptions

    def perform(self, options: GenerateCasesOptions) -> dict[str, Any]:
        return generate_cases(find_suite(options.suite), progress=self.show_progress).as_json()

    def describe(self, result: dict[str, Any]) -> str:
        lines = [f"{item['language']} {item['template']}: {item['problem']}" for item in result["warnings"][:50]]
        lines.append(
            f"{result['generated']} new cases, {result['unchanged']} unchanged, {result['skipped']} skipped, "
            f"{result['retired']} retired, {result['revived']} back in use."
        )
        return "\n".join(lines)
