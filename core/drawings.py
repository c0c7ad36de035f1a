"""Drawings in pages: the sentence of the figure around them is read aloud, not every tick."""

import re

DESCRIPTIONS = re.compile(r' aria-(?:label|roledescription)="[^"]*"| role="graphics-[a-z]+"')


def hidden_drawing(svg: str) -> str:
    """Return an SVG without the descriptions of its parts, which are in English, hidden from screen readers."""
    return DESCRIPTIONS.sub("", svg).replace("<svg ", '<svg aria-hidden="true" ', 1)
