"""What changed between two releases of a suite."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from curation.models import Release
from curation.releases.access import require_reading
from curation.releases.difference import changelog_between, difference_between, release_before
from curation.releases.views.common import find_release, frame

KINDS = {
    "added": "Added",
    "removed": "Removed",
    "changed_text": "Changed text",
    "changed_verdict": "Changed verdict",
    "changed_otherwise": "Changed otherwise",
}


def release_changes(request: HttpRequest, suite: str, version: str) -> HttpResponse:
    """Compares with `?since=VERSION`, or with the release before; `?as=markdown` gives the changelog draft."""
    release = find_release(request, suite, version)
    require_reading(request.user, release)
    others = (
        Release.objects.visible_to(request.user).filter(suite=release.suite).exclude(pk=release.pk).exclude(sha256="")
    )
    context = frame(request, release, "release-changes") | {"others": others.order_by("-created_at")}
    since = request.GET.get("since", "")
    old = get_object_or_404(others.select_related("suite"), version=since) if since else release_before(release)
    if old is None:
        return render(request, "curation/release_changes.html", context)
    require_reading(request.user, old)
    difference = difference_between(old, release)
    draft = changelog_between(old, release, difference)
    if request.GET.get("as") == "markdown":
        return HttpResponse(draft, content_type="text/markdown; charset=utf-8")
    kind = request.GET.get("kind", "")
    if kind not in KINDS:
        kind = next((name for name in KINDS if getattr(difference, name)), "added")
    rows = getattr(difference, kind)
    page = Paginator(rows, 25).get_page(request.GET.get("page"))
    if kind in ("added", "removed"):
        entries = [{"case": case, "reason": difference.reasons.get(case.key, "")} for case in page]
    else:
        entries = [{"case": change.after, "before": change.before, "fields": change.fields} for change in page]
    context |= {
        "old": old,
        "difference": difference,
        "draft": draft,
        "kinds": [(name, title, len(getattr(difference, name))) for name, title in KINDS.items()],
        "kind": kind,
        "kind_title": KINDS[kind],
        "page": page,
        "entries": entries,
    }
    return render(request, "curation/release_changes.html", context)
