"""What requests cost: an estimate before, the account while they run, and a cap that is never passed."""

from core.inference.chat import ChatAnswer, ChatRequest
from core.inference.servers import Price

# Three characters a token is on the dear side for European languages; other scripts take about one token a character.
_CHARACTERS_PER_TOKEN = 3
_OVERHEAD_TOKENS = 16


def count_tokens_roughly(text: str) -> int:
    """Return the tokens of a text, on the dear side, without the model's tokenizer."""
    plain = sum(character.isascii() for character in text)
    return plain // _CHARACTERS_PER_TOKEN + (len(text) - plain) + 1


def prompt_tokens_of(request: ChatRequest) -> int:
    """Return the tokens of a request's messages, on the dear side."""
    return count_tokens_roughly(request.system or "") + count_tokens_roughly(request.user) + _OVERHEAD_TOKENS


def largest_cost_of(request: ChatRequest, price: Price) -> float:
    """Return what a request costs if the model writes as much as it may."""
    return price.of(prompt_tokens=prompt_tokens_of(request), completion_tokens=request.max_tokens)


def cost_of(request: ChatRequest, answer: ChatAnswer, price: Price) -> float:
    """Return what an answer cost; where the server did not count tokens, they are estimated."""
    prompt = answer.prompt_tokens if answer.prompt_tokens is not None else prompt_tokens_of(request)
    completion = answer.completion_tokens if answer.completion_tokens is not None else count_tokens_roughly(answer.text)
    return price.of(prompt_tokens=prompt, completion_tokens=completion)


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
