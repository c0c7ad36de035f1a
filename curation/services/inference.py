"""What this installation allows local models: the one place that reads MODEL_DEVICE, MODEL_FOLDERS and MODEL_HUB."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings

from curation.inference.settings import InferenceSettings


def inference_settings() -> InferenceSettings:
    """Return the settings every local model is loaded with. The product's own folder is always permitted."""
    return InferenceSettings(
        device=settings.MODEL_DEVICE,
        model_roots=(*map(Path, settings.MODEL_FOLDERS), settings.VAR) if settings.MODEL_FOLDERS else None,
        allow_hub=settings.MODEL_HUB,
        base_folder=Path.cwd(),
    )
