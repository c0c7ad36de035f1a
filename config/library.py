"""What comes with Touchstone: the catalogue, the prompts and the guidelines."""

from annotation.campaigns.guidelines import load_guidelines
from curation.catalogue.loading import load_catalogue
from generation.prompts.services import load_prompts


def load_library() -> None:
    """Load what a campaign or a generation run needs. Loading again changes nothing."""
    load_catalogue()
    load_prompts()
    load_guidelines()
