"""What every template needs to show texts in the reader's language."""

from collections.abc import Iterable
from typing import Any

from django import template

from core import reader

register = template.Library()


@register.filter
def listed(values: Iterable[Any]) -> str:
    """Return values one after another, with the comma of the reader's language."""
    return reader.listed(values)


@register.filter
def catalogued(name: str) -> str:
    """Return what the catalogue calls something, in the reader's language; own names stay as they are."""
    return reader.catalogued(name)
