"""Freeze a suite into a release."""

from __future__ import annotations

from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.conf import settings

from curation.commands import DomainCommand, find_suite
from curation.models.releases import Access, Cascade
from curation.models.suites import Policy
from curation.services.freeze_plan import freeze_settings, plan_freeze
from curation.services.release_preview import preview
from curation.services.releases import build_release, publish_release, request_release, require_free_version

# Scripts read these three whether or not they occur.
NO_REASONS = {"disagreement": 0, "template": 0, "reference": 0}


class Command(DomainCommand):
    help = "Freeze a suite: build a release and publish it."

    def add_domain_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("suite")
        parser.add_argument("--release", required=True, metavar="VERSION", help="a semantic version, e.g. 1.0.0")
        parser.add_argument("--policy", choices=Policy.values, help="default: the suite's")
        parser.add_argument("--min-agree", type=int, help="so many raters must agree with gold; default: the suite's")
        parser.add_argument("--cascade", choices=Cascade.values, default=Cascade.CLOSURE)
        parser.add_argument("--access", choices=Access.values, default=Access.PUBLIC, help="who may read the cases")
        parser.add_argument("--terms", default="", help="what people accept who ask for a release on request")
        parser.add_argument("--title", default="", help="default: the name of the suite")
        parser.add_argument("--notes", default="", help="what changed")
        parser.add_argument("--candidate", action="store_true", help="build, but leave publishing to a maintainer")
        parser.add_argument("--preview", action="store_true", help="show what would be in and out, and change nothing")

    def perform(self, **options: Any) -> dict[str, Any]:
        suite = find_suite(options["suite"])
        chosen = {name: options[name] for name in ("policy", "min_agree", "cascade")}
        if options["preview"]:
            require_free_version(suite, options["release"])
            plan = plan_freeze(suite, **asdict(freeze_settings(suite, **chosen)))
            return {
                "release": f"{suite.key}@{options['release']}",
                "state": "preview",
                "sha256": None,
                **preview(suite, plan),
                "excluded_by_reason": NO_REASONS | plan.excluded_by_reason,
            }
        said = {name: options[name] for name in ("access", "terms", "title", "notes")}
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
            "sha256": release.sha256,
        }

    def describe(self, result: dict[str, Any]) -> str:
        reasons = ", ".join(f"{count} by {reason}" for reason, count in result["excluded_by_reason"].items() if count)
        return (
            f"{result['release']} ({result['state']}): {result['included']} cases in, {result['excluded']} out"
            + (f" ({reasons})" if reasons else "")
            + (f"; nobody labelled {result['unlabelled']} cases" if result["unlabelled"] else "")
            + (f"\nsha256 {result['sha256']}" if result["sha256"] else "")
        )
