"""Make a link to results for people without an account, or withdraw one."""

from typing import Any

from django.conf import settings

from core.commands import DomainCommand
from curation.finding import find_release
from evaluation.results.options import ShareOptions
from evaluation.results.reporting import newest_runs, titled
from evaluation.results.sharing import share_report, withdraw_link


class Command(DomainCommand):
    help = "Make a link to results for people without an account, or withdraw one. It shows no texts."
    options = ShareOptions

    def perform(self, chosen: ShareOptions) -> dict[str, Any]:
        if chosen.withdraw:
            withdrawn = withdraw_link(chosen.withdraw, by=None)
            return {"token": withdrawn.token, "release": withdrawn.release.key, "withdrawn": True}
        release = find_release(chosen.release)
        runs = newest_runs(release, list(chosen.models) or None)
        shared = share_report(release, runs, by=None)
        url = f"{settings.SITE_URL}{shared.get_absolute_url()}"
        return {"token": shared.token, "release": release.key, "models": list(titled(runs)), "url": url}

    def describe(self, result: dict[str, Any]) -> str:
        if "url" not in result:
            return f"The link to results on {result['release']} was withdrawn."
        return f"Anyone with this link can view the results of {', '.join(result['models'])}: {result['url']}"
