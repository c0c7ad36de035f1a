"""Looking things up by a name that is only known in the page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template

register = template.Library()


@register.filter
def part(values: Mapping[str, Any], name: str) -> Any:
    """The value under that name; None where there is none."""
    return values.get(name)
