"""Perplexity of texts under a causal language model: how surprised the model is, per token."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.inference.settings import InferenceSettings
from core.text import _

STOPPED = _("not reached: the work was stopped")


@dataclass(frozen=True, slots=True)
class Perplexity:
    """The perplexity of one text; None with a reason where it is undefined."""

    value: float | None
    tokens: int
    reason: str = ""


def perplexities(
    texts: Sequence[str],
    *,
    model: str,
    settings: InferenceSettings,
    gguf_file: str | None = None,
    token_budget: int = 1024,
    max_tokens: int = 512,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> list[Perplexity]:
    """Return the perplexity of each text, each token predicted from those before it and the start token, if any.

    A text of fewer than two tokens has none; of a long one the first `max_tokens` count, or as many as the model can
    read. Stopped early, the texts not reached say so.
    """
    from core.inference.language_models import encode_from_start, load_causal_model, mean_log_likelihoods

    tokenizer, network = load_causal_model(model, settings=settings, gguf_file=gguf_file)
    encoded = encode_from_start(texts, tokenizer, network, max_tokens=max_tokens)
    results = [
        Perplexity(None, len(ids), STOPPED if len(ids) >= 2 else _("the text has no token that follows another"))
        for ids in encoded
    ]
    done = sum(len(ids) < 2 for ids in encoded)
    batches = mean_log_likelihoods(encoded, network, token_budget=token_budget)
    while not should_stop() and (found := next(batches, None)) is not None:
        for position, mean in found.items():
            results[position] = Perplexity(math.exp(min(-mean, 700.0)), len(encoded[position]))
        done += len(found)
        on_progress(done, len(texts))
    return results
