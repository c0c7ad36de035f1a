"""Background work of this app."""

from __future__ import annotations

from typing import Any

from curation.work import RunningJob, model_work
from evaluation.models import EvaluationRun
from evaluation.runners import RunnerBusy


@model_work("evaluation.run", retry_on=(RunnerBusy,))
def evaluate(job: RunningJob, *, run: str) -> dict[str, Any]:
    from evaluation.services.registry import load
    from evaluation.services.running import predict_run

    found = EvaluationRun.objects.select_related("release__suite", "model_version__model").get(key=run)
    runner = load(found.model_version.spec, found.release.suite)
    predict_run(found, runner, progress=job.report)
    return {"run": run}
