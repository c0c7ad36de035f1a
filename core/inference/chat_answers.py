"""Reading what a chat server sent, in one piece or streamed: what was paid for is not lost over an odd field."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

import httpx

from core.inference.chat import ChatAnswer
from core.inference.errors import RequestFailed
from core.text import _

_MOST_TOKENS = 2_000_000_000
_BROKEN = 200  # the status of an answer that came but cannot be used


def whole_characters(text: str) -> str:
    """Return a text without halves of characters: two that meet are put together, one alone is replaced.

    JSON may hold them, and a stream may cut an emoji in two; no database keeps them.
    """
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def as_text(value: Any) -> str:
    """Return a value as text; of a list of parts, as some servers send it, their texts in a row."""
    if isinstance(value, list):
        parts = [part.get("text") if isinstance(part, dict) else part for part in value]
        return whole_characters("".join(part for part in parts if isinstance(part, str)))
    return whole_characters(str(value)) if value is not None else ""


def token_counts(usage: Any) -> tuple[int | None, int | None]:
    """Return the tokens of the prompt and of the answer; None where there is no sensible count."""
    if not isinstance(usage, dict):
        return None, None
    return _count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens"))


def places_of(logprobs: Any) -> tuple[Mapping[str, float], ...]:
    """Return the log-probabilities of the tokens at each place; nothing where the server sent none."""
    content = logprobs.get("content") if isinstance(logprobs, dict) else None
    places = []
    for place in content if isinstance(content, list) else []:
        listed = [place, *(place.get("top_logprobs") or [])]
        places.append({str(one["token"]): float(one["logprob"]) for one in listed})
    return tuple(places)


def _count(value: Any) -> int | None:
    try:
        count = round(float(value))
    except (TypeError, ValueError, OverflowError):
        return None
    return count if 0 <= count <= _MOST_TOKENS else None


def read_answer(text: str, *, model: str) -> ChatAnswer:
    """Return the answer in a JSON document. Refuses what is not in OpenAI's format; another try may bring it."""
    try:
        data = json.loads(text)
        choice = data["choices"][0]
        message = choice["message"]
        prompt_tokens, completion_tokens = token_counts(data.get("usage"))
        return ChatAnswer(
            text=as_text(message.get("content")),
            raw=whole_characters(text),
            finish_reason=as_text(choice.get("finish_reason")),
            model=as_text(data.get("model")) or model,
            prompt_tokens=prompt_tokens,
            completion_tokens=completion_tokens,
            refusal=as_text(message.get("refusal")),
            places=places_of(choice.get("logprobs")),
        )
    except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
        problem = _(
            "the answer is not in OpenAI's format (%(error)s): %(answer)s",
            error=f"{type(error).__name__}: {error}",
            answer=repr(text[:200]),
        )
        raise RequestFailed(problem, is_retryable=True, status=_BROKEN) from error


def read_stream(lines: Iterable[str], *, model: str) -> ChatAnswer:
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
                raise RequestFailed(_("the server broke off: %(error)s", error=str(event["error"])), is_retryable=True)
            model = as_text(event.get("model")) or model
            usage = event.get("usage") or usage
            for choice in event.get("choices") or []:
                delta = choice.get("delta") or {}
                pieces.append(_piece(delta.get("content")))
                refusal.append(_piece(delta.get("refusal")))
                finish = as_text(choice.get("finish_reason")) or finish
    except (httpx.HTTPError, ValueError, AttributeError, TypeError) as error:
        if not any(pieces):
            problem = _("the stream broke off before any text: %(error)s", error=str(error))
            raise RequestFailed(problem, is_retryable=True) from error
        finish = "interrupted"
    if not finish:
        if not any(pieces) and not any(refusal):
            raise RequestFailed(_("the stream ended without any text"), is_retryable=True)
        finish = "interrupted"
    prompt_tokens, completion_tokens = token_counts(usage)
    return ChatAnswer(
        text=whole_characters("".join(pieces)),
        raw=whole_characters("\n".join(raw)),
        finish_reason=finish,
        model=model,
        prompt_tokens=prompt_tokens,
        completion_tokens=completion_tokens,
        refusal=whole_characters("".join(refusal)),
    )


def lines_of(pieces: Iterable[bytes]) -> Iterable[str]:
    """Yield the lines of a stream of bytes as they come."""
    rest = b""
    for piece in pieces:
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            yield line.decode("utf-8", "replace").rstrip("\r")
    if rest:
        yield rest.decode("utf-8", "replace")


def _piece(value: Any) -> str:
    """As it came: half a character may be completed by the next piece."""
    return value if isinstance(value, str) else as_text(value)
