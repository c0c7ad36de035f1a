"""What can go wrong with a model, told so that a person knows what to do next."""

from __future__ import annotations


class InferenceError(Exception):
    """Base of everything a model is refused for. `code` is stable, the message is for people."""

    code = "runner_error"


class SpecError(InferenceError):
    """The text that names a model cannot be understood."""

    code = "runner_spec"


class NotAllowed(InferenceError):
    """The installation's settings do not permit this address, callable, command or folder."""

    code = "runner_not_allowed"


class ModelUnusable(InferenceError):
    """The model was found but cannot be used: no safetensors, no trained head, wrong shape of answer."""

    code = "runner_model_unusable"
