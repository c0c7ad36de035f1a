"""What goes to a language model, what comes back, and what is kept of both."""

import hashlib
import json
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol

from core.inference.chat import ChatAnswer, ChatRequest
from generation.prompts.algorithm.values import FilledPrompt


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
    def chat(self) -> ChatRequest:
        """What the model is sent."""
        parameters = self.parameters
        return ChatRequest(
            user=self.prompt.user,
            system=self.prompt.system,
            temperature=parameters.temperature,
            top_p=parameters.top_p,
            max_tokens=parameters.max_tokens,
            seed=self.seed,
        )

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
    answer: ChatAnswer
    cost: float | None


class Store(Protocol):
    """Where records are kept. Both methods are called from the thread that runs the requests, never from workers."""

    def find(self, key: str) -> Record | None:
        """Return the record of an answered request, or None."""

    def keep(self, record: Record) -> None:
        """Keep a record for good before returning; a key that is already there is left as it is."""


class Provider(Protocol):
    """A language model that can be asked."""

    model: str
    max_concurrency: int | None

    def ask(self, request: ChatRequest) -> ChatAnswer:
        """Ask once. Raises RequestFailed, which says whether another try may help."""
