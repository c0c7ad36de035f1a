"""Labelled rows to train on, and which of them may be seen when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.datasets.values import LabelledData
from evaluation.training.splits import Split, split_stratified


@dataclass(frozen=True, slots=True)
class LabelledRow:
    """A text, its class, and the part of the data it was published in (train, dev, test, or "" for none)."""

    text: str
    label: str
    split: str = ""


def rows_of(data: LabelledData) -> list[LabelledRow]:
    """The rows of a labelled data set in its order."""
    return [LabelledRow(*row) for row in zip(data.texts, data.labels, data.splits, strict=True)]


def split_rows(rows: Sequence[LabelledRow], *, seed: int, as_published: bool = False) -> Split:
    """80/10/10 by class, or the parts the data was published in.

    A published split without a dev part gives a tenth of its train part for validation. Refuses a published split
    without train or test rows; rows of no part are left out.
    """
    if not as_published:
        return split_stratified([row.label for row in rows], seed=seed)
    parts = {name: [i for i, row in enumerate(rows) if row.split == name] for name in ("train", "dev", "test")}
    if not parts["train"] or not parts["test"]:
        raise ValueError("the data has no published split: rows marked train and test are needed")
    if not parts["dev"]:
        inner = split_stratified([rows[i].label for i in parts["train"]], seed=seed)
        parts["dev"] = [parts["train"][i] for i in inner.validation]
        parts["train"] = [parts["train"][i] for i in sorted((*inner.train, *inner.test))]
    return Split(tuple(parts["train"]), tuple(parts["dev"]), tuple(parts["test"]))
