"""How the pages of generation say things."""

from django import template

register = template.Library()


@register.filter
def in_words(key: str) -> str:
    """Return a key such as `missing_target` as people would write it."""
    return str(key).replace("_", " ")
