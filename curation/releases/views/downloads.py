"""Files of a release. Every one checks access and is logged."""

from __future__ import annotations

from django.contrib import messages
from django.http import FileResponse, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render

from accounts.models import User
from curation.publishing.export import FORMATS, IN_OTHER_COLUMNS
from curation.releases import downloads
from curation.releases.access import record_download, require_reading
from curation.releases.export import public_key
from curation.releases.views.common import find_release, frame

MEANINGS = {
    "csv": ("CSV", "Cases as a table, with checksums and documents"),
    "jsonl": ("JSON Lines", "One object per case"),
    "parquet": ("Parquet", "Typed columns"),
    "huggingface": ("Hugging Face", "A dataset folder for load_dataset, with its card"),
    "croissant": ("Croissant", "MLCommons metadata beside JSON Lines"),
    **{known.name: (known.title, known.release_meaning) for known in IN_OTHER_COLUMNS},
    downloads.ALL: ("Everything", "All formats in one archive"),
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
        for name in (*FORMATS, downloads.ALL)
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
        messages.success(request, "The file is being written. It will be ready in a moment.")
        return redirect("curation:release-downloads", suite, version)
    path = downloads.make_download(release, file_format)
    name = downloads.download_name(release, file_format)
    record_download(release, file=name, by=request.user)
    return FileResponse(path.open("rb"), as_attachment=True, filename=name, content_type="application/zip")
