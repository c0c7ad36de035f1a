"""The leaderboard of a release: only models whose results may be public, told apart only where it is significant."""

from dataclasses import dataclass
from typing import Any

from curation.models import Release
from evaluation.models import EvaluationRun
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

    def as_json(self) -> dict[str, Any]:
        return {
            "release": self.release.key,
            "ranking": [entry.as_json() for entry in self.entries],
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
    return Leaderboard(release, entries, runs[0].report.values["baselines"] if runs else {})
