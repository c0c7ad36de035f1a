"""What goes to a language model, what comes back, and what is kept of both."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol

from generation.prompting.values import FilledPrompt

MOST_SEED = 2_000_000_000  # the numbers of requests are added to it, and servers read it as 32 bits


@dataclass(frozen=True, slots=True)
class Parameters:
    """How the model shall write. `seed` is that of the first request; the n-th one uses seed + n."""

    temperature: float = 0.5
    top_p: float = 1.0
    max_tokens: int = 2048
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Request:
    """One question to a model. `number` tells repetitions of one prompt apart."""

    prompt: FilledPrompt
    model: str
    parameters: Parameters = field(default_factory=Parameters)
    number: int = 0

    @property
    def seed(self) -> int:
        return self.parameters.seed + self.number

    @property
    def key(self) -> str:
        """The same question always has the same key, so that an answer once paid for is found again."""
        content = {
            "prompt": self.prompt.sha256,
            "model": self.model,
            "parameters": asdict(self.parameters),
            "number": self.number,
        }
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Answer:
    """What a provider brought back. Token counts are None where it did not tell."""

    text: str
    raw: str
    finish_reason: str
    model: str
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    refusal: str = ""

    @property
    def is_cut_off(self) -> bool:
        return self.finish_reason in ("length", "interrupted", "max_tokens")


@dataclass(frozen=True, slots=True)
class Record:
    """All that is kept of one answered request. It goes to the store before anything is parsed."""

    key: str
    prompt_sha256: str
    system: str
    user: str
    model: str
    parameters: dict[str, Any]
    seed: int
    attempts: int
    seconds: float
    answer: Answer
    cost: float | None


class Store(Protocol):
    """Where records are kept. Both methods are called from the thread that runs the requests, never from workers."""

    def find(self, key: str) -> Record | None:
        """The record of an answered request, or None."""

    def keep(self, record: Record) -> None:
        """Keep a record for good before returning; a key that is already there is left as it is."""


class Provider(Protocol):
    """A language model that can be asked."""

    model: str
    max_concurrency: int | None

    def ask(self, request: Request) -> Answer:
        """Ask once. Raises ProviderError, which says whether another try may help."""
