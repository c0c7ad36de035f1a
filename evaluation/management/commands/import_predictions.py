"""Import predictions computed elsewhere and measure them."""

from typing import Any

from core.commands import DomainCommand, describe_problem
from curation.finding import find_release
from evaluation.results.reporting import as_json
from evaluation.results.terminal import describe_results
from evaluation.runs.options import PredictionsOptions
from evaluation.runs.uploading import import_predictions


class Command(DomainCommand):
    help = "Import predictions (a table, or the log of a harness) for a published release and measure them."
    options = PredictionsOptions

    def perform(self, chosen: PredictionsOptions) -> dict[str, Any]:
        release = find_release(chosen.release)
        run = import_predictions(release, chosen.predictions, model=chosen.model, **chosen.reading())
        for problem in run.problems:
            self.stderr.write(describe_problem(problem))
        return {**as_json(release, [run]), "problems": run.problems}

    def describe(self, result: dict[str, Any]) -> str:
        return describe_results(result)
