"""Expand the approved templates of a suite, all of them or a balanced sample."""

from dataclasses import asdict
from typing import Any

from core.commands import DomainCommand
from generation.runs.expanding import count_expansion, described, expand_templates
from generation.runs.options import ExpansionOptions


class Command(DomainCommand):
    help = "Make the cases of approved templates: all combinations, or a seeded sample with equally large groups."
    options = ExpansionOptions

    def perform(self, options: ExpansionOptions) -> dict[str, Any]:
        if options.count:
            return described(options) | asdict(count_expansion(options))
        return expand_templates(options, by=None, progress=self.show_progress)

    def describe(self, result: dict[str, Any]) -> str:
        if "generated" not in result:
            most = "" if result["is_exact"] else "at most "
            groups = ", ".join(f"{group} {size:,}" for group, size in result["by_group"].items())
            return f"{result['templates']} templates, {most}{result['total']:,} texts: {groups}."
        left_out = result["near_duplicates"] + result["left_out_for_balance"]
        return (
            f"{result['generated']} new cases, {result['unchanged']} there already, {left_out} left out, "
            f"of {result['possible']:,} possible."
        )
