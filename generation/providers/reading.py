"""Values out of an answer's JSON, of whatever type: what was paid for is not lost over an odd field."""

from __future__ import annotations

from typing import Any

_LARGEST = 2_000_000_000


def whole_characters(text: str) -> str:
    """A text without halves of characters: two that meet are put together, one alone is replaced.

    JSON may hold them, and a stream may cut an emoji in two; no database keeps them.
    """
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def as_text(value: Any) -> str:
    """A text; of a list of parts, as some servers send it, their texts in a row."""
    if isinstance(value, list):
        parts = [part.get("text") if isinstance(part, dict) else part for part in value]
        return whole_characters("".join(part for part in parts if isinstance(part, str)))
    return whole_characters(str(value)) if value is not None else ""


def as_count(value: Any) -> int | None:
    """A count of tokens, or None where there is no sensible one; then it is estimated."""
    try:
        count = round(float(value))
    except (TypeError, ValueError, OverflowError):
        return None
    return count if 0 <= count <= _LARGEST else None


def token_counts(usage: Any) -> tuple[int | None, int | None]:
    """Tokens of the prompt and of the answer."""
    if not isinstance(usage, dict):
        return None, None
    return as_count(usage.get("prompt_tokens")), as_count(usage.get("completion_tokens"))
