"""Load what comes with Touchstone."""

from argparse import ArgumentParser
from typing import Any

from annotation.models import Guideline
from config.library import load_library
from core.commands import DomainCommand
from curation.models import Functionality, Language
from generation.models import Prompt


class Command(DomainCommand):
    help = "Load languages, functionalities, groups, coverage, prompts and guidelines. Loading again changes nothing."

    def add_domain_arguments(self, parser: ArgumentParser) -> None:
        """None."""

    def perform(self, **options: Any) -> dict[str, Any]:
        load_library()
        return {
            "languages": Language.objects.count(),
            "functionalities": Functionality.objects.count(),
            "prompts": Prompt.objects.count(),
            "guidelines": Guideline.objects.count(),
        }

    def describe(self, result: dict[str, Any]) -> str:
        return (
            f"Loaded: {result['languages']} languages, {result['functionalities']} functionalities, "
            f"{result['prompts']} prompts, {result['guidelines']} guidelines."
        )
