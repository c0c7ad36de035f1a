"""Causal language models on this machine, by folder, hub id or GGUF file: they write, and they measure texts."""

import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from core.inference.batches import plan_batches
from core.inference.chat import ChatAnswer, ChatRequest
from core.inference.devices import choose_device
from core.inference.errors import InferenceError, RequestFailed
from core.inference.loading import load_network, load_tokenizer
from core.inference.model_files import locate_model, split_revision
from core.inference.settings import InferenceSettings
from core.text import _, ngettext


def load_causal_model(model: str, *, settings: InferenceSettings, gguf_file: str | None = None) -> tuple[Any, Any]:
    """Return tokenizer and network of a causal model, ready for inference; the last two loaded stay in memory.

    A path to a GGUF file names its folder, too. Only safetensors and GGUF are read and no code of the model is run.
    Refuses what `locate_model` refuses, a device that is not there, files that transformers cannot read, and a model
    that was not trained to predict words.
    """
    if not gguf_file and model.endswith(".gguf"):
        model, gguf_file = str(Path(model).parent), Path(model).name
    return _load(model, gguf_file, settings)


@lru_cache(maxsize=2)
def _load(model: str, gguf_file: str | None, settings: InferenceSettings) -> tuple[Any, Any]:
    name, revision = split_revision(model)
    files = locate_model(name, revision=revision, settings=settings, gguf_file=gguf_file)
    device = choose_device(settings.device)
    from transformers import AutoModelForCausalLM

    tokenizer = load_tokenizer(files, gguf_file=gguf_file)
    network = load_network(
        AutoModelForCausalLM, files, what=_("language model"), trained=_("language model head"), gguf_file=gguf_file
    )
    return tokenizer, network.to(device).eval()


def encode_from_start(texts: Sequence[str], tokenizer: Any, network: Any, *, max_tokens: int) -> list[list[int]]:
    """Return the first tokens of each text after the model's start token, where it has one.

    As many as `max_tokens`, or as the model can read.
    """
    start = [tokenizer.bos_token_id] if tokenizer.bos_token_id is not None else []
    longest = min(max_tokens, getattr(network.config, "max_position_embeddings", None) or max_tokens)
    encoded = tokenizer(list(texts), add_special_tokens=False)["input_ids"] if texts else []
    return [(start + ids)[:longest] for ids in encoded]


def mean_log_likelihoods(
    rows: Sequence[Sequence[int]], network: Any, *, token_budget: int
) -> Iterator[dict[int, float]]:
    """Yield, batch by batch, the mean log-likelihood per token of each row, by its position.

    Each token is predicted from those before it, so a row of fewer than two tokens has none.
    """
    import torch

    predictable = [position for position, ids in enumerate(rows) if len(ids) > 1]
    for batch in plan_batches([len(rows[position]) for position in predictable], budget=token_budget):
        positions = [predictable[place] for place in batch]
        longest = max(len(rows[position]) for position in positions)
        # Right padding with any token: a causal model never looks to the right, and padded places are masked out below.
        tokens = torch.tensor([[*rows[p], *[0] * (longest - len(rows[p]))] for p in positions], device=network.device)
        mask = torch.tensor([[1] * len(rows[p]) + [0] * (longest - len(rows[p])) for p in positions]).to(tokens.device)
        with torch.inference_mode():
            logits = network(input_ids=tokens, attention_mask=mask).logits[:, :-1].float()
        likely = torch.log_softmax(logits, dim=-1).gather(2, tokens[:, 1:, None])[..., 0]
        counted = mask[:, 1:]
        means = ((likely * counted).sum(dim=1) / counted.sum(dim=1)).tolist()
        yield dict(zip(positions, means, strict=True))


class LocalLanguageModel:
    """Asks a local model, one request at a time; the same seed on the same machine gives the same answer."""

    max_concurrency: int | None = 1

    def __init__(
        self,
        *,
        model: str,
        settings: InferenceSettings,
        gguf_file: str | None = None,
        should_stop: Callable[[], bool] = lambda: False,
    ) -> None:
        self.model = model
        self.settings = settings
        self.gguf_file = gguf_file
        self._should_stop = should_stop
        self._lock = threading.Lock()

    def ask(self, request: ChatRequest) -> ChatAnswer:
        """Ask once.

        Raises RequestFailed when the model may not or cannot be loaded, or the prompt is longer than it can read.
        """
        import torch

        try:
            tokenizer, network = load_causal_model(self.model, settings=self.settings, gguf_file=self.gguf_file)
        except InferenceError as error:
            raise RequestFailed(error.sentence, is_final=True) from error
        prompt = _chat_text(tokenizer, request)
        inputs = tokenizer(prompt, return_tensors="pt", add_special_tokens=not tokenizer.chat_template)
        inputs = inputs.to(network.device)
        length = int(inputs["input_ids"].shape[1])
        room = _room_for_answer(network, length)
        if room < 1:
            problem = ngettext(
                "the prompt has %(count)s token, more than the model '%(model)s' can read: shorten it",
                "the prompt has %(count)s tokens, more than the model '%(model)s' can read: shorten it",
                length,
                model=self.model,
            )
            raise RequestFailed(problem, is_final=True)
        with self._lock, torch.random.fork_rng(devices=[]), torch.inference_mode():
            torch.manual_seed(request.seed or 0)
            output = network.generate(
                **inputs,
                max_new_tokens=min(request.max_tokens, room),
                pad_token_id=tokenizer.pad_token_id if tokenizer.pad_token_id is not None else tokenizer.eos_token_id,
                stopping_criteria=[self._stop_on_request],
                **_sampling(request),
            )
        written = output[0, length:]
        ended = bool(len(written)) and int(written[-1]) in _end_tokens(network, tokenizer)
        finish = "stop" if ended else ("interrupted" if self._should_stop() else "length")
        return ChatAnswer(
            text=tokenizer.decode(written, skip_special_tokens=True),
            raw=tokenizer.decode(written, skip_special_tokens=False),
            finish_reason=finish,
            model=self.model,
            prompt_tokens=length,
            completion_tokens=len(written),
        )

    def _stop_on_request(self, input_ids: Any, scores: Any, **unused: Any) -> Any:
        import torch

        return torch.full((input_ids.shape[0],), self._should_stop(), dtype=torch.bool)


def _chat_text(tokenizer: Any, request: ChatRequest) -> str:
    if not tokenizer.chat_template:
        return f"{request.system}\n\n{request.user}\n\n"
    try:
        return str(tokenizer.apply_chat_template(request.messages, tokenize=False, add_generation_prompt=True))
    except Exception:
        # Some templates raise on a system message (their own error type): then it goes into the question.
        merged = [{"role": "user", "content": f"{request.system}\n\n{request.user}"}]
        return str(tokenizer.apply_chat_template(merged, tokenize=False, add_generation_prompt=True))


def _room_for_answer(network: Any, length: int) -> int:
    """Return how many tokens fit behind the prompt; beyond its context a model fails or writes nonsense."""
    context = getattr(network.config, "max_position_embeddings", None)
    return context - length if isinstance(context, int) else sys.maxsize


def _sampling(request: ChatRequest) -> dict[str, Any]:
    if request.temperature <= 0:
        return {"do_sample": False, "temperature": None, "top_p": None, "top_k": None}
    return {"do_sample": True, "temperature": request.temperature, "top_p": request.top_p, "top_k": 0}


def _end_tokens(network: Any, tokenizer: Any) -> set[int]:
    configured = network.generation_config.eos_token_id
    ends = configured if isinstance(configured, list) else [configured]
    return {int(token) for token in (*ends, tokenizer.eos_token_id) if token is not None}
