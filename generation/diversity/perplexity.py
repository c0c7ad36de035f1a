"""Perplexity of texts under a causal language model: how surprised the model is, per token."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from curation.inference.settings import InferenceSettings
from generation.batching import batch_by_tokens


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
    """Perplexity of each text, each token predicted from those before it, after the start token where there is one.

    A text of fewer than two tokens has none; of a long one the first `max_tokens` count, or as many as the model can
    read. Stopped early, the texts not reached say so.
    """
    import torch

    from generation.language_models import load_causal_model

    tokenizer, network = load_causal_model(model, settings=settings, gguf_file=gguf_file)
    max_tokens = min(max_tokens, getattr(network.config, "max_position_embeddings", None) or max_tokens)
    start = [tokenizer.bos_token_id] if tokenizer.bos_token_id is not None else []
    encoded = [
        (start + tokenizer(text, add_special_tokens=False)["input_ids"])[:max_tokens] if text else list(start)
        for text in texts
    ]
    results = [Perplexity(None, len(ids), "not reached: the work was stopped") for ids in encoded]
    for index, ids in enumerate(encoded):
        if len(ids) < 2:
            results[index] = Perplexity(None, len(ids), "the text has no token that follows another")
    measurable = [index for index, ids in enumerate(encoded) if len(ids) >= 2]
    done = len(texts) - len(measurable)
    for batch in batch_by_tokens([len(encoded[index]) for index in measurable], budget=token_budget):
        if should_stop():
            break
        members = [measurable[position] for position in batch]
        width = max(len(encoded[index]) for index in members)
        ids = torch.zeros((len(members), width), dtype=torch.long)
        mask = torch.zeros((len(members), width), dtype=torch.long)
        for row, index in enumerate(members):
            ids[row, : len(encoded[index])] = torch.tensor(encoded[index])
            mask[row, : len(encoded[index])] = 1
        ids, mask = ids.to(network.device), mask.to(network.device)
        with torch.inference_mode():
            logits = network(input_ids=ids, attention_mask=mask).logits[:, :-1].float()
        losses = torch.nn.functional.cross_entropy(logits.transpose(1, 2), ids[:, 1:], reduction="none") * mask[:, 1:]
        means = (losses.sum(dim=1) / mask[:, 1:].sum(dim=1)).tolist()
        for index, mean in zip(members, means, strict=True):
            results[index] = Perplexity(math.exp(min(mean, 700.0)), len(encoded[index]))
        done += len(members)
        on_progress(done, len(texts))
    return results
