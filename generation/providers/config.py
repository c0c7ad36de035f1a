"""A provider described in a YAML file, with every mistake located."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from curation.inference.settings import InferenceSettings
from generation.providers.costs import Price
from generation.providers.limits import RateLimiter, Retrying
from generation.providers.openai_compatible import STRUCTURED, OpenAICompatible
from generation.providers.running import RunOptions
from generation.providers.transformers_local import TransformersLocal
from generation.providers.values import MOST_SEED, Parameters, Provider

KINDS = ("openai_compatible", "transformers_local")


class ProviderConfigError(ValueError):
    """A provider file is wrong. `problems` lists everything, each with its line."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


@dataclass(frozen=True, slots=True)
class ProviderConfig:
    """A provider and how to use it. The key itself is never kept here, only where to find it."""

    kind: str
    name: str
    model: str
    base_url: str = ""
    api_key_env: str = ""
    api_key_file: str = ""
    gguf_file: str = ""
    timeout: float = 120.0
    structured: str = "auto"
    stream: bool = False
    concurrency: int = 4
    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None
    attempts: int = 5
    budget: float | None = None
    price: Price = field(default_factory=Price)
    parameters: Parameters = field(default_factory=Parameters)

    def options(self) -> RunOptions:
        """How to run requests with this provider."""
        retrying = Retrying(attempts=self.attempts)
        return RunOptions(concurrency=self.concurrency, retrying=retrying, price=self.price, budget=self.budget)

    def limiter(self) -> RateLimiter:
        """A limiter for one process; make it once and share it between runs."""
        return RateLimiter(requests_per_minute=self.requests_per_minute, tokens_per_minute=self.tokens_per_minute)


_NUMBER = (int, float)
_FIELDS: dict[str, tuple[tuple[type, ...], Callable[[Any], bool], str]] = {
    "kind": ((str,), lambda value: value in KINDS, f"one of {', '.join(KINDS)}"),
    "name": ((str,), bool, "a name"),
    "model": ((str,), bool, "the model's name, folder or hub id"),
    "base_url": (
        (str,),
        lambda value: value.startswith(("http://", "https://")),
        "an address starting with http(s)://",
    ),
    "api_key_env": ((str,), bool, "the name of an environment variable"),
    "api_key_file": ((str,), bool, "the path of a file that holds the key"),
    "gguf_file": ((str,), bool, "the name of a GGUF file in the model's folder"),
    "timeout": (_NUMBER, lambda value: value > 0, "seconds above 0"),
    "structured": ((str,), lambda value: value in STRUCTURED, f"one of {', '.join(STRUCTURED)}"),
    "stream": ((bool,), lambda value: True, "true or false"),
    "concurrency": ((int,), lambda value: 1 <= value <= 64, "a whole number from 1 to 64"),
    "requests_per_minute": ((int,), lambda value: value >= 1, "a whole number above 0"),
    "tokens_per_minute": ((int,), lambda value: value >= 1, "a whole number above 0"),
    "attempts": ((int,), lambda value: 1 <= value <= 20, "a whole number from 1 to 20"),
    "budget": (_NUMBER, lambda value: value >= 0, "an amount of 0 or more"),
}
_GROUPS: dict[str, dict[str, tuple[tuple[type, ...], Callable[[Any], bool], str]]] = {
    "price": {
        "prompt_per_million": (_NUMBER, lambda value: value >= 0, "an amount of 0 or more"),
        "completion_per_million": (_NUMBER, lambda value: value >= 0, "an amount of 0 or more"),
    },
    "parameters": {
        "temperature": (_NUMBER, lambda value: 0 <= value <= 2, "a number from 0 to 2"),
        "top_p": (_NUMBER, lambda value: 0 < value <= 1, "a number above 0, at most 1"),
        "max_tokens": ((int,), lambda value: 1 <= value <= 1_000_000, "a whole number from 1 to 1,000,000"),
        "seed": ((int,), lambda value: 0 <= value <= MOST_SEED, f"a whole number from 0 to {MOST_SEED:,}"),
    },
}


def read_provider(path: Path) -> ProviderConfig:
    """Read a provider file. Refuses it with all problems at once, each with file, line and field."""
    try:
        return parse_provider(path.read_text(encoding="utf-8"), file=path.name)
    except (OSError, UnicodeDecodeError) as problem:
        raise ProviderConfigError([f"{path}: the file cannot be read ({problem})"]) from problem


