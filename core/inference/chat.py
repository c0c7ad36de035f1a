"""What goes to a language model in a chat, and what comes back."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """One question to a language model. What is None is left to the server."""

    user: str
    system: str | None = None
    temperature: float = 0.0
    max_tokens: int = 16
    top_p: float | None = None
    seed: int | None = None
    top_logprobs: int | None = None  # how many tokens are listed with their log-probabilities for each place

    @property
    def messages(self) -> list[dict[str, str]]:
        asked = [{"role": "user", "content": self.user}]
        return [{"role": "system", "content": self.system}, *asked] if self.system else asked


@dataclass(frozen=True, slots=True)
class ChatAnswer:
    """What a language model brought back. Token counts are None where the server did not tell.

    `places` holds log-probabilities by token for each place of the text, where they were asked for.
    """

    text: str
    raw: str
    finish_reason: str
    model: str
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    refusal: str = ""
    places: tuple[Mapping[str, float], ...] = ()

    @property
    def is_cut_off(self) -> bool:
        return self.finish_reason in ("length", "interrupted", "max_tokens")
