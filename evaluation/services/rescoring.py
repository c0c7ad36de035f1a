"""Measuring finished runs again: their predictions stay, what is computed from them follows the newest methods."""

from __future__ import annotations

from collections.abc import Iterator

from curation.models import Release
from evaluation.models import EvaluationRun
from evaluation.services.scoring import score_run


def rescore_runs(release: Release | None = None) -> Iterator[EvaluationRun]:
    """Measure every finished run anew, on one release or on all; give each back when its measures are stored."""
    runs = EvaluationRun.objects.finished().select_related("release__suite", "model_version__model")
    for run in (runs.filter(release=release) if release else runs).order_by("pk"):
        score_run(run)
        yield run
