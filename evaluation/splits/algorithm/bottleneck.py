"""A linear bottleneck trained with the encoder: few dimensions that hold what the task needs (10, 50, 200)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.inference.settings import InferenceSettings
from core.text import _
from evaluation.splits.algorithm.representations import Progress, load_encoder, run_encoder, tokens_of
from evaluation.splits.algorithm.values import encode
from evaluation.training.algorithm.checkpoints import Checkpoint, Position

CHECKPOINT_EVERY = 100  # steps


@dataclass(frozen=True, slots=True)
class BottleneckSettings:
    """How encoder, bottleneck and classifier are trained together."""

    encoder: str
    size: int | None = 50  # None: no bottleneck, the whole [CLS] vector of the fine-tuned encoder
    epochs: int = 3
    learning_rate: float = 5e-5
    batch_size: int = 16
    max_length: int = 128
    seed: int = 42

    def __post_init__(self) -> None:
        if self.size is not None and self.size < 1:
            raise ValueError(_("A bottleneck needs at least one dimension."))
        if min(self.epochs, self.batch_size, self.max_length) < 1 or self.learning_rate <= 0:
            raise ValueError(_("Epochs, batch size, length and learning rate must be positive."))


@dataclass(frozen=True, slots=True)
class Bottleneck:
    """A trained encoder with its bottleneck: vectors for a split, and the class it would predict."""

    settings: BottleneckSettings
    classes: tuple[str, ...]
    tokenizer: Any
    network: Any
    losses: tuple[float, ...]  # mean training loss of each epoch

    def vectors(self, texts: Sequence[str], *, progress: Progress | None = None) -> NDArray[np.float32]:
        """Return the latent vector of each text: the bottleneck's output, or the [CLS] vector without one."""
        return self._run(texts, self.network.latent, progress)

    def predict(self, texts: Sequence[str], *, progress: Progress | None = None) -> list[str]:
        """Return the class of each text."""
        scores = self._run(texts, self.network, progress)
        return [self.classes[place] for place in scores.argmax(axis=1)]

    def _run(self, texts: Sequence[str], step: Callable[[Any], Any], progress: Progress | None) -> NDArray[np.float32]:
        self.network.eval()
        return run_encoder(texts, self.tokenizer, step, max_length=self.settings.max_length, progress=progress)


def train_bottleneck(
    texts: Sequence[str],
    labels: Sequence[str],
    *,
    settings: BottleneckSettings,
    allowed: InferenceSettings,
    checkpoint: Checkpoint | None = None,
    progress: Progress | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> Bottleneck:
    """Fine-tune the encoder with a linear layer of few dimensions between its [CLS] vector and the classifier.

    The same data, settings and machine give the same weights, also when it was interrupted and goes on from its
    checkpoint. Refuses fewer than two classes and unequal numbers of texts and labels; asked to stop, it returns what
    was learnt so far.
    """
    import torch

    if len(texts) != len(labels):
        raise ValueError(f"{len(texts)} texts but {len(labels)} labels")
    names, codes = encode(labels)
    if len(names) < 2:
        raise ValueError(_("Training needs at least two classes."))
    torch.manual_seed(settings.seed)
    tokenizer, encoder = load_encoder(settings.encoder, settings=allowed)
    network = _network(encoder, settings.size, len(names))
    optimizer = torch.optim.AdamW(network.parameters(), lr=settings.learning_rate, weight_decay=0.01)
    steps_per_epoch = -(-len(texts) // settings.batch_size)
    steps = steps_per_epoch * settings.epochs
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: max(0.0, 1 - step / steps))
    weights = torch.tensor(len(codes) / (len(names) * np.bincount(codes)), dtype=torch.float32)
    loss_of = torch.nn.CrossEntropyLoss(weight=weights)
    encoded = tokens_of(texts, tokenizer, max_length=settings.max_length)
    random = np.random.default_rng(settings.seed)
    state = {"model": network, "optimizer": optimizer, "schedule": schedule}
    position = (checkpoint.restore(**state) if checkpoint else None) or Position()

    def learnt() -> Bottleneck:
        return Bottleneck(settings, tuple(names), tokenizer, network, tuple(one["loss"] for one in position.history))

    for epoch in range(settings.epochs):
        # Drawn for finished epochs too: the orders are one stream of random numbers.
        order = _shuffled(random, [len(ids) for ids in encoded], settings.batch_size)
        if epoch < position.epoch:
            continue
        network.train()
        for positions in order[position.step - epoch * steps_per_epoch :]:
            if should_stop is not None and should_stop():
                return learnt()
            batch = tokenizer.pad({"input_ids": [encoded[position] for position in positions]}, return_tensors="pt")
            loss = loss_of(network(batch), torch.from_numpy(codes[positions]))
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            position.loss += float(loss.detach()) * len(positions)
            position.step += 1
            if checkpoint and position.step % CHECKPOINT_EVERY == 0:
                checkpoint.save(position, **state)
            if progress is not None:
                progress(position.step, steps)
        position.epoch += 1
        position.history.append({"epoch": position.epoch, "loss": position.loss / len(texts)})
        position.loss = 0.0
        if checkpoint:
            checkpoint.save(position, **state)
    return learnt()


def _shuffled(random: np.random.Generator, lengths: Sequence[int], size: int) -> list[list[int]]:
    """Batches in random order, texts of like length together: half the padding at the same randomness over epochs."""
    order = random.permutation(len(lengths))
    pool = size * 50
    blocks = [sorted(order[start : start + pool], key=lambda row: lengths[row]) for start in range(0, len(order), pool)]
    batches = [[int(row) for row in block[at : at + size]] for block in blocks for at in range(0, len(block), size)]
    return [batches[place] for place in random.permutation(len(batches))]


def _network(encoder: Any, size: int | None, classes: int) -> Any:
    import torch

    width = encoder.config.hidden_size

    class Network(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.encoder = encoder
            self.bottleneck = torch.nn.Identity() if size is None else torch.nn.Linear(width, size)
            self.dropout = torch.nn.Dropout(0.1)
            self.classifier = torch.nn.Linear(size or width, classes)

        def latent(self, batch: Any) -> Any:
            return self.bottleneck(self.encoder(**batch).last_hidden_state[:, 0])

        def forward(self, batch: Any) -> Any:
            return self.classifier(self.dropout(self.latent(batch)))

    return Network()
