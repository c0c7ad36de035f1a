"""How likely a language model finds each text: what the likelihood split is made of."""

from __future__ import annotations

from collections.abc import Sequence

from curation.inference.loading import load_network, load_tokenizer
from curation.inference.model_files import find_model, split_revision
from evaluation.runners.batches import plan_batches
from evaluation.runners.settings import RunnerSettings
from evaluation.splits.representations import TOKENS_AT_ONCE, Progress


def language_model_scores(
    texts: Sequence[str],
    *,
    model: str,
    settings: RunnerSettings | None = None,
    max_length: int = 128,
    token_budget: int = TOKENS_AT_ONCE,
    progress: Progress | None = None,
) -> list[float]:
    """The mean log-likelihood per token under a causal language model (a folder or `hub/id@revision`).

    The first token is predicted from the model's beginning-of-text token where it has one. A text that leaves nothing
    to predict gets the lowest score of all. Only safetensors are read and no code of the model is run.
    """
    import torch
    from transformers import AutoModelForCausalLM

    name, revision = split_revision(model)
    files = find_model(name, revision=revision, settings=settings or RunnerSettings())
    tokenizer = load_tokenizer(files)
    network = load_network(AutoModelForCausalLM, files, what="language model", trained="language model head")
    network.eval()
    encoded = tokenizer(list(texts), truncation=True, max_length=max_length, add_special_tokens=False)["input_ids"]
    begin = tokenizer.bos_token_id
    rows = [ids if begin is None else [begin, *ids] for ids in encoded]
    scores: list[float | None] = [None] * len(rows)
    predictable = [position for position, ids in enumerate(rows) if len(ids) > 1]
    done = len(rows) - len(predictable)
    for batch in plan_batches([len(rows[position]) for position in predictable], budget=token_budget):
        positions = [predictable[place] for place in batch]
        longest = max(len(rows[position]) for position in positions)
        # Right padding with any token: a causal model never looks to the right, and padded places are masked out below.
        tokens = torch.tensor([rows[position] + [0] * (longest - len(rows[position])) for position in positions])
        mask = torch.tensor([[1] * len(rows[p]) + [0] * (longest - len(rows[p])) for p in positions])
        with torch.inference_mode():
            logits = network(input_ids=tokens, attention_mask=mask).logits[:, :-1].float()
        right = torch.log_softmax(logits, dim=-1).gather(2, tokens[:, 1:, None])[..., 0]
        counted = mask[:, 1:]
        means = (right * counted).sum(dim=1) / counted.sum(dim=1)
        for position, value in zip(positions, means.tolist(), strict=True):
            scores[position] = float(value)
        done += len(positions)
        if progress is not None:
            progress(done, len(rows))
    lowest = min((score for score in scores if score is not None), default=0.0) - 1.0
    return [lowest if score is None else score for score in scores]
