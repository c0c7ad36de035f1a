"""From what a language model wrote to a label, a refusal, or an answer that is neither."""

import json
import re
from collections.abc import Mapping, Sequence

from core.inference.refusals import begins_by_declining
from core.text import _
from evaluation.runners.answers import Answer

# Without an end the answer was cut while the model thought: what it weighs there is no answer.
THINKING = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)


def parse_answer(written: str, *, words: Mapping[str, Sequence[str]]) -> Answer:
    """The label a model's text stands for; `words` lists for each label what the model may call it.

    In this order: a JSON object with one of the words as value; an answer that begins by declining ("No puedo ayudar"
    is no "no"); a word at the very beginning; the only label that occurs anywhere. Two different labels in one answer
    are an error, never a guess.
    """
    text = without_thoughts(written)
    table = {word.lower(): label for label, listed in words.items() for word in listed}
    found = _from_json(text, table)
    if found is None and begins_by_declining(text):
        return Answer(label=None, refusal=True, raw=written)
    found = found or _at_beginning(text, table)
    if found is None:
        labels = _anywhere(text, table)
        if len(labels) == 1:
            found = labels.pop()
        else:
            problem = _("the answer names more than one label") if labels else _("the answer names no label")
            return Answer(label=None, raw=written, error=problem if text else _("the answer is empty"))
    return Answer(label=found, raw=written)


def without_thoughts(written: str) -> str:
    """Return what a model says once it has thought."""
    return THINKING.sub("", written).strip()


def _from_json(text: str, table: Mapping[str, str]) -> str | None:
    start, end = text.find("{"), text.rfind("}")
    if start < 0 or end < start:
        return None
    try:
        value = json.loads(text[start : end + 1])
    except ValueError:
        return None
    found = {table[str(item).strip().lower()] for item in value.values() if str(item).strip().lower() in table}
    return found.pop() if len(found) == 1 else None


def _at_beginning(text: str, table: Mapping[str, str]) -> str | None:
    bare = re.sub(r"^(?:\W*\b(?:label|answer|classification|verdict)\b)?\W*", "", text.lower())
    for word in sorted(table, key=len, reverse=True):
        if re.match(rf"{re.escape(word)}(?!\w)", bare):
            # "hateful or non-hateful?" begins with a word but decides nothing
            rest = _anywhere(bare[len(word) :], table) - {table[word]}
            return None if rest and re.match(r"\W*(?:or|oder|ou|o)\b|\W*/", bare[len(word) :]) else table[word]
    return None


def _anywhere(text: str, table: Mapping[str, str]) -> set[str]:
    # Longest first and consumed, so that "non-hateful" is not also seen as "hateful".
    found, rest = set(), text.lower()
    for word in sorted(table, key=len, reverse=True):
        rest, hits = re.subn(rf"(?<!\w){re.escape(word)}(?!\w)", " ", rest)
        if hits:
            found.add(table[word])
    return found
