"""A causal language model on this machine, by folder, hub id or GGUF file, through its chat template."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import Any

from curation.inference.errors import InferenceError
from curation.inference.settings import InferenceSettings
from generation.language_models import load_causal_model
from generation.providers.errors import ProviderError
from generation.providers.values import Answer, Request


class TransformersLocal:
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

    def ask(self, request: Request) -> Answer:
        """Ask once.

        Raises ProviderError when the model may not or cannot be loaded, or the prompt is longer than it can read.
        """
        import torch

        try:
            tokenizer, network = load_causal_model(self.model, settings=self.settings, gguf_file=self.gguf_file)
        except InferenceError as error:
            raise ProviderError(str(error), is_final=True) from error
        prompt = _chat_text(tokenizer, request)
        inputs = tokenizer(prompt, return_tensors="pt", add_special_tokens=not tokenizer.chat_template)
        inputs = inputs.to(network.device)
        length = int(inputs["input_ids"].shape[1])
        room = _room_for_answer(network, length)
        if room < 1:
            problem = f"the prompt has {length:,} tokens, more than the model '{self.model}' can read: shorten it"
            raise ProviderError(problem, is_final=True)
        with self._lock, torch.random.fork_rng(devices=[]), torch.inference_mode():
            torch.manual_seed(request.seed)
            output = network.generate(
                **inputs,
                max_new_tokens=min(request.parameters.max_tokens, room),
                pad_token_id=tokenizer.pad_token_id if tokenizer.pad_token_id is not None else tokenizer.eos_token_id,
                stopping_criteria=[self._stop_on_request],
                **_sampling(request),
            )
        written = output[0, length:]
        text = tokenizer.decode(written, skip_special_tokens=True)
        ended = bool(len(written)) and int(written[-1]) in _end_tokens(network, tokenizer)
        finish = "stop" if ended else ("interrupted" if self._should_stop() else "length")
        return Answer(
            text=text,
            raw=tokenizer.decode(written, skip_special_tokens=False),
            finish_reason=finish,
            model=self.model,
            prompt_tokens=length,
            completion_tokens=len(written),
        )

    def _stop_on_request(self, input_ids: Any, scores: Any, **unused: Any) -> Any:
        import torch

        return torch.full((input_ids.shape[0],), self._should_stop(), dtype=torch.bool)


def _chat_text(tokenizer: Any, request: Request) -> str:
    system, user = request.prompt.system, request.prompt.user
    if not tokenizer.chat_template:
        return f"{system}\n\n{user}\n\n"
    chat = [{"role": "system", "content": system}, {"role": "user", "content": user}]
    try:
        return str(tokenizer.apply_chat_template(chat, tokenize=False, add_generation_prompt=True))
    except Exception:
        # Some templates raise on a system message (their own error type): then it goes into the question.
        merged = [{"role": "user", "content": f"{system}\n\n{user}"}]
        return str(tokenizer.apply_chat_template(merged, tokenize=False, add_generation_prompt=True))


def _room_for_answer(network: Any, length: int) -> int:
    """How many tokens fit behind the prompt; beyond its context a model fails or writes nonsense."""
    context = getattr(network.config, "max_position_embeddings", None)
    return context - length if isinstance(context, int) else sys.maxsize


def _sampling(request: Request) -> dict[str, Any]:
    if request.parameters.temperature <= 0:
        return {"do_sample": False, "temperature": None, "top_p": None, "top_k": None}
    return {
        "do_sample": True,
        "temperature": request.parameters.temperature,
        "top_p": request.parameters.top_p,
        "top_k": 0,
    }


def _end_tokens(network: Any, tokenizer: Any) -> set[int]:
    configured = network.generation_config.eos_token_id
    ends = configured if isinstance(configured, list) else [configured]
    return {int(token) for token in (*ends, tokenizer.eos_token_id) if token is not None}
