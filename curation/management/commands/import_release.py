"""Bring a release that another instance published into this one."""

from typing import Any

from core.commands import DomainCommand
from curation.indexes.reading import REFERENCE
from curation.releases.frozen import IMPORTED
from curation.releases.importing import import_release
from curation.releases.importing_by_name import import_named
from curation.releases.moving_options import ImportReleaseOptions


class Command(DomainCommand):
    help = "Import a release (folder, zip or SUITE@VERSION), sealed as it was: same checksum, labels and documents."
    options = ImportReleaseOptions

    def perform(self, options: ImportReleaseOptions) -> dict[str, Any]:
        is_name = not options.path.exists() and REFERENCE.fullmatch(str(options.path))
        release = (
            import_named(str(options.path), source=options.source, **options.how())
            if is_name
            else import_release(options.path, **options.how())
        )
        said = release.facts.get(IMPORTED, {})
        signature = "valid" if said.get("signature_checked") else "not checked" if said.get("is_signed") else "none"
        return {
            "release": release.key,
            "cases": release.facts["included"],
            "sha256": release.sha256,
            "access": release.access,
            "signature": signature,
        }

    def describe(self, result: dict[str, Any]) -> str:
        return (
            f"{result['release']} is here: {result['cases']} cases, sha256 {result['sha256']}, "
            f"access {result['access']}, signature {result['signature']}."
        )
