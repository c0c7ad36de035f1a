"""Fine-tune any encoder on labelled rows; the result is a model folder that `hf:` can run."""

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from core.inference.loading import load_network, load_tokenizer
from core.inference.model_files import ModelFiles, find_model, split_revision
from core.inference.settings import InferenceSettings
from core.text import _
from evaluation.runners.environment import digest, versions_of
from evaluation.training.algorithm.card import write_card
from evaluation.training.algorithm.checkpoints import Checkpoint, write_json
from evaluation.training.algorithm.cleaning import clean
from evaluation.training.algorithm.loop import EncodedRows, Parts, Report, predict_logits, train_trial
from evaluation.training.algorithm.rows import LabelledRow, named_tests, score_labels, split_rows
from evaluation.training.algorithm.settings import FinetuneSettings, Trial

PACKAGES = ("torch", "transformers", "tokenizers", "safetensors", "scikit-learn")


@dataclass(frozen=True, slots=True)
class FinetuneResult:
    """Where the model is and how it did; `metrics` is what metrics.json holds."""

    folder: Path
    metrics: dict[str, Any]


def finetune(
    settings: FinetuneSettings,
    rows: Sequence[LabelledRow],
    *,
    allowed: InferenceSettings,
    test_sets: Mapping[str, Sequence[LabelledRow]] | None = None,
    progress: Report | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> FinetuneResult:
    """Train every trial, keep the best on the validation part, measure it once on the test part, write the folder.

    `test_sets` are further rows it is measured on; with rows from several sources, each is measured as well.
    Interrupted (also by a kill) it goes on where it was when called again with the same settings and rows; finished, it
    gives what is there. Refuses fewer than two classes, a class too small to split, an `out` folder that holds
    something else, and encoders that are not `allowed`.
    """
    classes = tuple(sorted({row.label for row in rows}))
    if len(classes) < 2:
        raise ValueError(_("Fine-tuning needs at least two classes. Check the label column."))
    if settings.out.exists() and not (settings.out / "metrics.json").is_file() and any(settings.out.iterdir()):
        raise ValueError(
            _("%(folder)s is not empty and not a fine-tuned model. Choose another folder.", folder=str(settings.out))
        )
    split = split_rows(rows, seed=settings.split_seed, as_published=settings.published_split)
    name, revision = split_revision(settings.encoder)
    files = find_model(name, revision=revision, settings=allowed)
    further = {name: [(row.text, row.label) for row in members] for name, members in (test_sets or {}).items()}
    fingerprint = digest(
        [settings.facts(), files.content_hash, [(row.text, row.label, row.split) for row in rows], further]
    )
    if (before := _finished(settings.out, fingerprint)) is not None:
        return FinetuneResult(folder=settings.out, metrics=before)
    work = settings.out.with_name(settings.out.name + ".work") / fingerprint[:16]
    bench = _Bench(files, settings, classes)

    def part(positions: Sequence[int]) -> EncodedRows:
        return bench.encoded([rows[position] for position in positions])

    for members in (test_sets or {}).values():
        bench.encoded(members)  # refuses a class that is not trained, before hours of training
    parts = Parts(part(split.train), part(split.validation), classes)
    trials = settings.trials()
    results = []
    for number, trial in enumerate(trials, start=1):
        place = (number, len(trials))
        results.append(_run(bench, parts, trial, work, fingerprint, place, report=progress, should_stop=should_stop))
    winner = max(results, key=lambda result: float(result["validation_score"]))
    chosen = trials[results.index(winner)]
    model = bench.model(chosen.seed)
    Checkpoint(work / chosen.name, fingerprint=fingerprint).load_best(model)
    metrics = {
        "trial": asdict(chosen),
        "best_epoch": winner["best_epoch"],
        "trials": results,
        "test": _measure(model, part(split.test), classes),
        "tests": {
            name: _measure(model, bench.encoded(members), classes)
            for name, members in named_tests([rows[place] for place in split.test], test_sets).items()
        },
        "selected_by": settings.select_by,
        "rows": {"train": len(split.train), "validation": len(split.validation), "test": len(split.test)},
        "classes": list(classes),
        "encoder": settings.encoder,
        "encoder_hash": files.content_hash,
        "encoder_revision": files.revision,
        "fingerprint": fingerprint,
        "packages": versions_of(PACKAGES),
    }
    _write(settings, bench, model, classes, metrics)
    shutil.rmtree(work.parent, ignore_errors=True)
    return FinetuneResult(folder=settings.out, metrics=metrics)


def _finished(folder: Path, fingerprint: str) -> dict[str, Any] | None:
    """Return the metrics of a folder that these very settings and rows have made."""
    file = folder / "metrics.json"
    if not file.is_file():
        return None
    metrics: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return metrics if metrics.get("fingerprint") == fingerprint else None


class _Bench:
    """The encoder's tokenizer, and fresh models with an untrained head."""

    def __init__(self, files: ModelFiles, settings: FinetuneSettings, classes: Sequence[str]) -> None:
        import torch

        if settings.threads:
            torch.set_num_threads(settings.threads)
        self._files, self.settings, self._classes = files, settings, classes
        self.tokenizer: Any = load_tokenizer(files)
        self.max_length = min(settings.max_length, self.tokenizer.model_max_length)

    def encoded(self, rows: Sequence[LabelledRow]) -> EncodedRows:
        """Return cleaned rows as the model reads them. Refuses a class it is not trained on."""
        if unknown := {row.label for row in rows} - set(self._classes):
            raise ValueError(
                _(
                    "A test set has the class '%(label)s', which is not trained. The trained classes are: %(labels)s.",
                    label=min(unknown),
                    labels=list(self._classes),
                )
            )
        labels = [self._classes.index(row.label) for row in rows]
        texts = [clean(row.text, self.settings.cleaning) for row in rows]
        return EncodedRows(texts, labels, tokenizer=self.tokenizer, max_length=self.max_length)

    def model(self, seed: int) -> Any:
        import torch
        from transformers import AutoModelForSequenceClassification

        torch.manual_seed(seed)  # the new head is random
        network = load_network(
            AutoModelForSequenceClassification,
            self._files,
            what="sequence classifier",
            num_labels=len(self._classes),
            id2label=dict(enumerate(self._classes)),
            label2id={label: index for index, label in enumerate(self._classes)},
            ignore_mismatched_sizes=True,
            dtype=torch.float32,
        )
        return network.to(self.settings.device)


def _run(
    bench: _Bench,
    parts: Parts,
    trial: Trial,
    work: Path,
    fingerprint: str,
    place: tuple[int, int],
    *,
    report: Report | None,
    should_stop: Callable[[], bool] | None,
) -> dict[str, Any]:
    finished = work / trial.name / "result.json"
    if finished.is_file():
        done: dict[str, Any] = json.loads(finished.read_text(encoding="utf-8"))
        return done
    checkpoint = Checkpoint(work / trial.name, fingerprint=fingerprint)
    position = train_trial(
        bench.model(trial.seed),
        parts,
        trial=trial,
        settings=bench.settings,
        checkpoint=checkpoint,
        place=place,
        report=report,
        should_stop=should_stop,
    )
    result = {
        **asdict(trial),
        "best_epoch": position.best_epoch,
        "validation_score": position.best_score,
        "history": position.history,
    }
    write_json(finished, result)
    checkpoint.drop_state()
    return result


def _measure(model: Any, rows: EncodedRows, classes: Sequence[str]) -> dict[str, Any]:
    predicted = [classes[index] for index in predict_logits(model, rows).argmax(dim=-1).tolist()]
    return dict(score_labels([classes[index] for index in rows.labels], predicted))


def _write(
    settings: FinetuneSettings, bench: _Bench, model: Any, classes: Sequence[str], metrics: dict[str, Any]
) -> None:
    # Everything goes to a neighbour first: a reader sees the old model or the new one, never half of one.
    new = settings.out.with_name(settings.out.name + ".new")
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(parents=True)
    model.save_pretrained(new, safe_serialization=True)
    bench.tokenizer.save_pretrained(new)
    write_json(new / "cleaning.json", settings.facts()["cleaning"])
    write_json(new / "metrics.json", metrics)
    card = write_card(
        name=settings.name or settings.out.name,
        encoder=settings.encoder,
        data_name=settings.data_name,
        classes=classes,
        metrics=metrics,
        facts=settings.facts(),
    )
    (new / "README.md").write_text(card, encoding="utf-8")
    old = settings.out.with_name(settings.out.name + ".old")
    shutil.rmtree(old, ignore_errors=True)
    if settings.out.exists():
        settings.out.rename(old)
    new.rename(settings.out)
    shutil.rmtree(old, ignore_errors=True)
