"""Encoded rows in batches of like length, in an order that only the seed and the epoch decide."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

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
        raise ValueError("a class has no training row")
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
