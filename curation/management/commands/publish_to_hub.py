"""Publish a release at a hub."""

from typing import Any

from core.commands import DomainCommand
from curation.finding import find_release
from curation.hubs.models import Hub
from curation.hubs.options import PublishToHubOptions
from curation.hubs.services import publish_to_hub


class Command(DomainCommand):
    help = "Publish a release at the Hugging Face Hub or at Zenodo. Doing it again changes nothing."
    options = PublishToHubOptions

    def perform(self, options: PublishToHubOptions) -> dict[str, Any]:
        release = find_release(options.release)
        entry = publish_to_hub(
            release, Hub(options.hub), repository=options.repository, by=None, report=self.show_progress
        )
        return {"release": release.key, "hub": entry.hub, "state": entry.state, "url": entry.url, "doi": entry.doi}

    def describe(self, result: dict[str, Any]) -> str:
        doi = f", DOI {result['doi']}" if result["doi"] else ""
        return f"{result['release']} is at {result['url']}{doi}."
