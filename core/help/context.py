"""Say which chapter helps on a page."""

from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import SimpleLazyObject

from core.help.chapters import FIRST, is_installed

# The name of a page, or how its name begins, to the chapter that explains it. The longest that fits counts.
CHAPTERS = {
    "curation:": "authoring",
    "curation:template": "templates",
    "curation:lexicon": "authoring#the-lexicon",
    "curation:import": "formats",
    "curation:release": "releases",
    "curation:followed": "registry#follow-others",
    "generation:": "generation",
    "annotation:": "annotation",
    "annotation:campaign-agreement": "agreement",
    "annotation:campaign-dispute": "agreement",
    "annotation:suite-agreement": "agreement",
    "annotation:decision": "agreement#decisions",
    "annotation:exclusion": "agreement#decisions",
    "annotation:import-labels": "agreement#labels-made-elsewhere",
    "evaluation:": "evaluation",
    "evaluation:model": "runners",
    "evaluation:attack": "attacks",
    "evaluation:split": "splits",
    "evaluation:experiment": "splits",
    "evaluation:upload": "runners#uploading-predictions",
    "evaluation:compare": "statistics",
    "accounts:": "deploy",
    "core:inbox": "notifications",
    "core:webhook": "notifications#webhooks",
}


def chapter_for(page: str) -> str:
    """Return the chapter, with its heading where one is named, for a page; the first one where none fits."""
    fitting = [start for start in CHAPTERS if page.startswith(start)]
    return CHAPTERS[max(fitting, key=len)] if fitting else FIRST


def help_for(request: HttpRequest) -> dict[str, object]:
    """Context processor: the address of the chapter about this page, lazily; "" without documentation."""
    return {"help_url": SimpleLazyObject(lambda: _address(request))}


def _address(request: HttpRequest) -> str:
    if not is_installed():
        return ""
    match = request.resolver_match
    slug, _, heading = chapter_for(match.view_name if match else "").partition("#")
    address = reverse("core:help-chapter", args=[slug])
    return f"{address}#{heading}" if heading else address
