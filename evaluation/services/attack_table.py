"""The scores of an attack side by side: one row per model, the Pareto frontier, and the static suite's counterpart."""

from __future__ import annotations

from typing import Any

from evaluation.attacks.frontier import STATIC_COUNTERPARTS, pareto_frontier
from evaluation.attacks.scoring import PASS_MARK
from evaluation.models import Attack, EvaluationRun

FIVE = ("original", "quo", "corr_nn", "flip", "corr_aa")


def score_rows(attack: Attack, policy: str) -> list[dict[str, Any]]:
    """Models with scores, best AAA first, and whether no other model beats them on all five scores."""
    rows: list[dict[str, Any]] = []
    for score in attack.scores.select_related("model_version__model", "job"):
        values = score.under(policy)
        if values is not None:
            rows.append({"score": score, "name": score.name, "values": values})
    five: dict[str, list[float | None]] = {
        row["name"]: [row["values"]["attacks"].get(name, {}).get("score") for name in FIVE] for row in rows
    }
    frontier = set(pareto_frontier(five))
    for row in rows:
        row["on_frontier"] = row["name"] in frontier
    return sorted(
        rows, key=lambda row: (-(row["values"]["aaa"] if row["values"]["aaa"] is not None else -1), row["name"])
    )


def compare_with_suites(attack: Attack, policy: str) -> list[dict[str, Any]]:
    """Quo beside counter speech, Ident beside group identifiers, from each model's newest finished run."""
    rows = score_rows(attack, policy)
    versions = [row["score"].model_version_id for row in rows if row["score"].model_version_id]
    runs = (
        EvaluationRun.objects.finished()
        .filter(model_version__in=versions, report__isnull=False)
        .select_related("report", "release__suite")
        .order_by("created_at", "id")
    )
    newest: dict[int, EvaluationRun] = {run.model_version_id: run for run in runs}
    found = []
    for row in rows:
        run = newest.get(row["score"].model_version_id or 0)
        if run is None:
            continue
        accuracy = {key: part.get("accuracy") for key, part in run.report.values.get("by_functionality", {}).items()}
        for name, keys in STATIC_COUNTERPARTS.items():
            attacked = row["values"]["attacks"].get(name)
            static = [(key, accuracy[key]) for key in keys if accuracy.get(key) is not None]
            if attacked and static:
                found.append(
                    {"model": row["name"], "attack": name, "score": attacked["score"], "static": static, "run": run}
                )
    return found


__all__ = ["FIVE", "PASS_MARK", "compare_with_suites", "score_rows"]
