"""Reading a streamed answer: server-sent events, put together again."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import httpx

from generation.providers.errors import ProviderError
from generation.providers.reading import as_text, token_counts, whole_characters
from generation.providers.values import Answer


def read_stream(lines: Iterable[str], *, model: str) -> Answer:
    """Put the pieces of a streamed answer together.

    What arrived before a connection broke was paid for, so it is kept and marked "interrupted". Refuses a stream
    without any text that ends early.
    """
    pieces: list[str] = []
    refusal: list[str] = []
    raw: list[str] = []
    finish = ""
    usage: Any = None
    try:
        for line in lines:
            if not line.startswith("data:"):
                continue
            payload = line[5:].strip()
            if payload == "[DONE]":
                break
            raw.append(payload)
            event = json.loads(payload)
            if event.get("error"):
                raise ProviderError(f"the server broke off: {event['error']}", is_retryable=True)
            model = as_text(event.get("model")) or model
            usage = event.get("usage") or usage
            for choice in event.get("choices") or []:
                delta = choice.get("delta") or {}
                pieces.append(_piece(delta.get("content")))
                refusal.append(_piece(delta.get("refusal")))
                finish = as_text(choice.get("finish_reason")) or finish
    except (httpx.HTTPError, ValueError, AttributeError, TypeError) as error:
        if not any(pieces):
            raise ProviderError(f"the stream broke off before any text: {error}", is_retryable=True) from error
        finish = "interrupted"
    if not finish:
        if not any(pieces) and not any(refusal):
            raise ProviderError("the stream ended without any text", is_retryable=True)
        finish = "interrupted"
    prompt_tokens, completion_tokens = token_counts(usage)
    return Answer(
        text=whole_characters("".join(pieces)),
        raw=whole_characters("\n".join(raw)),
        finish_reason=finish,
        model=model,
        prompt_tokens=prompt_tokens,
        completion_tokens=completion_tokens,
        refusal=whole_characters("".join(refusal)),
    )


def _piece(value: Any) -> str:
    """As it came: half a character may be completed by the next piece."""
    return value if isinstance(value, str) else as_text(value)
