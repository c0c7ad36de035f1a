"""Labelled rows to train on, which of them may be seen when, and how well a model does on those it has not seen."""

import random
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypedDict

from core.text import _, ngettext
from evaluation.datasets.files.values import LabelledData


@dataclass(frozen=True, slots=True)
class Split:
    """Positions of the rows of each part, each in ascending order; together every row exactly once."""

    train: tuple[int, ...]
    validation: tuple[int, ...]
    test: tuple[int, ...]


def split_stratified(
    labels: Sequence[Hashable], *, seed: int, shares: tuple[float, float, float] = (0.8, 0.1, 0.1)
) -> Split:
    """Return train, validation and test positions; of each class every part gets its share to within one row.

    Refuses shares that do not add up to one, and a class with fewer than three rows: it could not be in every part.
    """
    if any(share <= 0 for share in shares) or abs(sum(shares) - 1) > 1e-9:
        raise ValueError(f"the shares {shares} must be positive and add up to 1")
    by_class: dict[Hashable, list[int]] = {}
    for position, label in enumerate(labels):
        by_class.setdefault(label, []).append(position)
    for label, positions in by_class.items():
        if len(positions) < 3:
            raise ValueError(
                ngettext(
                    "The class '%(label)s' has %(count)s row. At least three are needed to split it.",
                    "The class '%(label)s' has %(count)s rows. At least three are needed to split it.",
                    len(positions),
                    label=str(label),
                )
            )
    parts: tuple[list[int], list[int], list[int]] = ([], [], [])
    # Classes in a fixed order, so that the same rows and seed give the same split whatever the hash seed is.
    for label in sorted(by_class, key=str):
        positions = by_class[label]
        random.Random(f"{seed}:{label}").shuffle(positions)
        sizes = _sizes(len(positions), shares)
        start = 0
        for part, size in zip(parts, sizes, strict=True):
            part.extend(positions[start : start + size])
            start += size
    return Split(*(tuple(sorted(part)) for part in parts))


def _sizes(count: int, shares: tuple[float, float, float]) -> list[int]:
    # Largest remainder; every part gets at least one row.
    exact = [count * share for share in shares]
    sizes = [int(value) for value in exact]
    for index in sorted(range(3), key=lambda part: sizes[part] - exact[part])[: count - sum(sizes)]:
        sizes[index] += 1
    for index in range(3):
        if sizes[index] == 0:
            sizes[index] = 1
            sizes[sizes.index(max(sizes))] -= 1
    return sizes


@dataclass(frozen=True, slots=True)
class LabelledRow:
    """A text, its class, the part of the data it was published in (train, dev, test, or ""), and its source."""

    text: str
    label: str
    split: str = ""
    source: str = ""


def rows_of(data: LabelledData) -> list[LabelledRow]:
    """Return the rows of a labelled data set in its order."""
    return [LabelledRow(*row, data.source) for row in zip(data.texts, data.labels, data.splits, strict=True)]


def named_tests(
    held_out: Sequence[LabelledRow], test_sets: Mapping[str, Sequence[LabelledRow]] | None
) -> dict[str, Sequence[LabelledRow]]:
    """Return what a model is measured on beside all held-out rows: those of each source where there are several, and
    the further test sets."""
    found: dict[str, list[LabelledRow]] = {}
    for row in held_out:
        found.setdefault(row.source, []).append(row)
    return {**(found if len(found) > 1 else {}), **(test_sets or {})}


def draw_sample(rows: Sequence[LabelledRow], size: int, *, seed: int) -> list[LabelledRow]:
    """Return about so many rows, by label as in the whole."""
    chance = random.Random(seed)
    by_label: dict[str, list[LabelledRow]] = {}
    for row in rows:
        by_label.setdefault(row.label, []).append(row)
    chosen: list[LabelledRow] = []
    for label in sorted(by_label):
        share = max(1, round(size * len(by_label[label]) / len(rows)))
        chosen += chance.sample(by_label[label], min(share, len(by_label[label])))
    return chosen


def split_rows(rows: Sequence[LabelledRow], *, seed: int, as_published: bool = False) -> Split:
    """80/10/10 by class, or the parts the data was published in.

    A published split without a dev part gives a tenth of its train part for validation. Refuses a published split
    without train or test rows; rows of no part are left out.
    """
    if not as_published:
        return split_stratified([row.label for row in rows], seed=seed)
    parts = {name: [i for i, row in enumerate(rows) if row.split == name] for name in ("train", "dev", "test")}
    if not parts["train"] or not parts["test"]:
        raise ValueError(_("The data has no published split. Rows that are marked as train and as test are needed."))
    if not parts["dev"]:
        inner = split_stratified([rows[i].label for i in parts["train"]], seed=seed)
        parts["dev"] = [parts["train"][i] for i in inner.validation]
        parts["train"] = [parts["train"][i] for i in sorted((*inner.train, *inner.test))]
    return Split(tuple(parts["train"]), tuple(parts["dev"]), tuple(parts["test"]))


class Scores(TypedDict):
    """Held-out scores; `f1_by_class` lists the classes that occur in gold or prediction."""

    n: int
    accuracy: float
    micro_f1: float
    macro_f1: float
    f1_by_class: dict[str, float]


def score_labels(gold: Sequence[str], predicted: Sequence[str]) -> Scores:
    """Accuracy, micro and macro F1 and the F1 of each class. Refuses to measure nothing."""
    if not gold:
        raise ValueError(_("There are no rows to measure on."))
    from sklearn.metrics import accuracy_score, f1_score

    names = sorted({*gold, *predicted})
    by_class = f1_score(gold, predicted, labels=names, average=None, zero_division=0.0)
    return Scores(
        n=len(gold),
        accuracy=float(accuracy_score(gold, predicted)),
        micro_f1=float(f1_score(gold, predicted, average="micro", zero_division=0.0)),
        macro_f1=float(f1_score(gold, predicted, average="macro", zero_division=0.0)),
        f1_by_class={name: float(value) for name, value in zip(names, by_class, strict=True)},
    )
