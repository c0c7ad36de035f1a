"""Reserve a DOI for a release that is not published yet."""

from typing import Any

from core.commands import DomainCommand
from curation.finding import find_release
from curation.hubs.options import ReserveDoiOptions
from curation.hubs.services import reserve_doi


class Command(DomainCommand):
    help = "Reserve a DOI at Zenodo for a draft or candidate, so that its files can name it."
    options = ReserveDoiOptions

    def perform(self, options: ReserveDoiOptions) -> dict[str, Any]:
        release = find_release(options.release)
        entry = reserve_doi(release, by=None, report=self.show_progress)
        return {"release": release.key, "doi": entry.doi, "deposit": entry.reference, "url": entry.url}

    def describe(self, result: dict[str, Any]) -> str:
        return f"{result['doi']} is reserved for {result['release']}. Its files name it once it is published."
