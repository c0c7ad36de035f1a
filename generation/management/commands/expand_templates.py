"""Expand the approved templates of a suite, all of them or a balanced sample."""

from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from core.commands import DomainCommand
from core.errors import BadInput
from curation.finding import find_suite
from curation.models import Suite
from generation.runs.expanding import ExpansionChoice, count_expansion, expand_templates


class Command(DomainCommand):
    help = "Make the cases of approved templates: all combinations, or a seeded sample with equally large groups."

    def add_domain_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("suite")
        parser.add_argument("--language", default="", help="default: the suite's only one")
        parser.add_argument("--functionality", action="append", default=[], help="key; may be given several times")
        parser.add_argument("--sample", type=int, metavar="N", help="about so many texts; default: all")
        parser.add_argument("--seed", type=int, default=0, help="the same seed draws the same sample")
        parser.add_argument("--similarity", type=float, help="leave out near duplicates from it on, 0.5 to 1")
        parser.add_argument("--across-groups", action="store_true", help="combine words of different groups")
        parser.add_argument("--count", action="store_true", help="only count, make nothing")

    def perform(self, **options: Any) -> dict[str, Any]:
        suite = find_suite(options["suite"])
        choice = ExpansionChoice(
            suite=suite.key,
            language=options["language"] or _only_language(suite),
            functionalities=tuple(options["functionality"]),
            size=options["sample"],
            seed=options["seed"],
            similarity=options["similarity"],
            across_groups=options["across_groups"],
        )
        if options["count"]:
            return choice.as_json() | asdict(count_expansion(choice))
        return expand_templates(choice, by=None, progress=self.show_progress)

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


def _only_language(suite: Suite) -> str:
    codes = list(suite.languages.order_by("code").values_list("code", flat=True))
    if len(codes) != 1:
        raise BadInput(f"'{suite.key}' has the languages {', '.join(codes) or 'none'}: name one with --language.")
    return str(codes[0])
