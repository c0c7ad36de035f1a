"""The template language: `[identity:Number=Plur]`, `{tous|toutes}` and the tokens of published suites.

`parse(text, kinds=...)` gives a `Template`, `str(template)` gives the text back as it was typed.
"""

from curation.morphology.placeholders.errors import TemplateError
from curation.morphology.placeholders.highlighting import Span, tokens_for_highlighting
from curation.morphology.placeholders.identity import has_identity
from curation.morphology.placeholders.nodes import Choice, Option, Placeholder, Template, Text
from curation.morphology.placeholders.parsing import DEFAULT_KINDS, parse, read_placeholder

__all__ = [
    "DEFAULT_KINDS",
    "Choice",
    "Option",
    "Placeholder",
    "Span",
    "Template",
    "TemplateError",
    "Text",
    "has_identity",
    "parse",
    "read_placeholder",
    "tokens_for_highlighting",
]
