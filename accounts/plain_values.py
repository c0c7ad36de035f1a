"""Values that a database can keep: no null characters, no halves of characters, not nested without end."""

import re
from typing import Any

from core.text import Text, _, recall_text

UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
MOST_LEVELS = 50
TOO_DEEP = _("The value is nested more than %(limit)s levels deep. Send a flatter one.", limit=MOST_LEVELS)


def problem_with(value: Any) -> str:
    """What is wrong with a value read from JSON, and where; "" if it can be stored.

    Walks without recursion, so that a value nested deeper than Python's stack is described, too.
    """
    waiting: list[tuple[Any, str, int]] = [(value, "", 0)]
    while waiting:
        item, place, level = waiting.pop()
        if level > MOST_LEVELS:
            return TOO_DEEP
        if isinstance(item, str):
            if UNSTORABLE.search(item):
                return (
                    _(
                        "The value at '%(place)s' holds a null character or half of a character. "
                        "Remove it and send it again.",
                        place=place.lstrip("."),
                    )
                    if place
                    else _("The text holds a null character or half of a character. Remove it and send it again.")
                )
        elif isinstance(item, dict):
            if any(isinstance(key, str) and UNSTORABLE.search(key) for key in item):
                return _(
                    "A name in the value holds a null character or half of a character. Remove it and send it again."
                )
            waiting += [(child, f"{place}.{key}", level + 1) for key, child in item.items()]
        elif isinstance(item, list | tuple):
            waiting += [(child, f"{place}.{number}", level + 1) for number, child in enumerate(item)]
    return ""


def storable(value: Any) -> Any:
    """Return the value with U+FFFD for what no database keeps: messages may quote what was sent."""
    if isinstance(value, str):
        if not UNSTORABLE.search(value):
            return value  # as it is: a text stays one that can be translated
        if isinstance(value, Text):
            return recall_text(storable(value.facts()))
        return UNSTORABLE.sub("\ufffd", value)
    if isinstance(value, dict):
        return {storable(name): storable(item) for name, item in value.items()}
    if isinstance(value, list):
        return [storable(item) for item in value]
    return value
