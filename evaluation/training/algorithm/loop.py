"""One trial: epochs over the training part, early stopping on the validation part, resumable at any step."""

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from core.inference.batches import plan_batches
from core.text import _
from evaluation.training.algorithm.checkpoints import Checkpoint, Position
from evaluation.training.algorithm.rows import score_labels
from evaluation.training.algorithm.settings import FinetuneSettings, Moment, Trial

BUCKET = 32  # batches that are sorted by length together


def training_order(lengths: Sequence[int], *, batch_size: int, seed: int, epoch: int) -> list[list[int]]:
    """Shuffled batches of one epoch; rows of like length share a batch, so little padding is computed."""
    chance = random.Random(f"{seed}:{epoch}")
    positions = list(range(len(lengths)))
    chance.shuffle(positions)
    batches = []
    for start in range(0, len(positions), batch_size * BUCKET):
        bucket = sorted(positions[start : start + batch_size * BUCKET], key=lambda index: lengths[index])
        batches += [bucket[first : first + batch_size] for first in range(0, len(bucket), batch_size)]
    chance.shuffle(batches)
    return batches


def class_weights(labels: Sequence[int], *, classes: int) -> list[float]:
    """Inverse class frequency, scaled so that balanced data has weight one everywhere; refuses a class without rows."""
    counts = [0] * classes
    for label in labels:
        counts[label] += 1
    if 0 in counts:
        raise ValueError(_("A class has no training row."))
    return [len(labels) / (classes * count) for count in counts]


class EncodedRows:
    """Token ids and classes of one part of the data, tokenised once."""

    def __init__(self, texts: Sequence[str], labels: Sequence[int], *, tokenizer: Any, max_length: int) -> None:
        encoded = tokenizer(list(texts), truncation=True, max_length=max_length, return_attention_mask=False)
        self.ids: list[list[int]] = encoded["input_ids"]
        self.labels = list(labels)
        self.lengths = [len(row) for row in self.ids]
        self._padding = tokenizer.pad_token_id or 0

    def batch(self, positions: Sequence[int], *, device: Any) -> tuple[dict[str, Any], Any]:
        """Padded inputs and the classes of the rows at these positions."""
        import torch

        longest = max(self.lengths[position] for position in positions)
        ids = [self.ids[p] + [self._padding] * (longest - self.lengths[p]) for p in positions]
        mask = [[1] * self.lengths[p] + [0] * (longest - self.lengths[p]) for p in positions]
        inputs = {
            "input_ids": torch.tensor(ids, device=device),
            "attention_mask": torch.tensor(mask, device=device),
        }
        return inputs, torch.tensor([self.labels[p] for p in positions], device=device)


Report = Callable[[Moment], None]
EVALUATION_BUDGET = 4096  # tokens of a batch without gradients


class TrainingStopped(Exception):
    """The caller asked to stop; the checkpoint is written and the same call goes on from it."""


@dataclass(frozen=True, slots=True)
class Parts:
    """The encoded parts of the data and the names of the classes."""

    train: EncodedRows
    validation: EncodedRows
    classes: tuple[str, ...]


def train_trial(
    model: Any,
    parts: Parts,
    *,
    trial: Trial,
    settings: FinetuneSettings,
    checkpoint: Checkpoint,
    place: tuple[int, int],
    report: Report | None,
    should_stop: Callable[[], bool] | None,
) -> Position:
    """Train the model in place and leave the best epoch's weights in it.

    Raises `TrainingStopped` after writing a checkpoint when asked to stop.
    """
    import torch
    import transformers

    torch.manual_seed(trial.seed)
    steps_per_epoch = -(-len(parts.train.labels) // trial.batch_size)
    steps = steps_per_epoch * trial.epochs
    optimizer = torch.optim.AdamW(model.parameters(), lr=trial.learning_rate, weight_decay=settings.weight_decay)
    warm_up: Any = transformers.get_linear_schedule_with_warmup
    schedule = warm_up(optimizer, int(settings.warmup_share * steps), steps)
    weights = class_weights(parts.train.labels, classes=len(parts.classes)) if settings.class_weights else None
    lossy = torch.nn.CrossEntropyLoss(weight=torch.tensor(weights, device=model.device) if weights else None)
    position = checkpoint.restore(model=model, optimizer=optimizer, schedule=schedule) or Position()
    clock = _Clock(first_step=position.step, steps=steps)

    def save() -> None:
        checkpoint.save(position, model=model, optimizer=optimizer, schedule=schedule)

    def tell(loss: float | None, macro_f1: float | None = None) -> None:
        if report is not None:
            left = clock.seconds_left(position.step)
            epoch = min(position.epoch + 1, trial.epochs)
            report(Moment(*place, epoch, trial.epochs, position.step, steps, loss, left, macro_f1))

    while position.epoch < trial.epochs and position.epoch - position.best_epoch < settings.patience:
        order = training_order(parts.train.lengths, batch_size=trial.batch_size, seed=trial.seed, epoch=position.epoch)
        model.train()
        for positions in order[position.step - position.epoch * steps_per_epoch :]:
            if should_stop is not None and should_stop():
                save()
                raise TrainingStopped(
                    _(
                        "Stopped at step %(step)s of %(steps)s. The same command continues from there.",
                        step=position.step,
                        steps=steps,
                    )
                )
            inputs, gold = parts.train.batch(positions, device=model.device)
            loss = lossy(model(**inputs).logits, gold)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            optimizer.zero_grad()
            position.step += 1
            tell(float(loss.detach()))
            if position.step % settings.checkpoint_every == 0:
                save()
        scores = _validate(model, parts, lossy, positive=settings.positive)
        position.epoch += 1
        position.history.append({"epoch": position.epoch, **scores})
        score = -scores["loss"] if settings.select_by == "loss" else scores[settings.select_by]
        if score > position.best_score:
            position.best_epoch, position.best_score = position.epoch, score
            checkpoint.keep_best(model)
        save()
        tell(None, scores["macro_f1"])
    checkpoint.load_best(model)
    return position


def _validate(model: Any, parts: Parts, lossy: Any, *, positive: str) -> dict[str, float]:
    """Return the loss and the scores on the validation part; `f1` is that of the positive class, where one is named."""
    import torch

    logits = predict_logits(model, parts.validation)
    gold = torch.tensor(parts.validation.labels, device=logits.device)
    names = [parts.classes[label] for label in parts.validation.labels]
    scores = score_labels(names, [parts.classes[label] for label in logits.argmax(dim=-1).tolist()])
    found = {"loss": float(lossy(logits, gold)), "macro_f1": scores["macro_f1"]}
    return found | ({"f1": scores["f1_by_class"].get(positive, 0.0)} if positive else {})


def predict_logits(model: Any, rows: EncodedRows) -> Any:
    """Return the logits of every row, in order."""
    import torch

    model.eval()
    found: list[Any] = [None] * len(rows.labels)
    with torch.inference_mode():
        for positions in plan_batches(rows.lengths, budget=EVALUATION_BUDGET):
            inputs, _gold = rows.batch(positions, device=model.device)
            for index, logits in zip(positions, model(**inputs).logits, strict=True):
                found[index] = logits
    return torch.stack(found)


class _Clock:
    """Time left, from the steps of this process alone: what ran before a resume ran at another speed."""

    def __init__(self, *, first_step: int, steps: int) -> None:
        self._started, self._first, self._steps = time.monotonic(), first_step, steps

    def seconds_left(self, step: int) -> float | None:
        if step == self._first:
            return None
        return (time.monotonic() - self._started) / (step - self._first) * (self._steps - step)
