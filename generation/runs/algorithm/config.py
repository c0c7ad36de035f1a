"""A language model that writes: a server as evaluation describes it too, or a model on this machine."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import Field

from core.inference.chat_client import ChatClient
from core.inference.descriptions import Source
from core.inference.errors import ConfigurationError
from core.inference.language_models import LocalLanguageModel
from core.inference.pacing import Retrying
from core.inference.servers import ChatServer, Price
from core.inference.settings import InferenceSettings
from core.tables.problems import Problem
from core.text import _
from generation.runs.algorithm.running import RunOptions
from generation.runs.algorithm.values import Parameters, Provider

ANSWER: dict[str, Any] = {
    "type": "object",
    "properties": {"messages": {"type": "array", "items": {"type": "string"}}},
    "required": ["messages"],
    "additionalProperties": False,
}


class ProviderConfig(ChatServer):
    """A provider and how to use it. The key itself is never kept here, only the name of its variable or file."""

    kind: Literal["chat", "local"] = Field(default="chat", description=_("one of chat, local"))
    url: str = Field(default="", description=_("the address, such as http://127.0.0.1:8080/v1"))
    model: str = Field(min_length=1, description=_("the model's name, folder or hub id"))
    api_key_file: str = Field(default="", description=_("the path of a file that holds the key"))
    gguf_file: str = Field(default="", description=_("the name of a GGUF file in the model's folder"))
    budget: float | None = Field(default=None, ge=0, description=_("an amount of 0 or more"))
    temperature: float = Field(default=0.5, ge=0, le=2, description=_("a number from 0 to 2"))
    top_p: float = Field(default=1.0, gt=0, le=1, description=_("a number above 0, at most 1"))
    max_tokens: int = Field(
        default=2048, ge=1, le=1_000_000, description=_("a whole number from 1 to %(most)s", most=1_000_000)
    )

    @classmethod
    def read(cls, source: Source | Any, **more: Any) -> Self:
        found = super().read(source, **more)
        return found.named(found.model)

    def problems_in(self, source: Source, **more: Any) -> list[Problem]:
        problems = []
        if self.kind == "chat" and not self.url.startswith(("http://", "https://")):
            is_missing = not self.url
            problem = _("it is missing") if is_missing else _("'%(url)s' is not an address", url=self.url[:60])
            problems.append(source.problem("url", problem, _("Write an address such as http://127.0.0.1:8080/v1.")))
        price = self.price or Price()
        if self.budget is not None and not (price.input_per_million or price.output_per_million):
            # Nothing would count, so the cap would never be reached.
            problems.append(
                source.problem(
                    "budget",
                    _("no price is given, so nothing would ever be counted"),
                    _("Add price: {input_per_million: ..., output_per_million: ...}, or remove the budget."),
                )
            )
        return problems

    @property
    def parameters(self) -> Parameters:
        """How the model shall write."""
        return Parameters(self.temperature, self.top_p, self.max_tokens, self.seed)

    def options(self) -> RunOptions:
        """Return how to run requests with this provider."""
        retrying = Retrying(attempts=self.attempts)
        price = self.price or Price()
        return RunOptions(concurrency=self.concurrency, retrying=retrying, price=price, budget=self.budget)


def build_provider(
    config: ProviderConfig, *, settings: InferenceSettings, should_stop: Callable[[], bool] = lambda: False
) -> Provider:
    """Return the provider that a description names; a local model is loaded as allowed, at the first request.

    Refuses an address that is not allowed and a key that is named but not there or cannot be one.
    """
    if config.kind == "local":
        gguf_file = config.gguf_file or None
        return LocalLanguageModel(model=config.model, settings=settings, gguf_file=gguf_file, should_stop=should_stop)
    if config.api_key_file:
        settings, config = _with_key_of_file(config, settings)
    if problems := config.secret_problems(settings.environment, Source({}, config.name)):
        raise ConfigurationError(problems)
    return ChatClient(config, settings=settings, schema=ANSWER)


def _with_key_of_file(config: ProviderConfig, settings: InferenceSettings) -> tuple[InferenceSettings, ProviderConfig]:
    try:
        key = Path(config.api_key_file).read_text(encoding="utf-8")[:10_000]
    except (OSError, UnicodeDecodeError) as error:
        problem = Source({}, config.name).problem(
            "api_key_file", _("the key cannot be read (%(reason)s)", reason=str(error)), _("Check the path.")
        )
        raise ConfigurationError([problem]) from error
    environment = {**settings.environment, "FILE_API_KEY": key}
    return replace(settings, environment=environment), config.model_copy(update={"api_key": "${FILE_API_KEY}"})
