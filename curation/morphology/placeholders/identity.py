"""Whether a template is filled with identity words: only such templates compare target groups fairly."""

import re

from curation.morphology.placeholders.errors import TemplateError
from curation.morphology.placeholders.nodes import Placeholder
from curation.morphology.placeholders.parsing import parse

IDENTITY = "identity"
# In a text that cannot be parsed: our own placeholder left open or mistyped, or the names of the published files.
LOOKS_LIKE_IDENTITY = re.compile(rf"\[\s*{IDENTITY}\b|IDENT")


def has_identity(template_text: str) -> bool:
    """Tell whether any placeholder stands for an identity; a text that cannot be parsed counts if it looks like one."""
    try:
        return any(isinstance(part, Placeholder) and part.kind == IDENTITY for part in parse(template_text).parts)
    except TemplateError:
        return bool(LOOKS_LIKE_IDENTITY.search(template_text))
