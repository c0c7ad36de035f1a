"""Data statement and data sheet: reading, and writing their prose until the release is published."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from accounts.models import User
from core.permissions import require_maintainer
from curation.publishing.records import DATASHEET_SECTIONS, STATEMENT_SECTIONS
from curation.releases.documents import datasheet_of, statement_of, write_prose
from curation.releases.forms import ProseForm
from curation.releases.models import ReleaseState
from curation.releases.views.common import find_release, frame

DOCUMENTS = {
    "statement": ("Data statement", STATEMENT_SECTIONS, statement_of),
    "datasheet": ("Data sheet", DATASHEET_SECTIONS, datasheet_of),
}


def release_document(request: HttpRequest, suite: str, version: str, document: str) -> HttpResponse:
    """A document as it would be exported; `?as=markdown` gives its source."""
    release = find_release(request, suite, version)
    context = frame(request, release, f"release-{document}")
    if not context["is_built"]:
        raise Http404
    title, _, write = DOCUMENTS[document]
    text = write(release)
    if request.GET.get("as") == "markdown":
        return HttpResponse(text, content_type="text/markdown; charset=utf-8")
    # The page has a heading of its own.
    context |= {"document": document, "title": title, "text": text.partition("\n")[2]}
    return render(request, "curation/release_document.html", context)


@login_required
def release_prose(request: HttpRequest, suite: str, version: str, document: str) -> HttpResponse:
    """Write the prose of a document, section by section."""
    release = find_release(request, suite, version)
    require_maintainer(request.user)
    assert isinstance(request.user, User)
    title, sections, _ = DOCUMENTS[document]
    if release.state == ReleaseState.PUBLISHED:
        messages.error(request, "A published release does not change. Write it in the next version.")
        return redirect(f"curation:release-{document}", suite, version)
    form = ProseForm(dict(sections), release.prose, request.POST or None)
    if request.method == "POST" and form.is_valid():
        write_prose(release, form.cleaned_data, by=request.user)
        messages.success(request, f"The {title.lower()} is saved.")
        return redirect(f"curation:release-{document}" if release.sha256 else "curation:release", suite, version)
    context = frame(request, release, f"release-{document}") | {"form": form, "document": document, "title": title}
    return render(request, "curation/release_prose.html", context)
