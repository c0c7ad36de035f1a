"""Does a model fail where a split hides something? One training per split and seed, each kept when it is done."""

import math
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from random import Random
from statistics import mean, stdev
from typing import Any

from django.db import transaction

from accounts.models import User
from core.errors import BadInput, sentence_of
from core.permissions import require_maintainer
from core.statistics.significance import holm
from core.text import _, ngettext, recall
from evaluation import file_store
from evaluation.artefacts.services import give_job
from evaluation.datasets.files.values import LabelledData
from evaluation.datasets.labelled_files import ABUSIVE_NAMES
from evaluation.datasets.services import open_dataset
from evaluation.models import Experiment, ExperimentResult, Split, SplitMethod
from evaluation.registry.services import runner_settings
from evaluation.runners import InferenceError
from evaluation.splits.algorithm import values
from evaluation.splits.options import ExperimentOptions
from evaluation.splits.services import rows_of
from evaluation.splits.vectors import Progress

MEASURES = ("accuracy", "macro_f1", "f1")


@transaction.atomic
def request_experiment(
    splits: Sequence[Split], options: ExperimentOptions, *, by: User | None, ring_now: bool = True
) -> Experiment:
    """Queue a training on each split with each seed.

    Refuses people who are not maintainers, and splits of different data sets or not built yet.
    """
    if by is not None:
        require_maintainer(by)
    if not splits or len({split.dataset_id for split in splits}) != 1:
        raise BadInput(_("Choose one or more splits of one data set."))
    if waiting := [split for split in splits if not split.is_built]:
        raise BadInput(
            _("The split '%(split)s' is not built yet. Wait for it, or leave it out.", split=waiting[0].title)
        )
    experiment = Experiment.objects.create(
        dataset=splits[0].dataset,
        trainer=options.trainer,
        seeds=list(options.seeds),
        options=options.tuning(),
        created_by=by,
    )
    experiment.splits.set(splits)
    _queue(experiment, by=by, ring_now=ring_now)
    return experiment


@transaction.atomic
def resume_experiment(experiment: Experiment, *, by: User | None, ring_now: bool = True) -> Experiment:
    """Go on with an experiment that was stopped or failed; results it has are kept. One that still runs goes on alone.

    Refuses people who are not maintainers.
    """
    if by is not None:
        require_maintainer(by)
    if experiment.job is None or experiment.job.is_finished:
        _queue(experiment, by=by, ring_now=ring_now)
    return experiment


def _queue(experiment: Experiment, *, by: User | None, ring_now: bool) -> None:
    title = ngettext(
        "Train on splits of %(dataset)s: %(trainer)s, %(count)s training",
        "Train on splits of %(dataset)s: %(trainer)s, %(count)s trainings",
        experiment.splits.count() * len(experiment.seeds),
        dataset=experiment.dataset.title,
        trainer=experiment.trainer_title,
    )
    give_job(experiment, "evaluation.run_experiment", title=title, by=by, ring_now=ring_now)


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
            progress(place, len(plan), _("%(split)s, seed %(seed)s", split=split.title, seed=str(seed)))
        test, independent = _train(experiment, split, data, seed, should_stop)
        ExperimentResult.objects.get_or_create(
            experiment=experiment, split=split, seed=seed, defaults={"test": test, "independent": independent}
        )
    if progress:
        progress(len(plan), len(plan), "")
    return experiment


def summarise(experiment: Experiment) -> list[dict[str, Any]]:
    """Return per split the mean and standard error over training seeds, and the drop in F1 against the random splits.

    `f1` is that of `positive_label`, macro F1 where there is none. The drop is None without a random split and for
    random splits themselves. `compare_methods` says what can be told from it.
    """
    positive = positive_label(experiment)
    results = _results_of(experiment)
    by_split: dict[int, list[ExperimentResult]] = {}
    for result in results:
        by_split.setdefault(result.split_id, []).append(result)
    rows = []
    for found in by_split.values():
        row: dict[str, Any] = {"split": found[0].split, "seeds": len(found)}
        for part in ("test", "independent"):
            for measure in MEASURES:
                row[f"{part}_{measure}"] = _spread(
                    [_measured(scores, measure, positive) for one in found if (scores := getattr(one, part))]
                )
        rows.append(row)
    at_random = [row["test_f1"]["mean"] for row in rows if row["split"].method == SplitMethod.RANDOM]
    for row in rows:
        is_random = row["split"].method == SplitMethod.RANDOM
        row["drop"] = None if is_random or not at_random else row["test_f1"]["mean"] - mean(at_random)
    return rows


