"""What comes with Touchstone: the catalogue, the prompts and the guidelines."""

from __future__ import annotations

from annotation.services.guidelines import load_guidelines
from curation.services.catalogue import load_catalogue
from generation.services.prompts import load_prompts


def load_library() -> None:
    """Load what a campaign or a generation run needs. Loading again changes nothing."""
    load_catalogue()
    load_prompts()
    load_guidelines()
