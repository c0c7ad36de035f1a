"""Likelihoods are those of the model, whatever the batch a text stands in."""

from pathlib import Path

import pytest

from core.inference.settings import InferenceSettings
from evaluation.splits.algorithm.likelihood import language_model_scores

ANYWHERE = InferenceSettings()
TEXTS = ["a b c", "b", "", "c c a b a", "a"]


@pytest.fixture(scope="module")
def tiny_model(tmp_path_factory) -> Path:
    """A causal language model of three words with random weights, written and read as a real one."""
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast

    folder = tmp_path_factory.mktemp("tiny")
    tokenizer = Tokenizer(models.WordLevel({"<s>": 0, "a": 1, "b": 2, "c": 3}, unk_token="<s>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token="<s>", unk_token="<s>").save_pretrained(folder)
    torch.manual_seed(0)
    config = GPT2Config(vocab_size=4, n_positions=16, n_embd=8, n_layer=1, n_head=2, bos_token_id=0, eos_token_id=0)
    GPT2LMHeadModel(config).save_pretrained(folder)
    return folder


def test_scores_are_the_mean_log_likelihoods_of_the_tokens(tiny_model):
    import torch
    from transformers import AutoModelForCausalLM

    network = AutoModelForCausalLM.from_pretrained(tiny_model)
    tokens = torch.tensor([[0, 1, 2, 3]])
    with torch.inference_mode():
        loss = float(network(input_ids=tokens, labels=tokens).loss)
    assert language_model_scores(TEXTS, model=str(tiny_model), settings=ANYWHERE)[0] == pytest.approx(-loss, abs=1e-5)


def test_scores_do_not_depend_on_batches_and_empty_texts_come_last(tiny_model):
    seen: list[tuple[int, int]] = []
    together = language_model_scores(
        TEXTS, model=str(tiny_model), settings=ANYWHERE, progress=lambda *step: seen.append(step)
    )
    one_by_one = [language_model_scores([text], model=str(tiny_model), settings=ANYWHERE)[0] for text in TEXTS if text]
    assert [score for text, score in zip(TEXTS, together, strict=True) if text] == pytest.approx(one_by_one, abs=1e-5)
    assert min(together) == together[2]
    assert seen[-1] == (5, 5)
