"""Background work of splits and experiments."""

from typing import Any

from core.jobs.running import RunningJob, model_work
from core.text import _
from evaluation.models import Experiment, Split


@model_work("evaluation.build_split", title=_("Build a split"))
def build(job: RunningJob, *, split: str) -> dict[str, Any]:
    from evaluation.splits.services import build_split

    built = build_split(Split.objects.select_related("dataset").get(key=split), progress=job.report)
    return {"split": split, "sha256": built.sha256}


@model_work("evaluation.run_experiment", title=_("Run an experiment"))
def run(job: RunningJob, *, experiment: str) -> dict[str, Any]:
    from evaluation.splits.experiments import run_experiment
    from evaluation.training.algorithm.loop import TrainingStopped

    found = Experiment.objects.select_related("dataset").get(key=experiment)
    try:
        run_experiment(found, progress=job.report, should_stop=job.should_stop)
    except TrainingStopped:
        job.stop_if_asked()  # tells a person's request from another worker that has the job
        raise
    return {"experiment": experiment, "results": found.results.count()}
