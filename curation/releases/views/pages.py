"""The list of releases and the page of one: what a paper would cite."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from core.models import Job
from core.permissions import can_maintain, can_see_workshop
from curation.models import Release, Suite
from curation.publishing.citation import bibtex, cite_as
from curation.publishing.statement import labelling_facts
from curation.releases.checklist import checklist
from curation.releases.difference import release_before
from curation.releases.frozen import release_head
from curation.releases.models import ReleaseState
from curation.releases.records import records_of
from curation.releases.services import unfinished_build
from curation.releases.views.common import find_release, frame

SORTS = {
    "suite": ("suite__name", "-created_at"),
    "version": ("version", "suite__name"),
    "published": ("published_at", "created_at"),
    "state": ("state", "-created_at"),
}


def release_list(request: HttpRequest) -> HttpResponse:
    """Everything the person may see, newest first; search, filters and sorting by query string."""
    found = Release.objects.visible_to(request.user).select_related("suite", "withdrawal").defer("prose")
    search, suite, state = (request.GET.get(name, "").strip() for name in ("q", "suite", "state"))
    if search:
        words = Q(suite__name__icontains=search) | Q(suite__key__icontains=search) | Q(title__icontains=search)
        found = found.filter(words | Q(version__icontains=search) | Q(notes__icontains=search))
    if suite:
        found = found.filter(suite__key=suite)
    if state in ReleaseState.values:
        found = found.filter(state=state)
    sort = request.GET.get("sort", "")
    order = SORTS.get(sort.removeprefix("-"), ("-published_at", "-created_at"))
    found = found.order_by(*order)
    if sort.startswith("-") and sort[1:] in SORTS:
        found = found.reverse()
    context = {
        "page": Paginator(found, 25).get_page(request.GET.get("page")),
        "q": search,
        "chosen_suite": suite,
        "chosen_state": state,
        "suites": Suite.objects.visible_to(request.user).order_by("name"),
        "states": ReleaseState.choices,
        "may_see_states": can_see_workshop(request.user),
        "may_maintain": can_maintain(request.user),
        "is_filtered": bool(search or suite or state),
    }
    return render(request, "curation/releases.html", context)


def release_page(request: HttpRequest, suite: str, version: str) -> HttpResponse:
    """Description, composition, agreement, downloads, how to cite, what changed; for maintainers the next step."""
    release = find_release(request, suite, version)
    context: dict[str, Any] = frame(request, release, "release")
    job = unfinished_build(release) if not context["is_built"] else None
    if context["is_built"]:
        # The archive's identifier came after the freezing, so it stands beside the release and not in its files.
        head, records = replace(release_head(release), doi=release.doi), records_of(release)
        context |= {
            "head": head,
            "citation": cite_as(head),
            "bibtex": bibtex(head, sha256=release.sha256),
            "agreement": records.agreement,
            "labelling": records.labelling,
            "labelled": labelling_facts(head, records),
            "never_labelled": release.facts.get("unlabelled"),
            "statistics": release.facts.get("statistics", {}),
            "before": release_before(release) if context["may_read"] else None,
        }
    if context["may_maintain"]:
        context |= {"checklist": checklist(release), "job": job, "failure": _failure(release, job)}
    return render(request, "curation/release.html", context)


def release_progress(request: HttpRequest, suite: str, version: str) -> HttpResponse:
    """The part of the page that waits for the build; tells htmx to load the page anew when it has ended."""
    release = find_release(request, suite, version)
    job = unfinished_build(release)
    response = render(request, "curation/release_progress.html", {"release": release, "job": job})
    if job is None:
        response["HX-Refresh"] = "true"
    return response


def _failure(release: Release, job: Job | None) -> str:
    return "" if job else str(release.facts.get("failure", ""))
