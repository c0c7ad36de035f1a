"""Freeze a suite into a release."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings

from curation.commands import DomainCommand, find_suite
from curation.models.releases import Cascade
from curation.models.suites import Policy
from curation.services.freeze_plan import plan_freeze
from curation.services.release_preview import preview
from curation.services.releases import build_release, publish_release, request_release


class Command(DomainCommand):
    help = "Freeze a suite: build a release and publish it."

    def add_domain_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("suite")
        parser.add_argument("--release", required=True, metavar="VERSION", help="a semantic version, e.g. 1.0.0")
        parser.add_argument("--policy", choices=Policy.values, help="default: the suite's")
        parser.add_argument("--min-agree", type=int, help="so many raters must agree with gold; default: the suite's")
        parser.add_argument("--cascade", choices=Cascade.values, default=Cascade.CLOSURE)
        parser.add_argument("--candidate", action="store_true", help="build, but leave publishing to a maintainer")
        parser.add_argument("--preview", action="store_true", help="show what would be in and out, and change nothing")

    def perform(self, **options: Any) -> dict[str, Any]:
        suite = find_suite(options["suite"])
        if options["preview"]:
            threshold = suite.threshold if options["min_agree"] is None else options["min_agree"]
            policy = options["policy"] or suite.policy
            plan = plan_freeze(suite, policy=policy, min_agree=threshold, cascade=options["cascade"])
            return {
                "release": f"{suite.key}@{options['release']}",
                "state": "preview",
                "sha256": None,
                **preview(suite, plan),
            }
        release = request_release(
            suite,
            options["release"],
            policy=options["policy"],
            min_agree=options["min_agree"],
            cascade=options["cascade"],
            by=None,
        )
        try:
            build_release(release, progress=self.show_progress)
        except Exception:
            release.delete()  # the version stays free for another try
            raise
        if not options["candidate"] and not settings.SECOND_MAINTAINER_PUBLISHES:
            publish_release(release, by=None)
        return {
            "release": release.key,
            "state": release.state,
            "included": release.facts["included"],
            "excluded": release.facts["excluded"],
            "excluded_by_reason": release.facts["excluded_by_reason"],
            "unlabelled": release.facts["unlabelled"],
            "sha256": release.sha256,
        }

    def describe(self, result: dict[str, Any]) -> str:
        reasons = ", ".join(f"{count} by {reason}" for reason, count in result["excluded_by_reason"].items())
        return (
            f"{result['release']} ({result['state']}): {result['included']} cases in, {result['excluded']} out"
            + (f" ({reasons})" if reasons else "")
            + (f"\nsha256 {result['sha256']}" if result["sha256"] else "")
        )
