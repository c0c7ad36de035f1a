"""The scores of an attack side by side: one row per model, the Pareto frontier, and the static suite's counterpart."""

from collections.abc import Sequence
from typing import Any

from django.db.models import Q

from evaluation.attacks.algorithm.scoring import PASS_MARK, STATIC_COUNTERPARTS, pareto_frontier
from evaluation.attacks.algorithm.values import Name
from evaluation.models import Attack, EvaluationRun
from evaluation.runs.models import RunSource

FIVE = ("original", "quo", "corr_nn", "flip", "corr_aa")
NOT_ANSWERED: dict[str, Any] = {"rate": None, "correct": 0, "n": 0, "ci95": None, "score": None, "passes": None}


def score_rows(attack: Attack, policy: str) -> list[dict[str, Any]]:
    """Models with scores, best AAA first, and whether no other model beats them on all five scores."""
    rows: list[dict[str, Any]] = []
    for score in attack.scores.current().select_related("model_version__model", "job"):
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


def cells_of(row: dict[str, Any], names: Sequence[str]) -> list[dict[str, Any]]:
    """What a model reached in each of these attacks; undefined where it was not answered."""
    return [{"name": name, **row["values"]["attacks"].get(name, NOT_ANSWERED)} for name in names]


def compare_with_suites(attack: Attack, policy: str) -> list[dict[str, Any]]:
    """Quo beside counter speech, Ident beside group identifiers, from each model's newest run that asks the same.

    A model that answered elsewhere is found by its name: its predictions for a release were handed in under it.
    """
    rows = score_rows(attack, policy)
    versions = [row["score"].model_version_id for row in rows if row["score"].model_version_id]
    elsewhere = [row["name"] for row in rows if not row["score"].model_version_id]
    runs = (
        EvaluationRun.objects.finished()
        .filter(
            Q(model_version__in=versions) | Q(model_version__model__name__in=elsewhere, source=RunSource.UPLOAD),
            report__isnull=False,
        )
        .select_related("report", "release__suite", "model_version__model")
        .order_by("created_at", "id")
    )
    newest: dict[tuple[int | str, Name], tuple[EvaluationRun, list[tuple[str, float]]]] = {}
    for run in runs:
        for name, static in _static_accuracy(run).items():
            newest[run.model_version_id, name] = run, static
            if run.source == RunSource.UPLOAD:
                newest[run.model_version.model.name, name] = run, static
    found = []
    for row in rows:
        for name in STATIC_COUNTERPARTS:
            attacked = row["values"]["attacks"].get(name)
            key = (row["score"].model_version_id or row["name"], name)
            if attacked and key in newest:
                run, static = newest[key]
                found.append(
                    {"model": row["name"], "attack": name, "score": attacked["score"], "static": static, "run": run}
                )
    return found


def _static_accuracy(run: EvaluationRun) -> dict[Name, list[tuple[str, float]]]:
    """What the run reached in the functionalities that ask what an attack asks; attacks without any are left out."""
    measured = run.report.values.get("by_functionality", {})
    accuracy = {key: part["accuracy"] for key, part in measured.items() if part.get("accuracy") is not None}
    found = {
        name: [(key, accuracy[key]) for key in keys if key in accuracy] for name, keys in STATIC_COUNTERPARTS.items()
    }
    return {name: static for name, static in found.items() if static}


__all__ = ["FIVE", "PASS_MARK", "cells_of", "compare_with_suites", "score_rows"]
