"""Request ids for the logs, addresses nobody means, and refusals of the domain shown as pages."""

import codecs
import re
import uuid
from collections.abc import Callable

from django.contrib import messages
from django.core.exceptions import BadRequest, SuspiciousOperation
from django.core.signals import request_finished
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme

from accounts.errors import DomainError
from accounts.request_id import NO_REQUEST, request_id
from config.health import healthz, readyz
from core.extras import missing_extra

SAFE_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")


class RequestIdMiddleware:
    """Gives every request an id (the proxy's X-Request-ID where it is well-formed) and returns it.

    The id holds until the answer is sent: Django logs a refusal after the last middleware is done.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        given = request.headers.get("X-Request-ID", "")
        request_id.set(given if SAFE_ID.fullmatch(given) else uuid.uuid4().hex)
        response = self.get_response(request)
        response["X-Request-ID"] = request_id.get()
        return response


@receiver(request_finished)
def end_request_id(**_: object) -> None:
    request_id.set(NO_REQUEST)


class HealthMiddleware:
    """Answers /healthz and /readyz before host names are checked: a container or a balancer asks an address by number,
    which is not in ALLOWED_HOSTS."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        view = {"/healthz": healthz, "/readyz": readyz}.get(request.path)
        return view(request) if view else self.get_response(request)


class PlainTextMiddleware:
    """Null characters that come in disguise, before the session is looked for.

    A cookie can hold one as an escape ("\\000"): it is ignored like every forged cookie. In other encodings than UTF-8,
    null characters and halves of characters are spelled in ways that later checks do not see (UTF-7: "+AAA-").
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.COOKIES = {name: value for name, value in request.COOKIES.items() if "\x00" not in value}
        if request.encoding and codecs.lookup(request.encoding).name not in ("utf-8", "ascii"):
            request.encoding = "utf-8"  # the page that says so reads the address again
            raise BadRequest("the request is not in UTF-8")
        return self.get_response(request)


class NullCharacterMiddleware:
    """No one types a null character, and PostgreSQL fails on it: such an address or form cannot be read.

    A form is looked at once the CSRF check has passed, never before: reading the body of a stranger's request would
    keep a thread busy for as long as they like. The API reads its bodies itself (`accounts.api.parsers`).
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if "%00" in request.META.get("QUERY_STRING", "") or "\x00" in request.path:
            raise SuspiciousOperation("a null character in the address")
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Callable[..., HttpResponse], *args: object) -> None:
        if request.method != "POST" or getattr(view, "csrf_exempt", False):
            return
        if any("\x00" in text for name, texts in request.POST.lists() for text in (name, *texts) if text):
            raise SuspiciousOperation("a null character in the form")


class DomainErrorMiddleware:
    """A refusal becomes a message on the page it came from, or a page of its own with the refusal's status."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        error = missing_extra(error) or error
        if not isinstance(error, DomainError):
            return None
        if request.headers.get("Accept", "").startswith("application/json"):
            return JsonResponse(error.as_problem(), status=error.status, content_type="application/problem+json")
        came_from = request.headers.get("Referer", "")
        is_plain_form = request.method == "POST" and not request.headers.get("HX-Request")
        if is_plain_form and url_has_allowed_host_and_scheme(came_from, allowed_hosts={request.get_host()}):
            messages.error(request, str(error))
            return redirect(came_from)
        return render(request, "ui/refused.html", {"error": error}, status=error.status)