def parse_provider(text: str, *, file: str = "provider") -> ProviderConfig:
    """A provider from YAML text, as `read_provider`."""
    try:
        data = yaml.safe_load(text)
        tree = yaml.compose(text, Loader=yaml.SafeLoader)
    except (yaml.YAMLError, ValueError, RecursionError) as problem:  # ValueError: a date that does not exist
        mark = getattr(problem, "problem_mark", None)
        line = f", line {mark.line + 1}" if mark else ""
        raise ProviderConfigError(
            [f"{file}{line}: this is not YAML ({getattr(problem, 'problem', problem)})"]
        ) from problem
    if not isinstance(data, dict) or not isinstance(tree, yaml.MappingNode):
        raise ProviderConfigError([f"{file}, line 1: fields such as `kind: openai_compatible` are expected"])
    problems: list[str] = []
    lines = {key.value: key.start_mark.line + 1 for key, _ in tree.value}
    groups = {key.value: node for key, node in tree.value if key.value in _GROUPS}
    plain = {key: value for key, value in data.items() if key not in _GROUPS}
    if plain.get("structured") is False:  # YAML reads a bare `off` so
        plain["structured"] = "off"
    if "api_key" in plain:
        problems.append(
            f"{file}, line {lines['api_key']}, api_key: keys do not belong in this file: name an environment "
            "variable in `api_key_env` or a file in `api_key_file`"
        )
        del plain["api_key"]
    values = _check(plain, _FIELDS, lines, file=file, prefix="", problems=problems, also=_GROUPS)
    for name, node in groups.items():
        entry = data[name]
        if not isinstance(entry, dict) or not isinstance(node, yaml.MappingNode):
            problems.append(f"{file}, line {lines[name]}, {name}: fields are expected: {', '.join(_GROUPS[name])}")
            continue
        inner = {key.value: key.start_mark.line + 1 for key, _ in node.value}
        checked = _check(entry, _GROUPS[name], inner, file=file, prefix=f"{name}.", problems=problems)
        values[name] = Price(**checked) if name == "price" else Parameters(**checked)
    for needed in ("kind", "model", *(("base_url",) if data.get("kind") == "openai_compatible" else ())):
        if needed not in data:
            problems.append(f"{file}: `{needed}` is missing: {_FIELDS[needed][2]} is expected")
    price = values.get("price", Price())
    if values.get("budget") is not None and not (price.prompt_per_million or price.completion_per_million):
        # Nothing would count, so the cap somebody relies on would never be reached.
        problems.append(
            f"{file}, line {lines['budget']}, budget: no price is given, so nothing would ever be counted: "
            "add `price: {prompt_per_million: ..., completion_per_million: ...}`, or remove the budget"
        )
    if problems:
        raise ProviderConfigError(problems)
    return ProviderConfig(**{"name": values["model"], **values})


def _check(
    data: Mapping[Any, Any],
    fields: Mapping[str, tuple[tuple[type, ...], Callable[[Any], bool], str]],
    lines: Mapping[str, int],
    *,
    file: str,
    prefix: str,
    problems: list[str],
    also: Mapping[str, object] | None = None,
) -> dict[str, Any]:
    values = {}
    for key, value in data.items():
        where = f"{file}, line {lines.get(str(key), 1)}, {prefix}{key}"
        if key not in fields:
            problems.append(f"{where}: no field is called that; known: {', '.join((*fields, *(also or ())))}")
            continue
        types, is_right, expected = fields[key]
        # In Python a bool is an int; in a file it is a mistake.
        is_kind = isinstance(value, types) and not (isinstance(value, bool) and bool not in types)
        if not is_kind or (isinstance(value, float) and not math.isfinite(value)) or not is_right(value):
            problems.append(f"{where}: {expected} is expected, not {value!r}")
            continue
        values[key] = value
    return values


def build_provider(
    config: ProviderConfig,
    *,
    is_allowed_url: Callable[[str], bool],
    models: InferenceSettings,
    should_stop: Callable[[], bool] = lambda: False,
    environment: Mapping[str, str] | None = None,
) -> Provider:
    """The provider that a file describes; a local model is loaded as `models` allows, at the first request.

    Refuses an address that is not allowed and a key that is named but not there or cannot be one.
    """
    if config.kind == "transformers_local":
        return TransformersLocal(
            model=config.model, settings=models, gguf_file=config.gguf_file or None, should_stop=should_stop
        )
    return OpenAICompatible(
        base_url=config.base_url,
        model=config.model,
        is_allowed_url=is_allowed_url,
        api_key=_find_key(config, os.environ if environment is None else environment),
        timeout=config.timeout,
        structured=config.structured,
        stream=config.stream,
    )


def _find_key(config: ProviderConfig, environment: Mapping[str, str]) -> str:
    if config.api_key_env:
        if not environment.get(config.api_key_env):
            raise ProviderConfigError([f"api_key_env: the environment variable {config.api_key_env} is not set"])
        return environment[config.api_key_env].strip()
    if config.api_key_file:
        try:
            return Path(config.api_key_file).read_text(encoding="utf-8").strip()
        except OSError as problem:
            raise ProviderConfigError([f"api_key_file: the key cannot be read ({problem})"]) from problem
    return ""
