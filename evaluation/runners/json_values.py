"""Filling a request template with a text, and finding a value in an answer."""

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from core.text import _, ngettext

STEP = re.compile(r"([^.\[\]]+)|\[(\d+)\]|\[([^\]=]+)=([^\]]*)\]")


class NotThere(LookupError):
    """A path that leads nowhere; the message says at which step and what is there instead."""


def parse_path(path: str) -> list[str | int | tuple[str, str]]:
    """`a.b[0][label=hate].score` as steps: a key, a position, or the list element whose key has that value.

    Refuses an empty path and anything it does not understand.
    """
    steps: list[str | int | tuple[str, str]] = []
    rest = path.strip().removeprefix("$").lstrip(".")
    if not rest:
        raise ValueError(_("the path is empty"))
    while rest:
        match = STEP.match(rest)
        if match is None:
            raise ValueError(
                _("'%(path)s' is not understood; write for example scores.hate, results[0] or [label=hate]", path=rest)
            )
        key, position, name, value = match.groups()
        steps.append(key if key is not None else int(position) if position is not None else (name, value))
        rest = rest[match.end() :].lstrip(".")
    return steps


def find(value: Any, steps: Sequence[str | int | tuple[str, str]]) -> Any:
    """The value at the end of the path; raises `NotThere` with the step that failed."""
    for step in steps:
        found = _follow(value, step)
        if found is NotThere:
            raise NotThere(_missing(step, _shape(value)))
        value = found
    return value


def number_of(value: Any) -> float:
    """Return a value as a number. Raises ValueError for what is none, NaN and infinity included."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(_("'%(value)s' is not a number", value=str(value)[:60]))
    return number


def fill(template: Any, values: Mapping[str, Any]) -> Any:
    """The template with every `{name}` replaced; a string that is only a placeholder takes on the value itself.

    Nothing but the given names is touched, so braces in a prompt or in a text are safe, and a text that contains
    `{text}` is not filled again.
    """
    if isinstance(template, dict):
        return {key: fill(item, values) for key, item in template.items()}
    if isinstance(template, list):
        return [fill(item, values) for item in template]
    if not isinstance(template, str):
        return template
    for name, value in values.items():
        if template.strip() == f"{{{name}}}":
            return value
    pattern = "|".join(re.escape(name) for name in values)
    return re.sub(r"\{(" + pattern + r")\}", lambda match: str(values[match.group(1)]), template)


def mentions(template: Any, name: str) -> bool:
    """Whether `{name}` occurs anywhere in the template."""
    if isinstance(template, dict):
        return any(mentions(item, name) for item in template.values())
    if isinstance(template, list):
        return any(mentions(item, name) for item in template)
    return isinstance(template, str) and f"{{{name}}}" in template


def _follow(value: Any, step: str | int | tuple[str, str]) -> Any:
    if isinstance(step, tuple):
        if isinstance(value, list):
            for item in value:
                if isinstance(item, dict) and str(item.get(step[0])) == step[1]:
                    return item
        return NotThere
    if isinstance(step, int):
        return value[step] if isinstance(value, list) and step < len(value) else NotThere
    return value.get(step, NotThere) if isinstance(value, dict) else NotThere


def _missing(step: str | int | tuple[str, str], found: str) -> str:
    if isinstance(step, tuple):
        return _("no element with %(key)s = %(value)s in %(found)s", key=step[0], value=step[1], found=found)
    if isinstance(step, int):
        return _("no position %(position)s in %(found)s", position=str(step), found=found)
    return _("no key '%(key)s' in %(found)s", key=step, found=found)


def _shape(value: Any) -> str:
    if isinstance(value, dict):
        keys = [str(key) for key in list(value)[:8]]
        return _("an object with %(keys)s", keys=keys) if keys else _("an object with no keys")
    if isinstance(value, list):
        return ngettext("a list of %(count)s", "a list of %(count)s", len(value))
    return f"'{str(value)[:60]}'"
