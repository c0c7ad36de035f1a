"""The index of this instance and its files, at addresses that programs know without asking."""

import hashlib

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.cache import get_conditional_response, patch_cache_control
from django.views.decorators.http import require_safe

from curation.releases.downloads import file_answer
from curation.releases.own_index import FILE_FORMAT, is_prepared, listed_releases, own_index

COME_AGAIN = 5  # seconds


@require_safe
def index(request: HttpRequest) -> HttpResponseBase:
    """The public releases, signed; anyone may read it."""
    content = own_index()
    response = HttpResponse(content, content_type="application/json")
    patch_cache_control(response, no_cache=True)
    etag = f'"{hashlib.sha256(content).hexdigest()}"'
    response["ETag"] = etag
    return get_conditional_response(request, etag=etag, response=response) or response


@require_safe
def index_download(request: HttpRequest, suite: str, version: str) -> HttpResponseBase:
    """A public release as an archive; 503 with Retry-After while a worker writes it."""
    releases = listed_releases().select_related("suite")
    release = get_object_or_404(releases, suite__key=suite, version=version)
    if not is_prepared(release):
        return HttpResponse(status=503, headers={"Retry-After": str(COME_AGAIN)})
    return file_answer(request, release, FILE_FORMAT)
