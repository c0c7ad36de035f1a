"""The header `Idempotency-Key` on POST requests of the API."""

import hashlib
import re
from collections.abc import Callable

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase

from accounts.services.tokens import find_token
from core.errors import BadInput, DomainError
from core.idempotency.models import KeyedRequest
from core.idempotency.services import Sender, claim, keep_answer, kept_body, release_key
from core.text import _

HEADER, REPLAYED = "Idempotency-Key", "Idempotent-Replayed"
WELL_FORMED = re.compile(r"[!-~]{1,200}")
UPLOAD = "multipart/"


class IdempotencyMiddleware:
    """Carry a request out once, however often it is sent.

    The request and the keeping of its answer are one transaction: after a crash either both are there or neither.
    Only what succeeded is kept; a refused request may be corrected and sent with the same key.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        key = request.headers.get(HEADER)
        if key is None or request.method != "POST" or not request.path.startswith("/api/"):
            return self.get_response(request)
        sender = _sender(request)
        if sender is None:  # the API asks strangers to sign in
            return self.get_response(request)
        try:
            known, is_new = claim(sender, _checked(key), _fingerprint(request))
            return self._carry_out(request, known) if is_new else _again(known)
        except DomainError as error:
            return JsonResponse(error.as_problem(), status=error.status, content_type="application/problem+json")

    def _carry_out(self, request: HttpRequest, known: KeyedRequest) -> HttpResponseBase:
        try:
            with transaction.atomic():
                response = self.get_response(request)
                if 200 <= response.status_code < 300:
                    _keep(known, response)
                elif response.status_code >= 500:
                    transaction.set_rollback(True)
        finally:
            release_key(known)
        return response


def _sender(request: HttpRequest) -> Sender | None:
    scheme, _space, secret = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        token = find_token(secret.strip())
        return Sender(token.user, f"token-{token.pk}") if token else None
    return Sender(request.user, "session") if request.user.is_authenticated else None


def _checked(key: str) -> str:
    if not WELL_FORMED.fullmatch(key):
        raise BadInput(_("An idempotency key has 1 to 200 printable ASCII characters without spaces, such as a UUID."))
    return key


def _fingerprint(request: HttpRequest) -> str:
    """Hash the request. Uploads are told apart by their length: they are not read before the API lets them in."""
    kind = request.headers.get("Content-Type", "")
    if kind.startswith(UPLOAD):
        body = request.headers.get("Content-Length", "").encode()
    else:
        try:
            body = request.body
        except RequestDataTooBig as error:
            megabytes = settings.DATA_UPLOAD_MAX_MEMORY_SIZE >> 20
            raise BadInput(
                _("The request is longer than %(megabytes)s MB. Send large data as a file.", megabytes=megabytes)
            ) from error
    kind = kind.partition(";")[0]  # the boundary of an upload is new each time
    return hashlib.sha256(b"\0".join([request.get_full_path().encode(), kind.encode(), body])).hexdigest()


def _keep(known: KeyedRequest, response: HttpResponseBase) -> None:
    """Keep the answer, without its body where it holds a secret or is streamed."""
    is_secret = "no-store" in response.headers.get("Cache-Control", "")
    body = response.content if isinstance(response, HttpResponse) and not is_secret else None
    keep_answer(known, status=response.status_code, content_type=response.headers.get("Content-Type", ""), body=body)


def _again(known: KeyedRequest) -> HttpResponse:
    body = kept_body(known)
    response = HttpResponse(body, status=known.status, content_type=known.content_type or None)
    response[REPLAYED] = "true"
    return response
