"""Perturb the cases of a suite."""

from dataclasses import asdict
from typing import Any

from core.commands import DomainCommand
from curation.cases.options import PerturbOptions
from curation.cases.perturbing import perturb_by_options


class Command(DomainCommand):
    help = "Make perturbations of cases under a spelling functionality; repeatable with the same seed."
    options = PerturbOptions

    def perform(self, options: PerturbOptions) -> dict[str, Any]:
        return {"suite": options.suite, **asdict(perturb_by_options(options, by=None))}

    def describe(self, result: dict[str, Any]) -> str:
        return (
            f"{result['made']} new cases, {result['unchanged']} unchanged; {len(result['skipped'])} cases could not be "
            "perturbed."
        )