def compare_methods(experiment: Experiment) -> list[dict[str, Any]]:
    """Return per way of splitting the mean over cluster seeds, the standard error between them, and the drop.

    A split is one observation, however many trainings it has: those share its test set. `p` is Welch's test of the
    splits against the random ones, `p_holm` corrected for the number of ways; both need two splits on either side.
    """
    ways: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for row in summarise(experiment):
        split = row["split"]
        facts = (str(split.report.get(name)) for name in ("share", "k_range"))
        ways.setdefault((split.method, recall(split.report.get("representation")), *facts), []).append(row)
    found = [_compared(rows) for rows in ways.values()]
    baseline: list[float] = next((one["values"] for one in found if one["method"] == SplitMethod.RANDOM), [])
    p_values = {}
    for place, one in enumerate(found):
        if one["method"] != SplitMethod.RANDOM and baseline:
            one["drop"] = one["test_f1"]["mean"] - mean(baseline)
            p_values[place] = _welch(one["values"], baseline)
    corrected = holm({place: p for place, p in p_values.items() if p is not None})
    return [{**one, "p": p_values.get(place), "p_holm": corrected.get(place)} for place, one in enumerate(found)]


def _compared(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the figures of splits that differ in their seed only."""
    split = rows[0]["split"]
    told: dict[str, Any] = {
        "method": split.method,
        "title": split.get_method_display(),
        "representation": recall(split.report.get("representation", "")),
        "cluster_seeds": [row["split"].seed for row in rows],
        "training_seeds": max(row["seeds"] for row in rows),
        "values": [row["test_f1"]["mean"] for row in rows],
        "drop": None,
    }
    for name in ("test_f1", "independent_f1", "test_accuracy", "independent_accuracy"):
        told[name] = _spread([row[name]["mean"] for row in rows if row[name]["mean"] is not None])
    return told


def _welch(mine: Sequence[float], theirs: Sequence[float]) -> float | None:
    if min(len(mine), len(theirs)) < 2 or not (stdev(mine) or stdev(theirs)):
        return None
    from scipy.stats import ttest_ind

    return float(ttest_ind(mine, theirs, equal_var=False).pvalue)


def _results_of(experiment: Experiment) -> list[ExperimentResult]:
    """By split and seed; from the database, unless the experiment was read `with_results()`."""
    if "results" in getattr(experiment, "_prefetched_objects_cache", {}):
        return list(experiment.results.all())
    return list(experiment.results.select_related("split").defer("split__indices"))


def share_independent_part(splits: Sequence[Split]) -> bool:
    """Whether the splits set the same examples aside, so that models trained on them are tested on the same ones."""
    made = {(split.choices["independent_share"], split.report.get("independent_seed", split.seed)) for split in splits}
    return len(made) < 2


def explain_drops(experiment: Experiment) -> list[dict[str, Any]]:
    """Return how each surface property of the splits goes along with the loss in F1 against random, by Pearson's r.

    Random splits count with a drop of 0, as in the paper. One row per property; `r` and `p` are None, with a reason,
    where fewer than three splits or equal values say nothing. Splits that an older version described in another way
    have no properties here until they are built again.
    """
    from evaluation.splits.algorithm.explain import Properties, correlate_with_drop

    rows = summarise(experiment)
    if not any(row["drop"] is not None for row in rows):
        return []
    described = [row["split"].report["properties"] for row in rows]
    properties = [Properties(**one) if "test_length" in one else Properties() for one in described]
    found = correlate_with_drop(properties, [-(row["drop"] or 0.0) for row in rows])
    return [{"property": name, **asdict(value)} for name, value in found.items()]


def cross_model_matrix(experiments: Sequence[Experiment]) -> dict[Split, dict[str, float | None]]:
    """Return the mean F1 on the test set: one row per split, one column per trainer.

    A split made from the vectors of one encoder need not be hard for another.
    """
    positive = positive_label(experiments[0]) if experiments else None
    trainer_of = {experiment.pk: experiment.trainer for experiment in experiments}
    results = ExperimentResult.objects.filter(experiment__in=trainer_of).select_related("split")
    table: dict[Split, dict[str, list[float]]] = {}
    for result in results.defer("split__indices").order_by("split_id", "experiment_id", "seed"):
        cell = table.setdefault(result.split, {}).setdefault(trainer_of[result.experiment_id], [])
        cell.append(_measured(result.test, "f1", positive))
    trainers = sorted(set(trainer_of.values()))
    return {
        split: {trainer: mean(row[trainer]) if row.get(trainer) else None for trainer in trainers}
        for split, row in table.items()
    }


def positive_label(experiment: Experiment) -> str | None:
    """Return the label whose F1 is reported, as the paper does for two classes; None where macro F1 is."""
    labels = experiment.dataset.labels
    obvious = [label for label in labels if label.strip().lower() in ABUSIVE_NAMES]
    return str(obvious[0]) if len(labels) == 2 and len(obvious) == 1 else None


def _measured(scores: Mapping[str, Any], measure: str, positive: str | None) -> float:
    if measure != "f1":
        return float(scores[measure])
    return float(scores["macro_f1"] if positive is None else scores["f1_by_class"].get(positive, 0.0))


def _spread(found: Sequence[float]) -> dict[str, float | None]:
    if not found:
        return {"mean": None, "error": None}
    return {"mean": mean(found), "error": stdev(found) / math.sqrt(len(found)) if len(found) > 1 else None}


def _train(
    experiment: Experiment, split: Split, data: LabelledData, seed: int, should_stop: Callable[[], bool] | None
) -> tuple[dict[str, Any], dict[str, Any] | None]:
    rows = rows_of(split, len(data))
    try:
        if experiment.trainer == "linear":
            return _train_linear(rows, data, seed)
        return _fine_tune(experiment, split, rows, data, seed, should_stop)
    except (ValueError, InferenceError) as error:
        reason = sentence_of(error)
        raise BadInput(
            _("Nothing could be trained on “%(split)s”. %(reason)s", split=split.title, reason=reason)
        ) from error


def draw_again(rows: Sequence[int], labels: Sequence[str], *, seed: int) -> list[int]:
    """As many rows of each class, drawn with replacement, in order.

    Nothing in the training of a linear model is left to chance: on the same rows every seed would give the same model,
    and its results would look certain. So each seed trains on a sample of the rows.
    """
    random = Random(seed)
    by_class: dict[str, list[int]] = {}
    for row in rows:
        by_class.setdefault(labels[row], []).append(row)
    return sorted(row for name in sorted(by_class) for row in random.choices(by_class[name], k=len(by_class[name])))


def _train_linear(rows: values.Split, data: LabelledData, seed: int) -> tuple[dict[str, Any], dict[str, Any] | None]:
    from evaluation.training.algorithm.linear import fit_linear
    from evaluation.training.algorithm.rows import LabelledRow, score_labels

    drawn = draw_again(rows.train, data.labels, seed=seed)
    model = fit_linear([LabelledRow(data.texts[row], data.labels[row]) for row in drawn], seed=seed)

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
    from core.inference.classifiers import SequenceClassifier
    from core.inference.model_files import find_model
    from evaluation.training.algorithm.cleaning import clean
    from evaluation.training.algorithm.finetune import finetune
    from evaluation.training.algorithm.rows import LabelledRow, score_labels
    from evaluation.training.algorithm.settings import FinetuneSettings

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
    result = finetune(settings, labelled, allowed=runner_settings(), should_stop=should_stop)
    independent = None
    if rows.independent:
        about = runner_settings()
        model = SequenceClassifier(
            find_model(str(result.folder), revision=None, settings=about), settings=about, dtype="fp32"
        )
        names = model.class_names
        logits = model.logits([clean(data.texts[row], settings.cleaning) for row in rows.independent])
        predicted = [names[int(place)] for place in logits.argmax(axis=1)]
        independent = dict(score_labels([data.labels[row] for row in rows.independent], predicted))
    shutil.rmtree(out, ignore_errors=True)  # the figures are kept; forty models per experiment would fill the disk
    return result.metrics["test"], independent
