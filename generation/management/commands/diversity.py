"""Compare how diverse two sets of cases are."""

from typing import Any

from core.commands import DomainCommand
from core.text import in_english
from generation.diversity.options import DiversityOptions
from generation.diversity.services import compare_sets, title_of


class Command(DomainCommand):
    help = "Compare how diverse two sets of cases are: self-BLEU, distinct words, length, perplexity."
    options = DiversityOptions

    def perform(self, chosen: DiversityOptions) -> dict[str, Any]:
        with in_english():
            return compare_sets(chosen, progress=self.show_progress)

    def describe(self, result: dict[str, Any]) -> str:
        sets = [f"{one['name']} ({one['texts']:,} texts)" for one in result["sets"]]
        lines = [f"A: {sets[0]}", f"B: {sets[1]}", ""]
        for measure in result["measures"]:
            first, second = ("undefined" if value is None else f"{value:.3f}" for value in measure["values"])
            p = measure.get("p")
            told = "" if p is None else "  p < 0.001" if p < 0.001 else f"  p = {p:.3f}"
            lines.append(f"{title_of(measure['name']):<44}{first:>12}{second:>12}{told}")
        return "\n".join(lines)
