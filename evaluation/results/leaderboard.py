"""The leaderboard of a release: only models whose results may be public, told apart only where it is significant.

Self-reported results stand apart, without a rank: there is nothing to test.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from curation.models import Release
from evaluation.models import EvaluationRun, ReportedResult
from evaluation.results.comparing import rank_runs
from evaluation.results.reporting import newest_runs
from evaluation.runs.models import RunSource


@dataclass(frozen=True, slots=True)
class Entry:
    rank: int
    run: EvaluationRun
    overall: dict[str, Any]
    ties: list[str]

    def as_json(self) -> dict[str, Any]:
        """Return what the API shows; `is_verified` is false for predictions that were computed elsewhere."""
        return {
            "rank": self.rank,
            "model": self.run.model_version.model.name,
            "run": self.run.key,
            "is_verified": self.run.source == RunSource.RUN,
            "source": "run" if self.run.source == RunSource.RUN else "recomputed",
            "accuracy": self.overall["accuracy"],
            "ci95": self.overall["ci95"],
            "n": self.overall["n"],
            "templates": self.overall.get("templates"),
            "macro_f1": self.overall["macro_f1"],
            "tied_with": self.ties,
        }


@dataclass(frozen=True, slots=True)
class Leaderboard:
    release: Release
    entries: list[Entry]
    baselines: dict[str, Any]
    reported: list[ReportedResult]

    def as_json(self) -> dict[str, Any]:
        return {
            "release": self.release.key,
            "ranking": [entry.as_json() for entry in self.entries],
            "reported": [
                {
                    "model": one.model_version.model.name,
                    "result": one.key,
                    "source": "self-reported",
                    **{name: one.overall[name] for name in ("accuracy", "ci95", "n", "templates", "macro_f1")},
                }
                for one in self.reported
            ],
            "baselines": self.baselines,
        }


def leaderboard_of(release: Release) -> Leaderboard:
    """Rank models from best to worst. A rank is one plus the number of models that are significantly better."""
    among = EvaluationRun.objects.filter(model_version__model__on_leaderboard=True)
    runs = [run for run in newest_runs(release, among=among) if not run.languages]  # all on the same cases
    by_key = {run.key: run for run in runs}
    for run in runs:
        run.release = release
    entries = [
        Entry(
            rank=found["rank"],
            run=by_key[found["model"]],
            overall=by_key[found["model"]].report.values["overall"],
            ties=[by_key[key].model_version.model.name for key in found["tied_with"]],
        )
        for found in rank_runs(runs)
    ]
    measured = {run.model_version_id for run in runs}
    baselines = runs[0].report.values["baselines"] if runs else {}
    return Leaderboard(release, entries, baselines, reported_results(release, measured=measured))


def reported_results(release: Release, *, measured: Collection[int] = ()) -> list[ReportedResult]:
    """Return the newest self-reported result of each public model, best first; none of versions measured here."""
    found = ReportedResult.objects.filter(release=release, model_version__model__on_leaderboard=True)
    rows = found.exclude(model_version__in=measured).select_related("model_version__model").order_by("created_at", "id")
    newest = {row.model_version.model_id: row for row in rows}
    return sorted(newest.values(), key=lambda row: -(row.overall["macro_f1"] or row.overall["accuracy"] or 0.0))
