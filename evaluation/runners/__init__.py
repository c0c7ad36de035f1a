"""Model runners: one small interface in front of every way a model can be asked. Nothing here knows Django."""

from core.inference.errors import (
    ConfigurationError,
    InferenceError,
    Interrupted,
    LabelsUnclear,
    ModelUnusable,
    NotAllowed,
    QuotaReached,
    RunnerBusy,
    SpecError,
    Stopped,
)
from core.inference.settings import allow_hosts
from evaluation.runners.answers import Answer, Progress, Runner, ShouldStop
from evaluation.runners.checking import ModelCheck, check_model
from evaluation.runners.chunking import cache_key, cut_into_chunks, text_hash
from evaluation.runners.loading import load_runner, parse_spec
from evaluation.runners.settings import RunnerSettings

__all__ = [
    "Answer",
    "ConfigurationError",
    "InferenceError",
    "Interrupted",
    "LabelsUnclear",
    "ModelCheck",
    "ModelUnusable",
    "NotAllowed",
    "Progress",
    "QuotaReached",
    "Runner",
    "RunnerBusy",
    "RunnerSettings",
    "ShouldStop",
    "SpecError",
    "Stopped",
    "allow_hosts",
    "cache_key",
    "check_model",
    "cut_into_chunks",
    "load_runner",
    "parse_spec",
    "text_hash",
]
