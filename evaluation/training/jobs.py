"""Background work of training."""

from collections.abc import Sequence
from typing import Any

from core.jobs.running import RunningJob, light_work, model_work
from core.text import _


@model_work("evaluation.train", title=_("Train a baseline"))
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


@light_work("evaluation.check_contamination", title=_("Check for contamination"))
def check(job: RunningJob, *, dataset: str, releases: list[str], similarity: float) -> dict[str, Any]:
    """Look for cases of releases in a data set."""
    from evaluation.datasets.services import open_dataset
    from evaluation.models import Dataset
    from evaluation.training.feedback import check_contamination, releases_of

    data = open_dataset(Dataset.objects.get(key=dataset))
    return check_contamination(data, releases_of(releases), similarity=similarity, progress=job.report)


@model_work("evaluation.inoculate", title=_("Inoculate a model"))
def inoculate_data(job: RunningJob, *, material: str, dataset: str, options: dict[str, Any]) -> dict[str, Any]:
    """Train with more and more of the material."""
    from evaluation.datasets.services import open_dataset
    from evaluation.models import Dataset
    from evaluation.training.algorithm.loop import TrainingStopped
    from evaluation.training.feedback import inoculate
    from evaluation.training.options import InoculationOptions

    added, base = (open_dataset(Dataset.objects.get(key=key)) for key in (material, dataset))
    try:
        return inoculate(
            added, base, InoculationOptions.given(options), progress=job.report, should_stop=job.should_stop
        )
    except TrainingStopped:
        job.stop_if_asked()  # tells a person's request from another worker that has the job
        raise
