"""Sentences that are shown to people in their own language. Pure: knows no web framework.

`_("%(count)s words", count=3)` is an ordinary English `str`, so it can be compared, stored and sent as JSON. Where it
is shown (`str(text)`, a template, a message, a form), it is made anew in the reader's language. Write whole sentences
with named values; never add or join parts. A value may be a number, a moment, another text, or a list of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Self

KEPT = "__text__"  # how a text is kept in JSON, see `keep` and `recall`
CATALOGUE_CONTEXT = "name in the catalogue"


def _plain(value: Any) -> str:
    """Return a value as English shows it: whole numbers in groups of three, moments in UTC, lists with commas."""
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M} UTC"
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, list | tuple):
        return ", ".join(_plain(item) for item in value)
    return str.__str__(value) if isinstance(value, str) else str(value)


@dataclass(frozen=True, slots=True)
class Language:
    """How texts are made in the reader's language; without one, they stay English."""

    gettext: Callable[[str], str]
    ngettext: Callable[[str, str, int], str]
    pgettext: Callable[[str, str], str]
    npgettext: Callable[[str, str, str, int], str]
    show: Callable[[Any], str]


_reader: Language | None = None
_english_only: ContextVar[bool] = ContextVar("english_only", default=False)


def use_language(language: Language | None) -> None:
    """Set how texts are shown. The web framework calls this once, when it starts."""
    global _reader
    _reader = language


@contextmanager
def in_english() -> Iterator[None]:
    """Show texts in English inside this block: for files that machines read and for logs."""
    token = _english_only.set(True)
    try:
        yield
    finally:
        _english_only.reset(token)


class Text(str):
    """An English sentence that remembers its message and values, so that it can be shown in another language."""

    __slots__ = ("context", "message", "plural", "quantity", "values")
    message: str
    plural: str
    quantity: int | None
    context: str
    values: Mapping[str, Any]

    @classmethod
    def made(
        cls, message: str, values: Mapping[str, Any], *, plural: str = "", count: int | None = None, context: str = ""
    ) -> Self:
        """Return the text of a message. Values fill `%(name)s`; without values the message is taken as it is."""
        chosen = plural if plural and count != 1 else message
        text = super().__new__(cls, chosen % {k: _plain(v) for k, v in values.items()} if values else chosen)
        text.message, text.plural, text.quantity, text.context, text.values = message, plural, count, context, values
        return text

    def __str__(self) -> str:
        reader = _reader
        if reader is None or _english_only.get():
            return str.__str__(self)
        if self.plural and self.quantity is not None:
            found = (
                reader.npgettext(self.context, self.message, self.plural, self.quantity)
                if self.context
                else reader.ngettext(self.message, self.plural, self.quantity)
            )
        else:
            found = reader.pgettext(self.context, self.message) if self.context else reader.gettext(self.message)
        return found % {name: reader.show(value) for name, value in self.values.items()} if self.values else found

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __reduce__(self) -> tuple[Callable[[dict[str, Any]], Text], tuple[dict[str, Any]]]:
        return recall_text, (self.facts(),)

    def facts(self) -> dict[str, Any]:
        """Return what the text is made from."""
        values = {name: keep(value) for name, value in self.values.items()}
        facts = {"message": self.message, "plural": self.plural, "count": self.quantity, "context": self.context}
        return {name: value for name, value in (facts | {"values": values}).items() if value not in ("", None, {})}


def _(message: str, /, **values: Any) -> Text:
    """Return a sentence that is shown in the reader's language."""
    return Text.made(message, values)


def ngettext(singular: str, plural: str, count: int, /, **values: Any) -> Text:
    """Return a sentence for one or for several; `%(count)s` is the number."""
    return Text.made(singular, {"count": count, **values}, plural=plural, count=count)


def pgettext(context: str, message: str, /, **values: Any) -> Text:
    """Return a sentence whose English has two meanings; `context` tells translators which."""
    return Text.made(message, values, context=context)


def catalogue_name(name: str) -> Text:
    """Return what the catalogue calls something as a text; own names stay as they are."""
    return Text.made(name, {}, context=CATALOGUE_CONTEXT)


def catalogue_names(pairs: Iterable[tuple[str, str]]) -> dict[str, Text]:
    """Return by key what the catalogue calls things, as texts."""
    return {key: catalogue_name(name) for key, name in pairs}


def recall_text(facts: Mapping[str, Any]) -> Text:
    """Return the text that `facts` describe."""
    return Text.made(
        facts["message"],
        {name: recall(value) for name, value in facts.get("values", {}).items()},
        plural=facts.get("plural", ""),
        count=facts.get("count"),
        context=facts.get("context", ""),
    )


def keep(value: Any) -> Any:
    """Return a value with its texts as plain JSON, so that they can be shown in any language later."""
    if isinstance(value, Text):
        return {KEPT: value.facts()}
    if isinstance(value, Mapping):
        return {name: keep(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [keep(inner) for inner in value]
    return value if value is None or isinstance(value, str | int | float) else _plain(value)


def recall(value: Any) -> Any:
    """Return what `keep` was given."""
    if isinstance(value, dict):
        if isinstance(found := value.get(KEPT), dict) and isinstance(found.get("message"), str):
            try:
                return recall_text(found)
            except (AttributeError, KeyError, TypeError, ValueError):
                return value  # what a person typed, not what `keep` made
        return {name: recall(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [recall(inner) for inner in value]
    return value


def shown(value: Any) -> Any:
    """Return a value with its texts in the reader's language, for answers that are sent as JSON."""
    if isinstance(value, Text):
        return str(value)
    if isinstance(value, Mapping):
        return {name: shown(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [shown(inner) for inner in value]
    return value
