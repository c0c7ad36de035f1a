"""Write a release into a folder."""

from typing import Any

from core.commands import DomainCommand
from curation.finding import find_release
from curation.models import ReleaseWithdrawal
from curation.releases.export import export_release
from curation.releases.moving_options import ExportReleaseOptions


class Command(DomainCommand):
    help = "Write a release into a new folder: cases, checksums, documents and the chosen formats."
    options = ExportReleaseOptions

    def perform(self, options: ExportReleaseOptions) -> dict[str, Any]:
        release = find_release(options.release)
        manifest = export_release(release, options.out, formats=options.format)
        withdrawal = ReleaseWithdrawal.objects.filter(release=release).first()
        return {
            "release": release.key,
            "state": release.state,
            "sha256": manifest.sha256,
            "cases": manifest.cases,
            "folder": str(options.out),
            "withdrawn": withdrawal.reason if withdrawal else None,
        }

    def describe(self, result: dict[str, Any]) -> str:
        what = f"{result['cases']} cases of {result['release']} ({result['state']})"
        withdrawn = f"\nWithdrawn, do not use it for new work: {result['withdrawn']}" if result["withdrawn"] else ""
        return f"{what} written to {result['folder']}\nsha256 {result['sha256']}{withdrawn}"
