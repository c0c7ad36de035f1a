"""What requests cost: an estimate before, the account while they run, and a cap that is never passed."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass

from generation.providers.values import Answer, Request

# Three characters a token is on the dear side for European languages; other scripts take about one token a character.
_CHARACTERS_PER_TOKEN = 3
_OVERHEAD_TOKENS = 16


@dataclass(frozen=True, slots=True)
class Price:
    """Money per million tokens, as providers print it."""

    prompt_per_million: float = 0.0
    completion_per_million: float = 0.0

    def of(self, *, prompt_tokens: int, completion_tokens: int) -> float:
        return (prompt_tokens * self.prompt_per_million + completion_tokens * self.completion_per_million) / 1_000_000


@dataclass(frozen=True, slots=True)
class Estimate:
    """What requests would take at most. `reused` answers are in the store already and cost nothing."""

    requests: int
    reused: int
    prompt_tokens: int
    completion_tokens: int
    cost: float


def count_tokens_roughly(text: str) -> int:
    """Tokens of a text, on the dear side, without the model's tokenizer."""
    plain = sum(character.isascii() for character in text)
    return plain // _CHARACTERS_PER_TOKEN + (len(text) - plain) + 1


def prompt_tokens_of(request: Request) -> int:
    """Tokens of a request's two messages, on the dear side."""
    return count_tokens_roughly(request.prompt.system) + count_tokens_roughly(request.prompt.user) + _OVERHEAD_TOKENS


def largest_cost_of(request: Request, price: Price) -> float:
    """What a request costs if the model writes as much as it may."""
    return price.of(prompt_tokens=prompt_tokens_of(request), completion_tokens=request.parameters.max_tokens)


def cost_of(request: Request, answer: Answer, price: Price) -> float:
    """What an answer cost; where the provider did not count tokens, they are estimated."""
    prompt = answer.prompt_tokens if answer.prompt_tokens is not None else prompt_tokens_of(request)
    completion = answer.completion_tokens if answer.completion_tokens is not None else count_tokens_roughly(answer.text)
    return price.of(prompt_tokens=prompt, completion_tokens=completion)


def estimate_cost(requests: Iterable[Request], *, price: Price, answered: Container[str] = ()) -> Estimate:
    """What requests would cost at most, without asking anything; `answered` are keys that the store holds."""
    asked = reused = prompt = completion = 0
    for request in requests:
        if answered and request.key in answered:
            reused += 1
            continue
        asked += 1
        prompt += prompt_tokens_of(request)
        completion += request.parameters.max_tokens
    return Estimate(asked, reused, prompt, completion, price.of(prompt_tokens=prompt, completion_tokens=completion))


class Budget:
    """A cap on money. A request starts only when its largest cost still fits beside those under way."""

    def __init__(self, cap: float | None) -> None:
        if cap is not None and cap < 0:
            raise ValueError("a budget is 0 or more")
        self.cap = cap
        self.spent = 0.0
        self._reserved = 0.0

    def reserve(self, amount: float) -> bool:
        """Set money aside for a request; False when it does not fit."""
        if self.cap is not None and self.spent + self._reserved + amount > self.cap:
            return False
        self._reserved += amount
        return True

    def settle(self, reserved: float, actual: float) -> None:
        """Replace what was set aside by what it cost."""
        self._reserved -= reserved
        self.spent += actual
