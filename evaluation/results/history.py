"""The history of a model: its finished runs by release, oldest first, with what changed from one to the next."""

from dataclasses import dataclass
from typing import Any

from evaluation.models import EvaluationRun, Report
from evaluation.runs.models import EvaluationRunQuerySet


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """One run with its figures. `change` and `f1_change` are against `earlier`; None for the first run of a release."""

    run: EvaluationRun
    overall: dict[str, Any]
    earlier: EvaluationRun | None = None
    change: float | None = None
    f1_change: float | None = None

    def as_json(self) -> dict[str, Any]:
        return {
            "run": self.run.key,
            "version": self.run.model_version.number,
            "languages": self.run.languages,
            "finished_at": self.run.finished_at.isoformat() if self.run.finished_at else None,
            "n": self.overall["n"],
            "accuracy": self.overall["accuracy"],
            "ci95": self.overall["ci95"],
            "macro_f1": self.overall["macro_f1"],
            "macro_f1_ci95": self.overall.get("ci95_over_templates", {}).get("macro_f1"),
            "earlier": self.earlier.key if self.earlier else None,
            "change": self.change,
            "macro_f1_change": self.f1_change,
        }


def history_of(runs: EvaluationRunQuerySet) -> dict[str, list[HistoryLine]]:
    """Return the lines of each release by its key. Runs are compared with the one before on the same languages.

    Only the totals of the measures are read from the database.
    """
    finished = runs.measured().select_related("release__suite", "model_version__model").defer("environment")
    ordered = list(finished.order_by("release__suite__key", "release__published_at", "release_id", "created_at", "pk"))
    totals = dict(Report.objects.filter(run__in=ordered).values_list("run_id", "values__overall"))
    found: dict[str, list[HistoryLine]] = {}
    newest: dict[tuple[int, tuple[str, ...]], EvaluationRun] = {}
    for run in ordered:
        place = (run.release_id, tuple(sorted(run.languages)))
        earlier = newest.get(place)
        before = totals[earlier.pk] if earlier else {}
        overall = totals[run.pk]
        line = HistoryLine(
            run,
            overall,
            earlier,
            _minus(overall["accuracy"], before.get("accuracy")),
            _minus(overall["macro_f1"], before.get("macro_f1")),
        )
        found.setdefault(run.release.key, []).append(line)
        newest[place] = run
    return found


def _minus(value: float | None, before: float | None) -> float | None:
    return None if value is None or before is None else value - before
