"""Background work of training."""

from collections.abc import Sequence
from typing import Any

from core.jobs.running import RunningJob, model_work


@model_work("evaluation.train")
def train(
    job: RunningJob,
    *,
    name: str,
    dataset: str,
    trainer: str,
    positive: list[str],
    tuning: dict[str, Any],
    more_datasets: Sequence[str] = (),
    test_datasets: Sequence[str] = (),
) -> dict[str, Any]:
    """Train a baseline; the job then leads to the page of the model."""
    from django.urls import reverse

    from core.models import Job
    from evaluation.models import Dataset
    from evaluation.training.algorithm.loop import TrainingStopped
    from evaluation.training.options import Tuning
    from evaluation.training.services import train_model

    try:
        result = train_model(
            job.key,
            name,
            [Dataset.objects.get(key=key) for key in (dataset, *more_datasets)],
            trainer=trainer,
            positive=positive,
            tuning=Tuning(**tuning),
            by=job.requested_by,
            progress=job.report,
            test_datasets=[Dataset.objects.get(key=key) for key in test_datasets],
            should_stop=job.should_stop,
        )
    except TrainingStopped:
        job.stop_if_asked()  # tells a person's request from another worker that has the job
        raise
    Job.objects.filter(key=job.key).update(result_url=reverse("evaluation:model", args=[result["model"]]))
    return result
