"""How likely a language model finds each text: what the likelihood split is made of."""

from collections.abc import Sequence

from core.inference.language_models import encode_from_start, load_causal_model, mean_log_likelihoods
from core.inference.settings import InferenceSettings
from evaluation.splits.algorithm.representations import TOKENS_AT_ONCE, Progress


def language_model_scores(
    texts: Sequence[str],
    *,
    model: str,
    settings: InferenceSettings,
    max_length: int = 128,
    token_budget: int = TOKENS_AT_ONCE,
    progress: Progress | None = None,
) -> list[float]:
    """Return the mean log-likelihood per token under a causal language model (a folder or `hub/id@revision`).

    The first token is predicted from the model's beginning-of-text token where it has one. A text that leaves nothing
    to predict gets the lowest score of all. Refuses what `load_causal_model` refuses.
    """
    tokenizer, network = load_causal_model(model, settings=settings)
    start = tokenizer.bos_token_id is not None
    rows = encode_from_start(texts, tokenizer, network, max_tokens=max_length + start)
    scores: dict[int, float] = {}
    unpredictable = sum(len(ids) < 2 for ids in rows)
    for found in mean_log_likelihoods(rows, network, token_budget=token_budget):
        scores |= found
        if progress is not None:
            progress(unpredictable + len(scores), len(rows))
    lowest = min(scores.values(), default=0.0) - 1.0
    return [scores.get(position, lowest) for position in range(len(rows))]
