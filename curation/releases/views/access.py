"""Asking for a release, answering, its files, and the log of downloads. Every file checks access and is logged."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST

from accounts.models import User
from core.permissions import can_maintain
from core.text import _
from core.web import SignedInRequest
from curation.models import ReleaseAccessRequest, ReleaseDownload
from curation.publishing.export import ALL, FORMATS, IN_OTHER_COLUMNS
from curation.releases import downloads
from curation.releases.access import decide_access, request_access, require_reading
from curation.releases.export import public_key
from curation.releases.forms import AccessForm
from curation.releases.models import Access, ReleaseState
from curation.releases.views.pages import find_release, frame


@login_required
def release_access(request: SignedInRequest, suite: str, version: str) -> HttpResponse:
    """For people: the form, or the answer to it. For maintainers: requests to decide and who took what."""
    release = find_release(request, suite, version)
    maintains = can_maintain(request.user)
    if release.access != Access.REQUEST and not maintains:
        raise Http404
    form = AccessForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        request_access(release, form.chosen, by=request.user)
        messages.success(request, _("Request sent. The answer will appear on this page."))
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
def release_access_decide(request: SignedInRequest, suite: str, version: str, number: int) -> HttpResponse:
    release = find_release(request, suite, version)
    asked = get_object_or_404(ReleaseAccessRequest, pk=number, release=release)
    grants = request.POST.get("decision") == "grant"
    decide_access(asked, grant=grants, answer=request.POST.get("answer", ""), by=request.user)
    messages.success(request, _("Access granted.") if grants else _("Access refused."))
    return redirect("curation:release-access", suite, version)


MEANINGS: dict[str, tuple[str, str]] = {
    "csv": ("CSV", _("Cases as a table, with checksums and documents")),
    "jsonl": (_("JSON Lines"), _("One object per case")),
    "parquet": ("Parquet", _("Typed columns")),
    "huggingface": ("Hugging Face", _("A dataset folder for load_dataset, with its card")),
    "croissant": ("Croissant", _("MLCommons metadata beside JSON Lines")),
    **{known.name: (known.title, known.release_meaning) for known in IN_OTHER_COLUMNS},
    ALL: (_("Everything"), _("All formats in one archive")),
}


def release_downloads(request: HttpRequest, suite: str, version: str) -> HttpResponse:
    """Every format, with what is ready and what is being written."""
    release = find_release(request, suite, version)
    require_reading(request.user, release)
    context = frame(request, release, "release-downloads")
    waiting = downloads.unfinished_downloads(release)
    context["formats"] = [
        {
            "name": name,
            "title": MEANINGS[name][0],
            "meaning": MEANINGS[name][1],
            "job": waiting.get(name),
            "is_ready": downloads.is_ready(release, name),
        }
        for name in (*FORMATS, ALL)
    ]
    context |= {"is_waiting": bool(waiting), "public_key": public_key(), "is_quick": downloads.is_quick(release)}
    template = "curation/release_files.html" if request.headers.get("HX-Request") else "curation/release_downloads.html"
    return render(request, template, context)


def release_download(request: HttpRequest, suite: str, version: str, file_format: str) -> HttpResponseBase:
    """One file. A large release is written by a worker first; the page of downloads shows how far it is."""
    release = find_release(request, suite, version)
    require_reading(request.user, release)
    if not downloads.is_ready(release, file_format) and not downloads.is_quick(release):
        by = request.user if isinstance(request.user, User) else None
        downloads.request_download(release, file_format, by=by)
        messages.success(request, _("The file is being written. It will be ready in a moment."))
        return redirect("curation:release-downloads", suite, version)
    return downloads.file_answer(request, release, file_format)
