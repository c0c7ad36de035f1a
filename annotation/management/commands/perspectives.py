"""Compare groups of annotators."""

from typing import Any

from annotation.agreement.options import PerspectivesOptions
from annotation.agreement.perspectives import suite_perspectives
from core.commands import DomainCommand
from curation.finding import find_suite


class Command(DomainCommand):
    help = "Agreement and labels by groups of annotators, from the answers they agreed to link to their labels."
    options = PerspectivesOptions

    def perform(self, options: PerspectivesOptions) -> dict[str, Any]:
        return suite_perspectives(find_suite(options.suite), by=options.by)

    def describe(self, result: dict[str, Any]) -> str:
        head = f"{result['suite']}, by {result['by']}, share of '{result['label']}' against all other groups"
        return "\n".join([head, *(_line(*one) for one in result["groups"].items()), *filter(None, [result["reason"]])])


def _line(group: str, values: dict[str, Any]) -> str:
    kappa = "undefined" if values["fleiss_kappa"] is None else f"{values['fleiss_kappa']:.3f}"
    shift = "not compared: no case in common"
    if values["difference"] is not None:
        bounds = (
            "" if values["difference_ci95"] is None else " (95% {:+.3f} to {:+.3f})".format(*values["difference_ci95"])
        )
        shift = f"{values['difference']:+.3f}{bounds}, p {values['p_value']}"
    return (
        f"  {group}: {values['annotators']} annotators, {values['labels']} labels, kappa {kappa}, {shift}; "
        f"majority differs on {values['majority_differs']} of {values['majority_compared']} cases"
    )
