"""Asking for a release, answering, and the log of downloads."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST

from accounts.models import User
from core.permissions import can_maintain
from curation.models import ReleaseAccessRequest, ReleaseDownload
from curation.releases.access import decide_access, request_access
from curation.releases.forms import AccessForm
from curation.releases.models import Access, ReleaseState
from curation.releases.views.common import find_release, frame


@login_required
def release_access(request: HttpRequest, suite: str, version: str) -> HttpResponse:
    """For people: the form, or the answer to it. For maintainers: requests to decide and who took what."""
    release = find_release(request, suite, version)
    assert isinstance(request.user, User)
    maintains = can_maintain(request.user)
    if release.access != Access.REQUEST and not maintains:
        raise Http404
    form = AccessForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        values = form.cleaned_data
        request_access(release, by=request.user, reason=values["reason"], accepts_terms=values["accepts_terms"])
        messages.success(request, "You have asked for this release. The answer will be on this page.")
        return redirect("curation:release-access", suite, version)
    own = ReleaseAccessRequest.objects.filter(release=release, user=request.user).order_by("-asked_at").first()
    context = frame(request, release, "release-access") | {
        "form": form,
        "own": own,
        "may_ask": release.access == Access.REQUEST
        and release.state == ReleaseState.PUBLISHED
        and (own is None or own.state == "refused"),
    }
    if maintains:
        context["requests"] = (
            ReleaseAccessRequest.objects.filter(release=release)
            .select_related("user", "decided_by")
            .order_by("-asked_at")
        )[:200]
        log = ReleaseDownload.objects.filter(release=release).select_related("user").order_by("-at")
        context["page"] = Paginator(log, 50).get_page(request.GET.get("page"))
    return render(request, "curation/release_access.html", context)


@require_POST
@login_required
def release_access_decide(request: HttpRequest, suite: str, version: str, number: int) -> HttpResponse:
    release = find_release(request, suite, version)
    assert isinstance(request.user, User)
    asked = get_object_or_404(ReleaseAccessRequest, pk=number, release=release)
    grants = request.POST.get("decision") == "grant"
    decide_access(asked, grant=grants, answer=request.POST.get("answer", ""), by=request.user)
    messages.success(request, "Granted." if grants else "Refused.")
    return redirect("curation:release-access", suite, version)
