"""Load the catalogue we wrote."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from curation.commands import DomainCommand
from curation.models import Functionality, Language
from curation.services.catalogue import load_catalogue


class Command(DomainCommand):
    help = "Load languages, functionalities, groups and coverage. Loading again changes nothing."

    def add_domain_arguments(self, parser: ArgumentParser) -> None:
        """None."""

    def perform(self, **options: Any) -> dict[str, Any]:
        load_catalogue()
        return {"languages": Language.objects.count(), "functionalities": Functionality.objects.count()}

    def describe(self, result: dict[str, Any]) -> str:
        return f"{result['languages']} languages and {result['functionalities']} functionalities are there."
