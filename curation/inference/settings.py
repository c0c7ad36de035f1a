"""What an installation allows local models."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class InferenceSettings:
    """Where models may come from and where they run; the services fill it from the installation's settings."""

    device: str = "cpu"
    model_roots: tuple[Path, ...] | None = None  # folders local models may live in; None is anywhere
    allow_hub: bool = True
    base_folder: Path | None = None  # relative folders and descriptions are looked up here
