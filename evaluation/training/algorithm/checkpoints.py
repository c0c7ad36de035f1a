"""Files that are whole or not there at all, and the checkpoint a training resumes from."""

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from typing import Any

from core.inference.loading import load_state


def write_whole(path: Path, write: Callable[[Path], object]) -> None:
    """Let `write` fill a neighbour of the file, sync it, and put it in place in one move."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(path.name + ".new")
    write(new)
    with new.open("rb") as file:
        os.fsync(file.fileno())
    os.replace(new, path)


def write_json(path: Path, values: Mapping[str, Any]) -> None:
    """A JSON file, whole or not at all."""
    text = json.dumps(values, ensure_ascii=False, indent=2) + "\n"
    write_whole(path, lambda new: new.write_text(text, encoding="utf-8"))


@dataclass(slots=True)
class Position:
    """How far a training has come. `epoch` counts finished epochs, `step` finished steps of all epochs."""

    epoch: int = 0
    step: int = 0
    best_epoch: int = 0
    best_score: float = -inf  # by what epochs are selected; a loss counts negatively
    loss: float = 0.0  # summed over the texts of the epoch that is under way, where a training reports it
    history: list[dict[str, float]] = field(default_factory=list)


class Checkpoint:
    """The state of one trial on disk. What belongs to other settings or data is ignored, never mixed in."""

    def __init__(self, folder: Path, *, fingerprint: str) -> None:
        self._state = folder / "checkpoint.pt"
        self._best = folder / "best.safetensors"
        self._fingerprint = fingerprint

    def save(self, position: Position, *, model: Any, optimizer: Any, schedule: Any) -> None:
        """Everything needed to go on as if nothing had happened, the random generator included."""
        import torch

        state = {
            "fingerprint": self._fingerprint,
            "position": json.dumps({name: getattr(position, name) for name in Position.__slots__}),
            "model": model.state_dict(),
            "optimizer": optimizer.state_dict(),
            "schedule": schedule.state_dict(),
            "random": torch.get_rng_state(),
        }
        write_whole(self._state, lambda new: torch.save(state, new))

    def restore(self, *, model: Any, optimizer: Any, schedule: Any) -> Position | None:
        """Put the saved state back; None when there is none for these settings and data."""
        import torch

        if not self._state.is_file():
            return None
        state = load_state(self._state)
        if state["fingerprint"] != self._fingerprint:
            return None
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        schedule.load_state_dict(state["schedule"])
        torch.set_rng_state(state["random"])
        return Position(**json.loads(state["position"]))

    def keep_best(self, model: Any) -> None:
        """Keep the weights of the best epoch so far."""
        from safetensors.torch import save_file

        weights = {name: value.detach().contiguous().clone() for name, value in model.state_dict().items()}
        write_whole(self._best, lambda new: save_file(weights, new))

    def load_best(self, model: Any) -> None:
        """Put the best epoch's weights into the model."""
        from safetensors.torch import load_file

        model.load_state_dict(load_file(self._best))

    def drop_state(self) -> None:
        """The trial is finished: keep the best weights, drop what only resuming needs."""
        self._state.unlink(missing_ok=True)
