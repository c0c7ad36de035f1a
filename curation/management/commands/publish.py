"""Publish a candidate that was built before."""

from typing import Any

from core.commands import DomainCommand
from curation.finding import find_release
from curation.releases.checklist import open_points
from curation.releases.options import PublishOptions
from curation.releases.services import publish_release


class Command(DomainCommand):
    help = "Publish a candidate, for good: what freeze --candidate or a page has built."
    options = PublishOptions

    def perform(self, chosen: PublishOptions) -> dict[str, Any]:
        release = find_release(chosen.release)
        publish_release(release, by=None, notes=chosen.notes, reason=chosen.reason)
        warnings = open_points(release)
        for warning in warnings:
            self.stderr.write(f"warning: {warning}")
        return {"release": release.key, "state": release.state, "sha256": release.sha256, "warnings": warnings}

    def describe(self, result: dict[str, Any]) -> str:
        return f"{result['release']} ({result['state']})\nsha256 {result['sha256']}"
