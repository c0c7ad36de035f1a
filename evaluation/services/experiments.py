"""Does a model fail where a split hides something? One training per split and seed, each kept when it is done."""

from __future__ import annotations

import math
import shutil
from collections.abc import Callable, Sequence
from statistics import mean, stdev
from typing import Any

from django.db import transaction
from django.urls import reverse

from accounts.models import User
from curation.errors import BadInput
from curation.permissions import require_maintainer
from curation.services.jobs import request_job
from evaluation.datasets.values import LabelledData
from evaluation.models import Experiment, ExperimentResult, Split, SplitMethod
from evaluation.services import file_store
from evaluation.services.datasets import open_dataset
from evaluation.services.split_building import Progress
from evaluation.services.splitting import rows_of
from evaluation.splits import values

TUNING = ("epochs", "learning_rate", "batch_size", "max_length")
MEASURES = ("accuracy", "macro_f1")


@transaction.atomic
def request_experiment(
    splits: Sequence[Split],
    *,
    trainer: str,
    seeds: Sequence[int],
    by: User | None,
    ring_now: bool = True,
    **options: Any,
) -> Experiment:
    """Queue a training on each split with each seed. `trainer` is `linear` or an encoder (`hf:FOLDER_OR_ID`).

    Refuses people who are not maintainers, splits of different data sets or not built yet, and no seed at all.
    """
    if by is not None:
        require_maintainer(by)
    if not splits or len({split.dataset_id for split in splits}) != 1:
        raise BadInput("Choose one or more splits of one data set.")
    if waiting := [split for split in splits if not split.is_built]:
        raise BadInput(f"The split '{waiting[0]}' is not built yet. Wait for it, or leave it out.")
    if not seeds or len(set(seeds)) != len(seeds):
        raise BadInput("Give at least one seed, and each only once.")
    if trainer != "linear" and not trainer.startswith("hf:"):
        raise BadInput(f"'{trainer}' names no trainer. Write linear, or hf: and the folder or id of an encoder.")
    if unknown := sorted(set(options) - set(TUNING)):
        raise BadInput(f"An experiment has no setting '{unknown[0]}'. It has: {', '.join(TUNING)}.")
    experiment = Experiment.objects.create(
        dataset=splits[0].dataset, trainer=trainer, seeds=list(seeds), options=options, created_by=by
    )
    experiment.splits.set(splits)
    experiment.job = request_job(
        "evaluation.run_experiment",
        {"experiment": experiment.key},
        title=f"Train {trainer} on {len(splits)} splits × {len(seeds)} seeds",
        by=by,
        result_url=reverse("evaluation:experiment", args=[experiment.key]),
        ring_now=ring_now,
    )
    experiment.save(update_fields=["job"])
    return experiment


def run_experiment(
    experiment: Experiment, *, progress: Progress | None = None, should_stop: Callable[[], bool] | None = None
) -> Experiment:
    """Train what has no result yet and keep each result at once; calling it again goes on where it stopped."""
    data = open_dataset(experiment.dataset)
    done = set(experiment.results.values_list("split_id", "seed"))
    plan = [(split, seed) for split in experiment.splits.order_by("pk") for seed in experiment.seeds]
    for place, (split, seed) in enumerate(plan):
        if (split.pk, seed) in done:
            continue
        if progress:
            progress(place, len(plan), f"{split.title}, seed {seed}")
        test, independent = _train(experiment, split, data, seed, should_stop)
        ExperimentResult.objects.get_or_create(
            experiment=experiment, split=split, seed=seed, defaults={"test": test, "independent": independent}
        )
    if progress:
        progress(len(plan), len(plan), "")
    return experiment


def summarise(experiment: Experiment) -> list[dict[str, Any]]:
    """Per split the mean and standard error over seeds, and the drop against the random split with Welch's test.

    Errors and tests need two seeds, the drop a random split; None where they are missing.
    """
    results = list(experiment.results.select_related("split").order_by("split_id", "seed"))
    by_split: dict[int, list[ExperimentResult]] = {}
    for result in results:
        by_split.setdefault(result.split_id, []).append(result)
    baseline = next((found for found in by_split.values() if found[0].split.method == SplitMethod.RANDOM), None)
    rows = []
    for found in by_split.values():
        row: dict[str, Any] = {"split": found[0].split, "seeds": len(found)}
        for part in ("test", "independent"):
            for measure in MEASURES:
                row[f"{part}_{measure}"] = _spread([v[measure] for one in found if (v := getattr(one, part))])
        row["drop"] = _drop(found, baseline)
        rows.append(row)
    return rows


