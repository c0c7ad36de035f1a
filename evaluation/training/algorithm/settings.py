"""How a fine-tuning is set up; the defaults are those of the HateCheck paper."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from core.text import _
from evaluation.training.algorithm.cleaning import Cleaning

SelectBy = Literal["macro_f1", "f1", "loss"]
GRID_KEYS = ("epochs", "learning_rate", "batch_size")
TRAINERS = {
    "linear": _("Linear model"),
    "linear:logistic": _("Logistic regression"),
    "linear:svm": _("Support vector machine"),
}


def trainer_title(trainer: str) -> str:
    """Return what people call a trainer: an encoder by its folder or id."""
    return TRAINERS.get(trainer) or trainer.removeprefix("hf:")


@dataclass(frozen=True, slots=True)
class FinetuneSettings:
    """One fine-tuning, or with `grid` and several `seeds` a search whose best on the validation part is kept."""

    encoder: str
    out: Path
    epochs: int = 3
    learning_rate: float = 5e-5
    batch_size: int = 16
    weight_decay: float = 0.01
    warmup_share: float = 0.1
    max_length: int = 128
    patience: int = 2  # epochs without a better validation score before it stops
    select_by: SelectBy = "macro_f1"  # what epochs and trials are compared by, on the validation part
    positive: str = ""  # the class whose F1 selects, where `f1` does
    seeds: tuple[int, ...] = (0,)
    split_seed: int = 0
    published_split: bool = False  # train, dev and test as the data says, instead of 80/10/10
    grid: Mapping[str, Sequence[float]] = field(default_factory=dict)
    class_weights: bool = True
    cleaning: Cleaning = field(default_factory=Cleaning)
    checkpoint_every: int = 100  # steps
    threads: int | None = None
    device: str = "cpu"
    name: str = ""
    data_name: str = ""

    def __post_init__(self) -> None:
        if self.select_by == "f1" and not self.positive:
            raise ValueError(_("Selection by F1 needs the class whose F1 is measured."))
        for key in self.grid:
            if key not in GRID_KEYS:
                raise ValueError(
                    _("The grid has no '%(key)s'. It can vary: %(known)s.", key=key, known=list(GRID_KEYS))
                )
        numbers = (self.epochs, self.learning_rate, self.batch_size, self.max_length, self.checkpoint_every)
        if min(numbers) <= 0 or not self.seeds or any(not values for values in self.grid.values()):
            raise ValueError(
                _("Epochs, learning rate, batch size, length, checkpoints and seeds must all be positive.")
            )

    @classmethod
    def with_grid(
        cls, *, epochs: Sequence[int], learning_rate: Sequence[float], batch_size: Sequence[int], **others: Any
    ) -> FinetuneSettings:
        """Several values of a number are searched, one alone is just taken. Refuses a number without a value."""
        varied = {"epochs": epochs, "learning_rate": learning_rate, "batch_size": batch_size}
        if not all(varied.values()):
            raise ValueError(_("Epochs, learning rate and batch size need a value each."))
        grid = {name: tuple(values) for name, values in varied.items() if len(values) > 1}
        return cls(epochs=epochs[0], learning_rate=learning_rate[0], batch_size=batch_size[0], grid=grid, **others)

    def trials(self) -> list[Trial]:
        """Return every combination of the grid with every seed, in a fixed order."""
        values = [self.grid.get(key, (getattr(self, key),)) for key in GRID_KEYS]
        return [
            Trial(epochs=int(epochs), learning_rate=float(rate), batch_size=int(batch), seed=seed)
            for epochs, rate, batch in itertools.product(*values)
            for seed in self.seeds
        ]

    def facts(self) -> dict[str, Any]:
        """Return what decides the result, as plain values; where it is written and how fast is left out."""
        plain = asdict(replace(self, out=Path("-"), threads=None, checkpoint_every=1, device="-"))
        return {key: str(value) if isinstance(value, Path) else value for key, value in plain.items()}


@dataclass(frozen=True, slots=True)
class Trial:
    """One training run of a search."""

    epochs: int
    learning_rate: float
    batch_size: int
    seed: int

    @property
    def name(self) -> str:
        return f"epochs{self.epochs}-rate{self.learning_rate:g}-batch{self.batch_size}-seed{self.seed}"


@dataclass(frozen=True, slots=True)
class Moment:
    """What a progress callback is told: which trial, how far, how long it may take, the last loss."""

    trial: int
    trials: int
    epoch: int
    epochs: int
    step: int
    steps: int
    loss: float | None
    seconds_left: float | None
    validation_macro_f1: float | None = None
