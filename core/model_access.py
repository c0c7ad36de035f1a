"""What this installation allows models: the one place that reads MODEL_DEVICE, MODEL_FOLDERS, MODEL_HUB and hosts."""

import os
from pathlib import Path

from django.conf import settings

from core.inference.quota import FolderQuota
from core.inference.settings import InferenceSettings, allow_hosts


def inference_settings() -> InferenceSettings:
    """Return the settings every model is loaded or asked with. The product's own folder is always permitted."""
    return InferenceSettings(
        device=settings.MODEL_DEVICE,
        model_roots=(*map(Path, settings.MODEL_FOLDERS), settings.VAR) if settings.MODEL_FOLDERS else None,
        allow_hub=settings.MODEL_HUB,
        base_folder=Path.cwd(),
        allow_url=allow_hosts(settings.ALLOWED_MODEL_HOSTS),
        environment={name: value for name, value in os.environ.items() if name not in settings.OWN_VARIABLES},
        quota=FolderQuota(settings.VAR / "quota"),
    )
