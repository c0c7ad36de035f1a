"""Write the answers of a model as CSV."""

from typing import Any

from core.commands import DomainCommand
from core.tables.writing import csv_bytes
from curation.finding import find_release
from evaluation.results.options import ExportPredictionsOptions
from evaluation.results.reporting import newest_runs
from evaluation.runs.failing import CASE_COLUMNS, case_lines, matching_predictions


class Command(DomainCommand):
    help = "Write what a model said about the cases of a release as CSV; import_predictions reads it again."
    options = ExportPredictionsOptions

    def perform(self, chosen: ExportPredictionsOptions) -> dict[str, Any]:
        (run,) = newest_runs(find_release(chosen.release), [chosen.model])
        lines = list(case_lines(matching_predictions(run, {"show": chosen.show})))
        chosen.out.parent.mkdir(parents=True, exist_ok=True)
        chosen.out.write_bytes(csv_bytes([CASE_COLUMNS, *lines]))
        return {"run": run.key, "predictions": len(lines), "file": str(chosen.out)}

    def describe(self, result: dict[str, Any]) -> str:
        return f"{result['predictions']:,} predictions of {result['run']} written to {result['file']}"
