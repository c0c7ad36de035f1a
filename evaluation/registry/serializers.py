"""Requests about models and runs."""

from collections.abc import Mapping
from typing import Any

from core.options.serializers import OptionsSerializer
from evaluation.registry.options import ChangeModelOptions, RegisterOptions, StarOptions
from evaluation.runners.loading import target_key
from evaluation.runs.options import PredictionsOptions, RunOptions


def flatten_spec(data: Any) -> Any:
    """Return a request whose spec is an object with the spec as text and its settings beside it."""
    spec = data.get("spec") if isinstance(data, Mapping) else None
    if not isinstance(spec, Mapping):
        return data
    key = target_key(str(spec.get("kind", "")))
    settings = {name: value for name, value in spec.items() if name not in ("kind", key)}
    told = data.get("more_settings")
    text = f"{spec.get('kind', '')}:{spec.get(key, '')}"
    return {**data, "spec": text, "more_settings": settings | (dict(told) if isinstance(told, Mapping) else {})}


class RegisterSerializer(OptionsSerializer[RegisterOptions]):
    options = RegisterOptions

    def to_internal_value(self, data: Any) -> Any:
        return super().to_internal_value(flatten_spec(data))


class ChangeModelSerializer(OptionsSerializer[ChangeModelOptions]):
    options = ChangeModelOptions


class StarSerializer(OptionsSerializer[StarOptions]):
    options = StarOptions


class StartSerializer(OptionsSerializer[RunOptions]):
    options = RunOptions

    def to_internal_value(self, data: Any) -> Any:
        return super().to_internal_value(flatten_spec(data))


class UploadSerializer(OptionsSerializer[PredictionsOptions]):
    options = PredictionsOptions
