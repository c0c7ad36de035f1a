"""Messages out of a model's answer, however it was wrapped: JSON, fenced, numbered, cut off, with chatter around."""

import ast
import json
import re
from dataclasses import dataclass
from typing import Any

from core.inference.chat_answers import whole_characters

_THOUGHTS = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL)
_FENCE = re.compile(r"```[\w-]*[ \t]*\n?(.*?)(?:```|\Z)", re.DOTALL)
_COMPLETE_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"\s*([,\]:}]|\Z)', re.DOTALL)
_ITEM = re.compile(r"^\s*(?:\*{0,2}\(?\d{1,3}[.):\]]\*{0,2}|\d{1,3}\s+-|[-*•–])\s*(\S.*)$")
_WRAPPING = {'"': '"', "'": "'", "“": "”", "„": "“", "«": "»", "‘": "’", "`": "`", "「": "」"}
_BRACKET = re.compile(r"[{\[]")
_OPENING = re.compile(r"[{\[]\s*[\"'{\[]")
_OPEN_LIST = re.compile(r"\[\s*[{\"]")
_TEXT_KEYS = ("message", "text", "content", "sentence")


@dataclass(frozen=True, slots=True)
class Parsed:
    """The messages of an answer, and how they were found: json, fenced, cut_off, numbered, quoted or unreadable."""

    messages: tuple[str, ...]
    how: str


def parse_messages(text: str, *, is_cut_off: bool = False) -> Parsed:
    """Return all complete messages of an answer; one that was cut in the middle is dropped, never guessed."""
    text = _THOUGHTS.sub("", text).strip()
    if found := _from_json(text):
        return Parsed(_clean(found), "json")
    for block in _FENCE.findall(text):
        if found := _from_json(block.strip()):
            return Parsed(_clean(found), "fenced")
    if found := _from_cut_json(text):
        return Parsed(_clean(found), "cut_off")
    if found := _from_lines(text, is_cut_off=is_cut_off):
        return Parsed(_clean(found), "numbered")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if lines and all(_unwrap(line) != line for line in lines):
        return Parsed(_clean(lines), "quoted")
    return Parsed((), "unreadable")


def _from_json(text: str) -> list[str]:
    """Return the messages of a JSON or Python value; brackets in the chatter before it are passed over."""
    start = _OPENING.search(text) or _BRACKET.search(text)
    return _strings(_value(text[start.start() :])) if start else []


def _value(body: str) -> Any:
    try:
        return json.JSONDecoder(strict=False).raw_decode(body)[0]
    except (ValueError, RecursionError):
        pass
    try:
        return ast.literal_eval(body)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None


def _strings(value: Any) -> list[str]:
    if isinstance(value, dict):
        if isinstance(value.get("messages"), list):
            return _strings(value["messages"])
        lists = [item for item in value.values() if isinstance(item, list)]
        if len(lists) == 1:
            return _strings(lists[0])
        if value and all(isinstance(item, str) for item in value.values()):
            return list(value.values())
        return []
    if not isinstance(value, list):
        return []
    found = []
    for item in value:
        if isinstance(item, str):
            found.append(item)
        elif isinstance(item, dict):
            found.extend([item[key] for key in _TEXT_KEYS if isinstance(item.get(key), str)][:1])
    return found


def _from_cut_json(text: str) -> list[str]:
    """Return the complete strings of a JSON list that breaks off."""
    start = _OPEN_LIST.search(text)
    if start is None:
        return []
    found = []
    for body, following in _COMPLETE_STRING.findall(text, start.start() + 1):
        if following == ":":
            continue
        try:
            found.append(json.loads(f'"{body}"', strict=False))
        except ValueError:
            continue
    return found


def _from_lines(text: str, *, is_cut_off: bool) -> list[str]:
    items: list[str] = []
    for line in text.splitlines():
        match = _ITEM.match(line)
        if match:
            items.append(match[1])
        elif items and line.strip() and line[:1].isspace():
            items[-1] += " " + line.strip()
    # The last line of an answer that ran out of tokens is likely half a message.
    return items[:-1] if is_cut_off else items


def _clean(messages: list[str]) -> tuple[str, ...]:
    whole = (whole_characters(message) for message in messages)
    return tuple(text for message in whole if (text := _unwrap(message.strip().strip("*").strip())))


def _unwrap(text: str) -> str:
    bare = text.rstrip(",")
    if (
        len(bare) >= 2
        and _WRAPPING.get(bare[0]) == bare[-1]
        and bare[0] not in bare[1:-1]
        and bare[-1] not in bare[1:-1]
    ):
        return bare[1:-1].strip()
    return text
