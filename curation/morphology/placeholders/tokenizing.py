"""Cuts a template into tokens. Never refuses anything: what makes no sense is left to the parser."""

import re
from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple


class TokenKind(Enum):
    TEXT = "text"
    ESCAPE = "escape"
    OPEN = "["
    CLOSE = "]"
    OPEN_CHOICE = "{"
    CLOSE_CHOICE = "}"
    NAME = "name"
    HASH = "#"
    COLON = ":"
    EQUALS = "="
    COMMA = ","
    PIPE = "|"
    BLANK = "blank"


class Token(NamedTuple):
    """A piece of the template; `start` counts from 0. Joined again, the tokens give the template."""

    kind: TokenKind
    text: str
    start: int


ESCAPE = re.compile(r"\\[\\\[\]{}]")
ESCAPE_IN_CHOICE = re.compile(r"\\[\\\[\]{}|:#]")
PLAIN = re.compile(r"(?:[^\\\[\]{}]+|\\(?![\\\[\]{}]))+")
INSIDE_CHOICE = re.compile(r"(?:[^\\\[\]{}|]+|\\(?![\\\[\]{}|:#]))+")
NAME = re.compile(r"[^\s\[\]{}:|,=#]+")
BLANK = re.compile(r"\s+")
SIGNS = {kind.value: kind for kind in TokenKind if len(kind.value) == 1}


def tokenize(text: str) -> Iterator[Token]:
    """Yield the tokens of a template, in order and without gaps."""
    place, inside = 0, ""
    while place < len(text):
        kind, end = _next(text, place, inside)
        yield Token(kind, text[place:end], place)
        if kind is TokenKind.OPEN:
            inside = "["
        elif kind is TokenKind.OPEN_CHOICE:
            inside = "{"
        elif kind in (TokenKind.CLOSE, TokenKind.CLOSE_CHOICE):
            inside = ""
        place = end


def _next(text: str, place: int, inside: str) -> tuple[TokenKind, int]:
    if inside == "[":
        if match := BLANK.match(text, place):
            return TokenKind.BLANK, match.end()
        if match := NAME.match(text, place):
            return TokenKind.NAME, match.end()
        return SIGNS[text[place]], place + 1
    if match := (ESCAPE_IN_CHOICE if inside else ESCAPE).match(text, place):
        return TokenKind.ESCAPE, match.end()
    if match := (INSIDE_CHOICE if inside else PLAIN).match(text, place):
        return TokenKind.TEXT, match.end()
    return SIGNS[text[place]], place + 1
