"""Training a baseline on a stored data set: a job that can be stopped and goes on, and ends as a registered model."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from accounts.models import User
from core.errors import BadInput
from core.jobs.services import request_job
from core.models import Job
from core.options import OptionsRefused
from core.permissions import require_maintainer
from evaluation import file_store
from evaluation.datasets.services import open_dataset
from evaluation.models import Dataset
from evaluation.registry.services import LABELS, runner_settings
from evaluation.registry.trying import register_checked
from evaluation.runners import InferenceError
from evaluation.training.algorithm.rows import LabelledRow, draw_sample, rows_of
from evaluation.training.algorithm.settings import Moment
from evaluation.training.options import LINEAR, TrainingOptions, Tuning

KIND = "evaluation.train"
Progress = Callable[[int, int | None, str], None]


def request_training(dataset: Dataset, options: TrainingOptions, *, by: User) -> Job:
    """Queue a training. Refuses people who are not maintainers, and labels that the data has not."""
    require_maintainer(by)
    name, positive = options.name.strip(), options.positive
    if not name:
        raise OptionsRefused({"name": ["The model needs a name. Give the one you would use in a paper."]})
    known = set(dataset.labels)
    if unknown := [label for label in positive if label not in known]:
        raise BadInput(f"{dataset} has no label '{unknown[0]}'. It has: {', '.join(sorted(known))}.")
    if not positive or not known - set(positive):
        raise BadInput(f"Some of the labels must mean hateful, not none or all. There are: {', '.join(sorted(known))}.")
    payload = {
        "name": name,
        "dataset": dataset.key,
        "trainer": options.trainer,
        "positive": list(positive),
        "tuning": options.model_dump(mode="json", include=set(Tuning.model_fields)),
    }
    return request_job(KIND, payload, title=f"Train {name} on {dataset}", by=by)


def train_model(
    folder: str,
    name: str,
    dataset: Dataset,
    *,
    trainer: str,
    positive: Sequence[str],
    tuning: Tuning,
    by: User | None,
    progress: Progress,
    should_stop: Callable[[], bool] | None = None,
) -> dict[str, Any]:
    """Train into a folder of its own and register what came out. Called again after a crash it goes on.

    Refuses data that cannot be trained on, with the trainer's own sentence.
    """
    rows = [
        LabelledRow(row.text, LABELS[0] if row.label in positive else LABELS[1], row.split)
        for row in rows_of(open_dataset(dataset))
    ]
    if tuning.sample:
        rows = draw_sample(rows, tuning.sample, seed=tuning.seeds[0])
    out = file_store.root() / "trained" / folder
    out.parent.mkdir(parents=True, exist_ok=True)
    try:
        if trainer in LINEAR:
            metrics = _train_linear(rows, out, trainer, tuning, dataset, progress)
        else:
            metrics = _fine_tune(rows, out, trainer, tuning, dataset, progress, should_stop)
    except (ValueError, InferenceError) as error:
        raise BadInput(f"Nothing was trained. {error}") from error
    spec = f"{'linear' if trainer in LINEAR else 'hf'}:{out}"
    held_out = metrics["test"]
    facts = {
        "description": f"{trainer.removeprefix('hf:')} trained on {dataset}; held out: "
        f"macro F1 {held_out['macro_f1']:.3f}, micro F1 {held_out['micro_f1']:.3f}",
        "trained_on": [dataset.language] if dataset.language else [],
    }
    return {**register_checked(name, spec, by=by, facts=facts), "spec": spec, "test": held_out}


def _train_linear(
    rows: Sequence[LabelledRow], out: Path, trainer: str, tuning: Tuning, dataset: Dataset, progress: Progress
) -> dict[str, Any]:
    from evaluation.training.algorithm.linear import train_linear_folder

    progress(0, 1, "training")
    metrics = train_linear_folder(
        rows,
        out,
        solver=trainer.removeprefix("linear:"),
        seed=tuning.seeds[0],
        cleaning=tuning.cleaner,
        data_name=dataset.title,
        as_published=tuning.published_split,
    )
    progress(1, 1, "trained")
    return metrics


def _fine_tune(
    rows: Sequence[LabelledRow],
    out: Path,
    trainer: str,
    tuning: Tuning,
    dataset: Dataset,
    progress: Progress,
    should_stop: Callable[[], bool] | None,
) -> dict[str, Any]:
    from evaluation.training.algorithm.finetune import finetune

    def tell(moment: Moment) -> None:
        done = (moment.trial - 1) * moment.steps + moment.step
        score = "" if moment.validation_macro_f1 is None else f", validation macro F1 {moment.validation_macro_f1:.3f}"
        place = f"training {moment.trial} of {moment.trials}, epoch {moment.epoch} of {moment.epochs}{score}"
        progress(done, moment.steps * moment.trials, place)

    settings = tuning.settings(trainer, out, dataset.title)
    return finetune(settings, rows, allowed=runner_settings(), progress=tell, should_stop=should_stop).metrics
