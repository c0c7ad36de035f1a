"""Training a baseline on a stored data set: a job that can be stopped and goes on, and ends as a registered model."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from accounts.models import User
from core.errors import BadInput, Missing, sentence_of
from core.jobs.services import request_job
from core.models import Job
from core.options import OptionsRefused
from core.permissions import require_maintainer
from core.text import _
from evaluation import file_store
from evaluation.datasets.files.values import LabelledData
from evaluation.datasets.services import open_dataset
from evaluation.models import Dataset
from evaluation.registry.options import NO_NAME
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
        raise OptionsRefused({"name": [NO_NAME]})
    more, tests = (find_datasets(keys, by=by) for keys in (options.more_datasets, options.test_datasets))
    known = {label for one in (dataset, *more) for label in one.labels}
    if unknown := [label for label in positive if label not in known]:
        raise BadInput(
            _(
                "%(dataset)s has no label '%(label)s'. The labels are: %(labels)s.",
                dataset=dataset.title,
                label=unknown[0],
                labels=sorted(known),
            )
        )
    if not positive or not known - set(positive):
        raise BadInput(
            _(
                "Choose some of the labels as hateful, not none or all. The labels are: %(labels)s.",
                labels=sorted(known),
            )
        )
    payload = {
        "name": name,
        "dataset": dataset.key,
        "more_datasets": [one.key for one in more],
        "test_datasets": [one.key for one in tests],
        "trainer": options.trainer,
        "positive": list(positive),
        "tuning": options.model_dump(mode="json", include=set(Tuning.model_fields)),
    }
    return request_job(
        KIND, payload, title=_("Train %(model)s on %(dataset)s", model=name, dataset=dataset.title), by=by
    )


def find_datasets(keys: Sequence[str], *, by: User) -> list[Dataset]:
    """Return the data sets of these keys that the person may see. Refuses an unknown one."""
    found = {one.key: one for one in Dataset.objects.visible_to(by).filter(key__in=keys)}
    if missing := [key for key in keys if key not in found]:
        raise Missing(_("There is no data set '%(key)s'.", key=missing[0]))
    return [found[key] for key in keys]


def train_model(
    folder: str,
    name: str,
    datasets: Sequence[Dataset],
    *,
    trainer: str,
    positive: Sequence[str],
    tuning: Tuning,
    by: User | None,
    progress: Progress,
    test_datasets: Sequence[Dataset] = (),
    should_stop: Callable[[], bool] | None = None,
) -> dict[str, Any]:
    """Train into a folder of its own and register what came out. Called again after a crash it goes on.

    Refuses data that cannot be trained on, with the trainer's own sentence.
    """

    def two_labels(rows: Sequence[LabelledRow]) -> list[LabelledRow]:
        return [replace(row, label=LABELS[0] if row.label in positive else LABELS[1]) for row in rows]

    def tell(moment: Moment) -> None:
        done = (moment.trial - 1) * moment.steps + moment.step
        place = {"trial": moment.trial, "trials": moment.trials, "epoch": moment.epoch, "epochs": moment.epochs}
        if moment.validation_macro_f1 is None:
            told = _("training %(trial)s of %(trials)s, epoch %(epoch)s of %(epochs)s", **place)
        else:
            told = _(
                "training %(trial)s of %(trials)s, epoch %(epoch)s of %(epochs)s, validation macro F1 %(score)s",
                score=round(moment.validation_macro_f1, 3),
                **place,
            )
        progress(done, moment.steps * moment.trials, told)

    out = file_store.root() / "trained" / folder
    out.parent.mkdir(parents=True, exist_ok=True)
    titles = " and ".join(str(dataset) for dataset in datasets)
    rows = two_labels([row for dataset in datasets for row in rows_of(open_dataset(dataset))])
    tests = {one.title: two_labels(held_out_rows(open_dataset(one))) for one in test_datasets}
    progress(0, 1, _("training"))
    metrics = train_into(
        out, rows, trainer=trainer, tuning=tuning, data_name=titles, positive=LABELS[0], test_sets=tests, progress=tell,
        should_stop=should_stop,
    )  # fmt: skip
    progress(1, 1, _("trained"))
    spec = f"{'linear' if trainer in LINEAR else 'hf'}:{out}"
    held_out = metrics["test"]
    facts = {
        "description": f"{trainer.removeprefix('hf:')} trained on {titles}; held out: "
        f"macro F1 {held_out['macro_f1']:.3f}, micro F1 {held_out['micro_f1']:.3f}",
        "trained_on": sorted({dataset.language for dataset in datasets if dataset.language}),
    }
    registered = register_checked(name, spec, by=by, facts=facts)
    return {**registered, "spec": spec, "test": held_out, "tests": metrics["tests"]}


def held_out_rows(data: LabelledData) -> list[LabelledRow]:
    """Return the rows of the test part; all where the data names no parts."""
    return rows_of(data.part("test") if "test" in data.splits else data)


def train_into(
    out: Path,
    rows: Sequence[LabelledRow],
    *,
    trainer: str,
    tuning: Tuning,
    data_name: str,
    positive: str = "",
    test_sets: Mapping[str, Sequence[LabelledRow]],
    progress: Callable[[Moment], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
    **here: Any,
) -> dict[str, Any]:
    """Train a linear model or an encoder into a folder and return its metrics. Refuses with the trainer's sentence.

    A linear model heeds the parts, the first seed, the sample and the cleaning only.
    """
    if tuning.sample:
        rows = draw_sample(rows, tuning.sample, seed=tuning.seeds[0])
    try:
        if trainer in LINEAR:
            from evaluation.training.algorithm.linear import train_linear_folder

            return train_linear_folder(
                rows,
                out,
                solver=trainer.removeprefix("linear:"),
                seed=tuning.seeds[0],
                cleaning=tuning.cleaner,
                data_name=data_name,
                as_published=tuning.published_split,
                test_sets=test_sets,
            )
        from evaluation.training.algorithm.finetune import finetune

        settings = tuning.settings(trainer, out, data_name, positive=positive, **here)
        allowed = runner_settings()
        return finetune(
            settings, rows, allowed=allowed, test_sets=test_sets, progress=progress, should_stop=should_stop
        ).metrics
    except (ValueError, InferenceError) as error:
        raise BadInput(_("Nothing was trained. %(reason)s", reason=sentence_of(error))) from error
