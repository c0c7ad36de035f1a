"""Freeze a suite into a release."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings

from core.commands import DomainCommand
from curation.catalogue.models import Policy
from curation.finding import find_suite
from curation.publishing.labelling import Labelling
from curation.releases.building import build_release
from curation.releases.checklist import open_points
from curation.releases.models import Access, Cascade, WithoutLabels
from curation.releases.planning import plan_freeze
from curation.releases.preview import preview
from curation.releases.rules import freeze_settings
from curation.releases.services import publish_release, request_release, require_free_version

# Scripts read these three whether or not they occur.
NO_REASONS = dict.fromkeys(("disagreement", "template", "reference"), 0)
DECIDED = "that of the decision applied last, otherwise the suite's"


class Command(DomainCommand):
    help = "Freeze a suite: build a release and publish it."

    def add_domain_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("suite")
        parser.add_argument("--release", required=True, metavar="VERSION", help="a semantic version, e.g. 1.0.0")
        parser.add_argument("--policy", choices=Policy.values, help=f"default: {DECIDED}")
        parser.add_argument(
            "--min-agree",
            type=int,
            metavar="N",
            help=f"minimum number of raters who must choose the gold label, 0 for no threshold; default: {DECIDED}",
        )
        parser.add_argument(
            "--cascade",
            choices=Cascade.values,
            help=f"what goes with a disputed case; default: {DECIDED} (closure unless decided otherwise)",
        )
        parser.add_argument(
            "--without-labels",
            choices=WithoutLabels.values,
            help=f"whether cases that were never labelled may enter; default: {DECIDED} (include)",
        )
        parser.add_argument("--access", choices=Access.values, default=Access.PUBLIC, help="who may read the cases")
        parser.add_argument("--terms", default="", help="what people accept who ask for a release on request")
        parser.add_argument("--title", default="", help="default: the name of the suite")
        parser.add_argument("--licence", default="", help="e.g. CC-BY-4.0; kept with the suite; default: the suite's")
        parser.add_argument(
            "--authors",
            nargs="+",
            default=[],
            metavar="NAME",
            help="as they are cited; kept with the suite; default: the suite's",
        )
        parser.add_argument("--notes", default="", help="what changed")
        parser.add_argument("--candidate", action="store_true", help="build, but leave publishing to a maintainer")
        parser.add_argument("--preview", action="store_true", help="show what would be in and out, and change nothing")

    def perform(self, **options: Any) -> dict[str, Any]:
        result = self._freeze(**options)
        self.clear_progress()
        for warning in result["warnings"]:
            self.stderr.write(f"warning: {warning}")
        return result

    def _freeze(self, **options: Any) -> dict[str, Any]:
        suite = find_suite(options["suite"])
        chosen = {name: options[name] for name in ("policy", "min_agree", "cascade", "without_labels")}
        if options["preview"]:
            require_free_version(suite, options["release"])
            plan = plan_freeze(suite, freeze_settings(suite, **chosen))
            return {
                "release": f"{suite.key}@{options['release']}",
                "state": "preview",
                "sha256": None,
                **preview(suite, plan),
                **{name: options[name] for name in ("licence", "authors") if options[name]},
                "excluded_by_reason": NO_REASONS | plan.excluded_by_reason,
            }
        said = {name: options[name] for name in ("access", "terms", "title", "licence", "authors", "notes")}
        release = request_release(suite, options["release"], by=None, **chosen, **said)
        try:
            build_release(release, progress=self.show_progress)
        except (Exception, KeyboardInterrupt):
            release.delete()  # the version stays free for another try
            raise
        if not options["candidate"] and not settings.SECOND_MAINTAINER_PUBLISHES:
            publish_release(release, by=None)
        return {
            "release": release.key,
            "state": release.state,
            "included": release.facts["included"],
            "excluded": release.facts["excluded"],
            "excluded_by_reason": NO_REASONS | release.facts["excluded_by_reason"],
            "unlabelled": release.facts["unlabelled"],
            "labelling": release.facts["labelling"],
            "sha256": release.sha256,
            "decision": release.facts["decision"],
            "warnings": [*release.facts["warnings"], *open_points(release)],
        }

    def describe(self, result: dict[str, Any]) -> str:
        reasons = ", ".join(f"{count} by {reason}" for reason, count in result["excluded_by_reason"].items() if count)
        return (
            f"{result['release']} ({result['state']}): {result['included']} cases in, {result['excluded']} out"
            + (f" ({reasons})" if reasons else "")
            + f"\n{Labelling(**result['labelling']).sentence(min_agree=None)}"
            + (f"\nsha256 {result['sha256']}" if result["sha256"] else "")
        )
