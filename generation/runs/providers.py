"""Provider files as runs keep them, and which of their settings people may upload."""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import yaml
from django.conf import settings

from core.errors import BadInput
from core.inference.descriptions import Source, read_file, read_text
from core.inference.errors import ConfigurationError, InferenceError, line_of
from core.model_access import inference_settings
from core.text import _, ngettext
from generation.runs.algorithm.config import ProviderConfig, build_provider
from generation.runs.algorithm.values import Provider
from generation.sentences import sentence_of


def read_provider_file(path: Path) -> ProviderConfig:
    """Return a provider from a file on this machine. Refuses it with every problem, and addresses not allowed."""
    try:
        return _checked(ProviderConfig.read(read_file(path)))
    except ConfigurationError as error:
        raise _refused(error) from error


def read_uploaded_provider(text: str, *, file: str = "provider") -> ProviderConfig:
    """Return a provider that someone uploads. Besides the usual mistakes it refuses keys from files of the server."""
    try:
        source = read_text(text, file=file)
        config = ProviderConfig.read(source)
        if config.api_key_file:
            said, fix = _("a file on the server cannot be named"), _("Use api_key.")
            problem = source.problem("api_key_file", said, fix)
            raise ConfigurationError([problem])
        return _checked(config)
    except ConfigurationError as error:
        raise _refused(error) from error


def provider_as_json(config: ProviderConfig) -> dict[str, Any]:
    """Return what a run keeps of a provider: how to ask and where the key is named, never the key."""
    return config.model_dump()


def provider_as_yaml(server: Mapping[str, Any]) -> str:
    """Return the provider of a run as a file to start the next one with, without what is as usual.

    A key file of the server is left out: people may not name one.
    """
    usual = {name: field.default for name, field in ProviderConfig.model_fields.items()}
    kept = {
        name: value
        for name, value in server.items()
        if name == "kind" or (value is not None and value != usual.get(name) and name != "api_key_file")
    }
    return yaml.safe_dump(kept, sort_keys=False, allow_unicode=True)


def provider_from_json(data: Mapping[str, Any], *, seed: int | None = None) -> ProviderConfig:
    """Return the provider that a run keeps; `seed` replaces the file's. Refuses one that is no longer valid."""
    try:
        config = ProviderConfig.read(Source(dict(data), "provider", warns=False))
    except ConfigurationError as error:
        raise _refused(error) from error
    return config if seed is None else config.model_copy(update={"seed": seed})


def open_provider(config: ProviderConfig, *, should_stop: Callable[[], bool] = lambda: False) -> Provider:
    """Return the provider, ready to be asked. Refuses an address that is not allowed and a key that is not there."""
    _checked(config)
    try:
        return build_provider(config, settings=inference_settings(), should_stop=should_stop)
    except ConfigurationError as error:
        raise _refused(error) from error
    except InferenceError as error:
        raise BadInput(sentence_of(error)) from error


def _checked(config: ProviderConfig) -> ProviderConfig:
    if config.url and not inference_settings().allow_url(config.url):
        raise BadInput(
            _(
                "url: the host '%(host)s' is not allowed. Allowed hosts: %(known)s. "
                "An operator can add it to ALLOWED_MODEL_HOSTS.",
                host=urlsplit(config.url).netloc,
                known=list(settings.ALLOWED_MODEL_HOSTS),
            )
        )
    return config


def _refused(error: ConfigurationError) -> BadInput:
    title: str = line_of(error.problems[0])
    if more := len(error.problems) - 1:
        title = ngettext("%(problem)s (and %(count)s more)", "%(problem)s (and %(count)s more)", more, problem=title)
    return BadInput(title, problems=[asdict(problem) for problem in error.problems])
