"""How much the annotators of a suite agree."""

from argparse import ArgumentParser
from typing import Any

from annotation.agreement.suite_report import KEYS, suite_agreement
from core.commands import DomainCommand
from curation.finding import find_suite


class Command(DomainCommand):
    help = "Agreement of all labels of a suite: Fleiss' kappa, Krippendorff's alpha, with 95% intervals over templates."

    def add_domain_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("suite")
        parser.add_argument("--by", choices=KEYS, help="the same for every functionality, language, group or annotator")

    def perform(self, **options: Any) -> dict[str, Any]:
        return suite_agreement(find_suite(options["suite"]), by=options["by"])

    def describe(self, result: dict[str, Any]) -> str:
        raters = result["raters"] or f"{result['fewest_labels']} to {result['most_labels']}"
        lines = [
            f"{result['suite']}: {result['cases']} cases, {raters} labels each"
            if result["cases"]
            else f"{result['suite']}: no labels yet",
            f"{result['measure']}: {_value(result, 'fleiss_kappa')}",
            f"Krippendorff's alpha: {_value(result, 'krippendorff_alpha')}",
            f"Equal pairs of labels: {_value(result, 'pairwise_agreement')}",
            f"Unanimous cases: {_value(result, 'unanimity')}",
            f"Fewer than {result['threshold']} labels equal to gold: {result['below_threshold']} cases",
        ]
        width = max((len(key) for key in result["by"]), default=0)
        lines += [result["by_reason"]] if result["by_reason"] else []
        lines += [f"  {key:<{width}}  {_part(part)}" for key, part in result["by"].items()]
        return "\n".join(lines)


def _value(values: dict[str, Any], name: str) -> str:
    if values[name] is None:
        return f"undefined: {values[name + '_reason']}"
    bounds = values[name + "_ci95"]
    return f"{values[name]:.4f}" + (f" (95% {bounds[0]:.3f} to {bounds[1]:.3f})" if bounds else "")


def _part(part: dict[str, Any]) -> str:
    return f"{part['cases']:>6} cases  kappa {_value(part, 'fleiss_kappa')}"
