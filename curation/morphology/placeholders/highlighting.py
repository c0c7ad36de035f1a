"""Where in a template what stands, for colouring it while it is typed; copes with half-written templates."""

from collections.abc import Collection
from typing import NamedTuple

from curation.morphology.aliases import resolve_alias
from curation.morphology.placeholders.errors import TemplateError
from curation.morphology.placeholders.grammar import FOLLOWS
from curation.morphology.placeholders.inside import MARKED
from curation.morphology.placeholders.parsing import DEFAULT_KINDS, parse
from curation.morphology.placeholders.tokenizing import Token, TokenKind, tokenize


class Span(NamedTuple):
    """A stretch of the template, `start` and `end` counted from 0, and what it is:

    text, escape, bracket, kind, alias, unknown, label, feature, value, perturbation, sign, option, error.
    """

    start: int
    end: int
    role: str


def tokens_for_highlighting(text: str, *, kinds: Collection[str] = DEFAULT_KINDS) -> list[Span]:
    """Return spans that cover the whole text in order; a bracket that cannot be read has the role error."""
    spans: list[Span] = []
    inside, previous = "", ""
    for token in tokenize(text):
        spans.extend(_spans(token, inside, previous, kinds))
        if token.kind in (TokenKind.OPEN, TokenKind.OPEN_CHOICE):
            inside = token.text
        elif token.kind in (TokenKind.CLOSE, TokenKind.CLOSE_CHOICE):
            inside = ""
        if token.kind is not TokenKind.BLANK:
            previous = token.text if token.kind is not TokenKind.NAME else "name"
    try:
        parse(text, kinds=kinds)
    except TemplateError as error:
        fault = error.position - 1
        spans = [span._replace(role="error") if span.start <= fault < span.end else span for span in spans]
    return spans


def _spans(token: Token, inside: str, previous: str, kinds: Collection[str]) -> list[Span]:
    end = token.start + len(token.text)
    if token.kind in (TokenKind.OPEN, TokenKind.CLOSE, TokenKind.OPEN_CHOICE, TokenKind.CLOSE_CHOICE):
        return [Span(token.start, end, "bracket")]
    if token.kind is TokenKind.ESCAPE:
        return [Span(token.start, end, "escape")]
    if inside == "[" and token.kind is TokenKind.NAME:
        return [Span(token.start, end, _role(token.text, previous, kinds))]
    if inside == "{" and token.kind is TokenKind.TEXT:
        return _option_spans(token, previous)
    return [Span(token.start, end, "sign" if inside and token.kind is not TokenKind.BLANK else "text")]


def _role(name: str, previous: str, kinds: Collection[str]) -> str:
    if previous == "[":
        if name in kinds:
            return "kind"
        return "alias" if resolve_alias(name) else "unknown"
    return {"#": "label", "=": "value", "|": "perturbation"}.get(previous, "feature")


def _option_spans(token: Token, previous: str) -> list[Span]:
    spans, place = [], 0
    if previous == "{" and (match := FOLLOWS.match(token.text)):
        spans.append(Span(token.start, token.start + match.end(), "label"))
        place = match.end()
    if previous in ("{", "|") and (match := MARKED.match(token.text, place)):
        spans.append(Span(token.start + place, token.start + match.end(), "feature"))
        place = match.end()
    if place < len(token.text):
        spans.append(Span(token.start + place, token.start + len(token.text), "option"))
    return spans