def cross_model_matrix(experiments: Sequence[Experiment]) -> dict[str, dict[str, float | None]]:
    """Mean macro F1 on the test set: one row per split, one column per trainer."""
    table: dict[str, dict[str, list[float]]] = {}
    for experiment in experiments:
        for result in experiment.results.select_related("split"):
            cell = table.setdefault(result.split.title, {}).setdefault(experiment.trainer, [])
            cell.append(float(result.test["macro_f1"]))
    trainers = sorted({trainer for row in table.values() for trainer in row})
    return {
        title: {trainer: mean(row[trainer]) if row.get(trainer) else None for trainer in trainers}
        for title, row in table.items()
    }


def _spread(found: Sequence[float]) -> dict[str, float | None]:
    if not found:
        return {"mean": None, "error": None}
    return {"mean": mean(found), "error": stdev(found) / math.sqrt(len(found)) if len(found) > 1 else None}


def _drop(
    found: Sequence[ExperimentResult], baseline: Sequence[ExperimentResult] | None
) -> dict[str, float | None] | None:
    if not baseline or found[0].split_id == baseline[0].split_id:
        return None
    mine = [float(one.test["macro_f1"]) for one in found]
    theirs = [float(one.test["macro_f1"]) for one in baseline]
    p_value = None
    if min(len(mine), len(theirs)) > 1 and (stdev(mine) or stdev(theirs)):
        from scipy.stats import ttest_ind

        p_value = float(ttest_ind(mine, theirs, equal_var=False).pvalue)
    return {"difference": mean(mine) - mean(theirs), "p": p_value}


def _train(
    experiment: Experiment, split: Split, data: LabelledData, seed: int, should_stop: Callable[[], bool] | None
) -> tuple[dict[str, Any], dict[str, Any] | None]:
    rows = rows_of(split, len(data))
    if experiment.trainer == "linear":
        return _train_linear(rows, data, seed)
    return _fine_tune(experiment, split, rows, data, seed, should_stop)


def _train_linear(rows: values.Split, data: LabelledData, seed: int) -> tuple[dict[str, Any], dict[str, Any] | None]:
    from evaluation.training.linear import train_linear
    from evaluation.training.measures import score_labels
    from evaluation.training.rows import LabelledRow

    model, _ = train_linear([LabelledRow(data.texts[row], data.labels[row]) for row in rows.train], seed=seed)

    def measured(part: Sequence[int]) -> dict[str, Any] | None:
        if not part:
            return None
        return dict(score_labels([data.labels[row] for row in part], model.labels([data.texts[row] for row in part])))

    return measured(rows.test) or {}, measured(rows.independent)


def _fine_tune(
    experiment: Experiment,
    split: Split,
    rows: values.Split,
    data: LabelledData,
    seed: int,
    should_stop: Callable[[], bool] | None,
) -> tuple[dict[str, Any], dict[str, Any] | None]:
    from evaluation.runners.model_files import find_model
    from evaluation.runners.sequence_classifier import SequenceClassifier
    from evaluation.runners.settings import RunnerSettings
    from evaluation.training.cleaning import clean
    from evaluation.training.finetune import finetune
    from evaluation.training.measures import score_labels
    from evaluation.training.rows import LabelledRow
    from evaluation.training.settings import FinetuneSettings

    out = file_store.root() / "experiments" / experiment.key / f"{split.key}-{seed}"
    out.parent.mkdir(parents=True, exist_ok=True)
    settings = FinetuneSettings(
        encoder=experiment.trainer.removeprefix("hf:"),
        out=out,
        seeds=(seed,),
        published_split=True,
        **experiment.options,
    )
    part_of = {row: part for part in ("train", "test") for row in getattr(rows, part)}
    labelled = [LabelledRow(data.texts[row], data.labels[row], part) for row, part in sorted(part_of.items())]
    result = finetune(settings, labelled, should_stop=should_stop)
    independent = None
    if rows.independent:
        about = RunnerSettings()
        model = SequenceClassifier(
            find_model(str(result.folder), revision=None, settings=about), settings=about, dtype="fp32"
        )
        names = model.class_names
        logits = model.logits([clean(data.texts[row], settings.cleaning) for row in rows.independent])
        predicted = [names[int(place)] for place in logits.argmax(axis=1)]
        independent = dict(score_labels([data.labels[row] for row in rows.independent], predicted))
    shutil.rmtree(out, ignore_errors=True)  # the figures are kept; forty models per experiment would fill the disk
    return result.metrics["test"], independent
