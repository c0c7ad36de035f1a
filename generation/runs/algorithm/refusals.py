"""Telling an answer that declines from one that gives messages."""

from core.inference.chat import ChatAnswer
from core.inference.refusals import declines
from generation.runs.algorithm.parsing import Parsed


def is_refusal(answer: ChatAnswer, parsed: Parsed) -> bool:
    """Return whether an answer declines instead of giving messages.

    Words of refusal count only where there is no list of messages, for "I am sorry" may well stand in a message.
    """
    if answer.refusal or answer.finish_reason == "content_filter":
        return True
    if len(parsed.messages) > 1:
        return False
    return declines(parsed.messages[0] if parsed.messages else answer.text)
