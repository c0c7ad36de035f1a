"""Where a local model runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curation.inference.errors import ModelUnusable

if TYPE_CHECKING:
    import torch


def choose_device(name: str) -> torch.device:
    """Return the device of that name; `auto` is a GPU if there is one. Refuses a GPU that is not there."""
    import torch

    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    if name.startswith("cuda") and not torch.cuda.is_available():
        raise ModelUnusable(f"device '{name}' was asked for, but this machine has no usable GPU. Use cpu or auto.")
    return torch.device(name)
