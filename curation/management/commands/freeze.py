"""Freeze a suite into a release."""

import sys
from typing import Any

from django.conf import settings

from core.commands import DomainCommand
from core.errors import BadInput
from curation.finding import find_suite
from curation.hubs.entries import reserved_doi
from curation.hubs.services import reserve_doi
from curation.models import Release
from curation.publishing.labelling import Labelling
from curation.releases.building import build_release
from curation.releases.checklist import open_points, undocumented
from curation.releases.options import FreezeOptions
from curation.releases.planning import plan_freeze
from curation.releases.preview import preview
from curation.releases.rules import freeze_settings, release_warnings
from curation.releases.services import publish_release, request_release, require_free_version

# Scripts read these three whether or not they occur.
NO_REASONS = dict.fromkeys(("disagreement", "template", "reference"), 0)


class Command(DomainCommand):
    help = "Freeze a suite: build a release and publish it."
    options = FreezeOptions

    def perform(self, options: FreezeOptions) -> dict[str, Any]:
        result = self._preview(options) if options.preview else self._freeze(options)
        self.clear_progress()
        for warning in result["warnings"]:
            self.stderr.write(f"warning: {warning}")
        return result

    def _preview(self, options: FreezeOptions) -> dict[str, Any]:
        suite = find_suite(options.suite)
        require_free_version(suite, options.version)
        plan = plan_freeze(suite, freeze_settings(suite, **options.rules()))
        return {
            "release": f"{suite.key}@{options.version}",
            "state": "preview",
            "sha256": None,
            **preview(suite, plan),
            **{name: value for name, value in options.said().items() if name in ("licence", "authors") and value},
            "excluded_by_reason": NO_REASONS | plan.excluded_by_reason,
        }

    def _freeze(self, options: FreezeOptions) -> dict[str, Any]:
        suite = find_suite(options.suite)
        release = request_release(suite, options.version, by=None, **options.rules(), **options.said())
        try:
            self._ask_for_documents(release, options)
            build_release(release, progress=self.show_progress)
        except (Exception, KeyboardInterrupt):
            release.delete()  # the version stays free for another try
            raise
        if options.reserve_doi:
            reserve_doi(release, by=None, report=self.show_progress)
        if not options.candidate and not settings.SECOND_MAINTAINER_PUBLISHES:
            publish_release(release, by=None, reason=options.reason)
        return {
            "release": release.key,
            "state": release.state,
            "included": release.facts["included"],
            "excluded": release.facts["excluded"],
            "excluded_by_reason": NO_REASONS | release.facts["excluded_by_reason"],
            "unlabelled": release.facts["unlabelled"],
            "labelling": release.facts["labelling"],
            "sha256": release.sha256,
            "doi": release.doi or reserved_doi(release),
            "decision": release.facts["decision"],
            "warnings": [*release_warnings(release), *open_points(release)],
        }

    def _ask_for_documents(self, release: Release, options: FreezeOptions) -> None:
        """Refuse a person at a terminal who publishes without documents and without a reason; scripts are warned."""
        if options.candidate or options.reason.strip() or not sys.stdin.isatty():
            return
        if missing := undocumented(release):
            listed = "\n".join(f"  - {sentence}" for sentence in missing)
            raise BadInput(
                f"{release.key} is not documented yet:\n{listed}\n"
                "A published release never changes. Complete it, or publish it anyway with --undocumented REASON; the "
                "reason is kept and shown with the release."
            )

    def describe(self, result: dict[str, Any]) -> str:
        reasons = ", ".join(f"{count} by {reason}" for reason, count in result["excluded_by_reason"].items() if count)
        return (
            f"{result['release']} ({result['state']}): {result['included']} cases in, {result['excluded']} out"
            + (f" ({reasons})" if reasons else "")
            + f"\n{Labelling(**result['labelling']).sentence(min_agree=None)}"
            + (f"\nsha256 {result['sha256']}" if result["sha256"] else "")
        )
