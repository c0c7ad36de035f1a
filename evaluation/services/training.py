"""Training a baseline on a stored data set: a job that can be stopped and goes on, and ends as a registered model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from accounts.models import User
from curation.errors import BadInput
from curation.models import Job
from curation.permissions import require_maintainer
from curation.services.jobs import request_job
from evaluation.models import Dataset
from evaluation.runners import RunnerError
from evaluation.services import file_store
from evaluation.services.datasets import open_dataset
from evaluation.services.registry import LABELS, runner_settings
from evaluation.services.trying import register_checked
from evaluation.training.cleaning import NOTHING, Cleaning
from evaluation.training.rows import LabelledRow, rows_of
from evaluation.training.settings import FinetuneSettings, Moment

KIND = "evaluation.train"
LINEAR = ("linear:logistic", "linear:svm")
Progress = Callable[[int, int | None, str], None]


@dataclass(frozen=True, slots=True)
class Tuning:
    """How to train. Several values are a grid; a linear model heeds the parts, the first seed and the cleaning."""

    epochs: Sequence[int] = (3,)
    learning_rate: Sequence[float] = (5e-5,)
    batch_size: Sequence[int] = (16,)
    seeds: Sequence[int] = (0,)
    max_length: int = 128
    class_weights: bool = True
    published_split: bool = False
    cleaning: bool = True

    def as_json(self) -> dict[str, Any]:
        found = {name: getattr(self, name) for name in self.__slots__}
        return {name: value if isinstance(value, int | bool) else list(value) for name, value in found.items()}

    def settings(self, encoder: str, out: Path, data_name: str) -> FinetuneSettings:
        """The same for a fine-tuning. Refuses numbers that make no sense."""
        return FinetuneSettings.with_grid(
            encoder=encoder,
            out=out,
            epochs=self.epochs,
            learning_rate=self.learning_rate,
            batch_size=self.batch_size,
            seeds=tuple(self.seeds),
            max_length=self.max_length,
            class_weights=self.class_weights,
            published_split=self.published_split,
            cleaning=Cleaning() if self.cleaning else NOTHING,
            data_name=data_name,
        )


def request_training(
    name: str, dataset: Dataset, *, trainer: str, positive: Sequence[str], by: User, tuning: Tuning | None = None
) -> Job:
    """Queue a training: `trainer` is one of LINEAR or `hf:` with an encoder, `positive` names the hateful labels.

    Refuses people who are not maintainers, an unknown trainer, labels that the data has not, and useless numbers.
    """
    require_maintainer(by)
    tuning = tuning or Tuning()
    if not name.strip():
        raise BadInput("The model needs a name. Give the one you would use in a paper.")
    if trainer not in LINEAR and not trainer.removeprefix("hf:"):
        raise BadInput("Name an encoder: a folder or a hub id.")
    if trainer not in LINEAR and not trainer.startswith("hf:"):
        raise BadInput(f"'{trainer}' names no trainer. Write {' or '.join(LINEAR)}, or hf: and an encoder.")
    known = set(dataset.labels)
    if unknown := [label for label in positive if label not in known]:
        raise BadInput(f"{dataset} has no label '{unknown[0]}'. It has: {', '.join(sorted(known))}.")
    if not positive or not known - set(positive):
        raise BadInput(f"Some of the labels must mean hateful, not none or all. There are: {', '.join(sorted(known))}.")
    try:
        tuning.settings("-", Path("-"), "")
    except ValueError as error:
        raise BadInput(str(error)) from error
    payload = {
        "name": name.strip(),
        "dataset": dataset.key,
        "trainer": trainer,
        "positive": list(positive),
        "tuning": tuning.as_json(),
    }
    return request_job(KIND, payload, title=f"Train {name.strip()} on {dataset}", by=by)


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
    out = file_store.root() / "trained" / folder
    out.parent.mkdir(parents=True, exist_ok=True)
    try:
        if trainer in LINEAR:
            metrics = _train_linear(rows, out, trainer, tuning, dataset, progress)
        else:
            metrics = _fine_tune(rows, out, trainer, tuning, dataset, progress, should_stop)
    except (ValueError, RunnerError) as error:
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
    from evaluation.training.linear import train_linear_folder

    progress(0, 1, "training")
    metrics = train_linear_folder(
        rows,
        out,
        solver=trainer.removeprefix("linear:"),
        seed=tuning.seeds[0],
        cleaning=Cleaning() if tuning.cleaning else NOTHING,
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
    from evaluation.training.finetune import finetune

    def tell(moment: Moment) -> None:
        done = (moment.trial - 1) * moment.steps + moment.step
        score = "" if moment.validation_macro_f1 is None else f", validation macro F1 {moment.validation_macro_f1:.3f}"
        place = f"training {moment.trial} of {moment.trials}, epoch {moment.epoch} of {moment.epochs}{score}"
        progress(done, moment.steps * moment.trials, place)

    settings = tuning.settings(trainer.removeprefix("hf:"), out, dataset.title)
    return finetune(settings, rows, allowed=runner_settings(), progress=tell, should_stop=should_stop).metrics
