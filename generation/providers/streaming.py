"""Reading a streamed answer: server-sent events, put together again."""

from __future__ import annotations

import json
from collections.abc import Iterable

import httpx

from generation.providers.errors import ProviderError
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
    usage: dict[str, int] = {}
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
            model = event.get("model") or model
            usage = event.get("usage") or usage
            for choice in event.get("choices") or []:
                delta = choice.get("delta") or {}
                pieces.append(delta.get("content") or "")
                refusal.append(delta.get("refusal") or "")
                finish = choice.get("finish_reason") or finish
    except (httpx.HTTPError, ValueError, AttributeError, TypeError) as error:
        if not any(pieces):
            raise ProviderError(f"the stream broke off before any text: {error}", is_retryable=True) from error
        finish = "interrupted"
    if not finish:
        if not any(pieces) and not any(refusal):
            raise ProviderError("the stream ended without any text", is_retryable=True)
        finish = "interrupted"
    return Answer(
        text="".join(pieces),
        raw="\n".join(raw),
        finish_reason=finish,
        model=model,
        prompt_tokens=usage.get("prompt_tokens"),
        completion_tokens=usage.get("completion_tokens"),
        refusal="".join(refusal),
    )
