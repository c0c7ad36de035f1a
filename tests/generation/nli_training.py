"""A small inference model of our own: an encoder fine-tuned on sentence pairs, in a minute on a CPU.

It makes the whole line run offline, in tests and on a first day; for real work name a large model from the hub.
"""

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.inference.loading import hush
from core.inference.model_files import locate_model, split_revision
from core.inference.settings import InferenceSettings

LABELS = ("contradiction", "neutral", "entailment")


class PairError(ValueError):
    """A sentence pair in a file cannot be used; the message says which and why."""


@dataclass(frozen=True, slots=True)
class SentencePair:
    premise: str
    hypothesis: str
    label: str


@dataclass(frozen=True, slots=True)
class TrainingResult:
    """Where the model went and how it did: the loss of each epoch, and the share right on pairs held out, if any."""

    folder: Path
    losses: tuple[float, ...]
    held_out_accuracy: float | None


def read_pairs(path: Path) -> list[SentencePair]:
    """Sentence pairs from a JSON list of [premise, hypothesis, label]. Refuses unknown labels and empty sentences."""
    pairs = []
    for number, row in enumerate(json.loads(path.read_text(encoding="utf-8"))["pairs"], start=1):
        if len(row) != 3 or not all(isinstance(value, str) and value.strip() for value in row):
            raise PairError(f"{path.name}, pair {number}: premise, hypothesis and label are expected")
        if row[2] not in LABELS:
            raise PairError(f"{path.name}, pair {number}: no label is called '{row[2]}'; known: {', '.join(LABELS)}")
        pairs.append(SentencePair(*row))
    return pairs


def train_nli_model(
    pairs: Sequence[SentencePair],
    *,
    encoder: str,
    folder: Path,
    settings: InferenceSettings,
    held_out: Sequence[SentencePair] = (),
    epochs: int = 10,
    batch_size: int = 16,
    learning_rate: float = 2e-4,
    frozen_layers: int = 2,
    seed: int = 0,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> TrainingResult:
    """Fine-tune an encoder on sentence pairs into a folder that `EntailmentScorer` reads.

    The embeddings and the lowest layers stay as they are: few pairs cannot improve them, and it takes half the time.
    Refuses an empty list and an encoder that may not be loaded. The same seed and machine give the same model.
    """
    if not pairs:
        raise PairError("there is no pair to learn from")
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    hush()
    torch.manual_seed(seed)
    name, revision = split_revision(encoder)
    start = locate_model(name, revision=revision, settings=settings).folder
    tokenizer = AutoTokenizer.from_pretrained(start, trust_remote_code=False)
    network = AutoModelForSequenceClassification.from_pretrained(
        start,
        use_safetensors=True,
        trust_remote_code=False,
        num_labels=len(LABELS),
        id2label=dict(enumerate(LABELS)),
        label2id={name: i for i, name in enumerate(LABELS)},
    )
    _freeze(network, layers=frozen_layers)
    optimizer = torch.optim.AdamW([weight for weight in network.parameters() if weight.requires_grad], lr=learning_rate)
    steps = epochs * -(-len(pairs) // batch_size)
    decay = torch.optim.lr_scheduler.LinearLR(optimizer, start_factor=1.0, end_factor=0.05, total_iters=steps)
    order = list(pairs)
    shuffler = random.Random(seed)
    losses = []
    network.train()
    for epoch in range(epochs):
        if should_stop():
            break
        shuffler.shuffle(order)
        total = 0.0
        for first in range(0, len(order), batch_size):
            batch = order[first : first + batch_size]
            inputs = tokenizer(
                [pair.premise for pair in batch],
                [pair.hypothesis for pair in batch],
                padding=True,
                truncation=True,
                max_length=128,
                return_tensors="pt",
            )
            labels = torch.tensor([LABELS.index(pair.label) for pair in batch])
            loss = network(**inputs, labels=labels).loss
            loss.backward()
            optimizer.step()
            decay.step()
            optimizer.zero_grad()
            total += loss.item() * len(batch)
        losses.append(total / len(order))
        on_progress(epoch + 1, epochs)
    network.eval()
    folder.mkdir(parents=True, exist_ok=True)
    network.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return TrainingResult(folder, tuple(losses), _accuracy(network, tokenizer, held_out))


def _freeze(network: Any, *, layers: int) -> None:
    encoder = getattr(network.base_model, "encoder", None)
    frozen = [network.base_model.get_input_embeddings(), *getattr(encoder, "layer", [])[:layers]]
    for part in frozen:
        for weight in part.parameters():
            weight.requires_grad = False


def _accuracy(network: Any, tokenizer: Any, pairs: Sequence[SentencePair]) -> float | None:
    if not pairs:
        return None
    import torch

    right = 0
    for pair in pairs:
        inputs = tokenizer(pair.premise, pair.hypothesis, truncation=True, max_length=128, return_tensors="pt")
        with torch.inference_mode():
            answer = int(network(**inputs).logits.argmax())
        right += LABELS[answer] == pair.label
    return right / len(pairs)
