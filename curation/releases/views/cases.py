"""The cases of a release, and where each comes from."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from curation.cases.models import ExclusionReason
from curation.models import ReleaseCase, ReleaseExclusion
from curation.releases.access import require_reading
from curation.releases.lineage import lineage_of
from curation.releases.views.common import find_release, frame

FILTERS = ("language", "functionality", "label")
SORTS = {"key": "key", "functionality": "functionality", "label": "label", "language": "language"}


def release_cases(request: HttpRequest, suite: str, version: str) -> HttpResponse:
    """Searchable, filterable, sortable; `?show=excluded` lists what was left out and why."""
    release = find_release(request, suite, version)
    require_reading(request.user, release)
    chosen = {name: request.GET.get(name, "") for name in (*FILTERS, "reason", "target")}
    search = request.GET.get("q", "").strip()
    page: Page[Any]
    shows_excluded = request.GET.get("show") == "excluded"
    statistics = release.facts.get("statistics", {})
    if shows_excluded:
        left_out = ReleaseExclusion.objects.filter(release=release).order_by("id")
        left_out = left_out.filter(Q(text__icontains=search) | Q(key=search)) if search else left_out
        left_out = left_out.filter(reason=chosen["reason"]) if chosen["reason"] else left_out
        rows = left_out.filter(**{name: chosen[name] for name in ("language", "functionality") if chosen[name]})
        page = Paginator(rows, 50).get_page(request.GET.get("page"))
    else:
        cases = ReleaseCase.objects.filter(release=release, **{name: chosen[name] for name in FILTERS if chosen[name]})
        cases = cases.filter(Q(text__icontains=search) | Q(key=search)) if search else cases
        sort = request.GET.get("sort", "")
        column = SORTS.get(sort.removeprefix("-"), "position")
        ordered = cases.order_by(f"-{column}" if sort.startswith("-") else column, "position")
        page = Paginator(ordered, 50).get_page(request.GET.get("page"))
    context = frame(request, release, "release-cases") | {
        "page": page,
        "q": search,
        "chosen": chosen,
        "choices": {name: sorted(statistics.get(f"by_{name}", {})) for name in FILTERS},
        "reasons": [
            (key, title) for key, title in ExclusionReason.choices if key in release.facts["excluded_by_reason"]
        ],
        "shows_excluded": shows_excluded,
        "excluded": release.facts["excluded"],
    }
    return render(request, "curation/release_cases.html", context)


def lineage(request: HttpRequest, suite: str, version: str, key: str) -> HttpResponse:
    """Where one case comes from; the address never changes."""
    release = find_release(request, suite, version)
    found = lineage_of(release, key, viewer=request.user)
    context = frame(request, release, "release-cases") | {"lineage": found, "case": found.case}
    return render(request, "curation/release_lineage.html", context)
