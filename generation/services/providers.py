"""Provider files as runs keep them, and which of their settings people may upload."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import yaml
from django.conf import settings

from curation.errors import BadInput
from curation.services.inference import inference_settings
from generation.providers.config import (
    ProviderConfig,
    ProviderConfigError,
    build_provider,
    parse_provider,
    read_provider,
)
from generation.providers.costs import Price
from generation.providers.errors import ProviderError
from generation.providers.values import Parameters, Provider

# An uploaded file must not be able to send another secret of the server, such as its own key, to anybody.
KEY_NAME = re.compile(r"[A-Z][A-Z0-9_]*_API_KEY\Z")


def read_provider_file(path: Path) -> ProviderConfig:
    """A provider from a file on this machine. Refuses it with every problem, and addresses that are not allowed."""
    try:
        config = read_provider(path)
    except ProviderConfigError as error:
        raise _refused(error) from error
    return _checked(config)


def read_uploaded_provider(text: str, *, file: str = "provider") -> ProviderConfig:
    """A provider somebody uploads.

    Besides the usual mistakes it refuses keys from files, and environment variables not named like an API key.
    """
    try:
        config = parse_provider(text, file=file)
    except ProviderConfigError as error:
        raise _refused(error) from error
    problems = []
    if config.api_key_file:
        problems.append(_problem(f"{file}, api_key_file: a file of the server cannot be named; use api_key_env"))
    if config.api_key_env and not KEY_NAME.match(config.api_key_env):
        problems.append(
            _problem(f"{file}, api_key_env: the name must end in _API_KEY, such as OUR_API_KEY; set it on the server")
        )
    if problems:
        raise BadInput(f"{problems[0]['file']}: {problems[0]['problem']}.", problems=problems)
    return _checked(config)


def provider_as_json(config: ProviderConfig) -> dict[str, Any]:
    """What a run keeps of a provider: how to ask and where the key is named, never the key."""
    return asdict(config)


def provider_as_yaml(data: Mapping[str, Any]) -> str:
    """The provider of a run as a file to start the next one with, without what is as usual.

    A key file of the server is left out: people may not name one.
    """
    usual = asdict(ProviderConfig(kind="", name="", model=""))
    kept = {name: value for name, value in data.items() if value != usual[name] and name != "api_key_file"}
    for part in {"price", "parameters"} & kept.keys():
        kept[part] = {name: value for name, value in data[part].items() if value != usual[part][name]}
    return yaml.safe_dump(kept, sort_keys=False, allow_unicode=True)


def provider_from_json(data: Mapping[str, Any], *, seed: int | None = None) -> ProviderConfig:
    """The provider of a run; `seed` replaces the file's."""
    config = ProviderConfig(**{**data, "price": Price(**data["price"]), "parameters": Parameters(**data["parameters"])})
    return config if seed is None else replace(config, parameters=replace(config.parameters, seed=seed))


def open_provider(config: ProviderConfig, *, should_stop: Callable[[], bool] = lambda: False) -> Provider:
    """The provider, ready to be asked. Refuses an address that is not allowed and a key that is not there or none."""
    _checked(config)
    try:
        return build_provider(
            config, is_allowed_url=is_allowed_url, models=inference_settings(), should_stop=should_stop
        )
    except ProviderConfigError as error:
        raise _refused(error) from error
    except ProviderError as error:
        raise BadInput(f"{error}. Mend the variable or file that holds it.") from error


def is_allowed_url(url: str) -> bool:
    """Whether an address is on a host of ALLOWED_MODEL_HOSTS (`host` for any port, or `host:port`)."""
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").lower(), parts.port
    except ValueError:
        return False
    listed = {item.lower().strip() for item in settings.ALLOWED_MODEL_HOSTS}
    return parts.scheme in {"http", "https"} and "@" not in parts.netloc and bool({host, f"{host}:{port}"} & listed)


def _checked(config: ProviderConfig) -> ProviderConfig:
    if config.base_url and not is_allowed_url(config.base_url):
        known = ", ".join(settings.ALLOWED_MODEL_HOSTS)
        raise BadInput(
            f"base_url: '{urlsplit(config.base_url).netloc}' may not be asked. Allowed hosts: {known}. "
            "An operator can add it to ALLOWED_MODEL_HOSTS."
        )
    return config


def _problem(text: str) -> dict[str, Any]:
    place, _, problem = text.partition(": ")
    return {"file": place, "problem": problem or place, "fix": "mend the provider file"}


def _refused(error: ProviderConfigError) -> BadInput:
    more = f" (and {len(error.problems) - 1} more)" if len(error.problems) > 1 else ""
    return BadInput(error.problems[0] + more, problems=[_problem(problem) for problem in error.problems])
