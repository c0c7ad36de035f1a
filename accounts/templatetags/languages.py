"""Language codes as people read them."""

from django import template

register = template.Library()


@register.filter
def named_in(code: str, names: dict[str, str]) -> str:
    """The language's name; a code the catalogue does not know stays a code."""
    return names.get(code, code)
