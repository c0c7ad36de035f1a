"""Where django-axes and allauth meet our limits: every password passes the backend, every code passes a form."""

from typing import Any

from allauth.account.adapter import get_adapter
from axes.handlers.base import AxesHandler
from axes.helpers import get_client_ip_address, get_client_username
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from accounts.errors import TooManyAttempts
from accounts.interface_language import in_language_of
from accounts.models import Secret, User
from accounts.services import sign_in


def address_of(request: HttpRequest) -> str:
    """Return the address a request comes from, as far as it can be believed."""
    return get_client_ip_address(request) or ""


class SignInHandler(AxesHandler):  # type: ignore[misc]
    """Counts passwords with our service; axes' own tables, which keep e-mail addresses, stay empty."""

    def is_allowed(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> bool:
        return allows(request, Secret.PASSWORD, account=get_client_username(request, credentials))

    def user_login_failed(
        self, sender: Any, credentials: dict[str, Any], request: HttpRequest | None = None, **_: Any
    ) -> None:
        if request is not None:
            note_failure(request, account=get_client_username(request, credentials))


def allows(request: HttpRequest, secret: Secret, *, account: str) -> bool:
    """Begin an attempt and remember it on the request. False while a lock holds; the answer is then `locked_page`."""
    try:
        attempt = sign_in.begin_attempt(secret, account=account, address=address_of(request))
    except TooManyAttempts as lock:
        _lock(request, lock)
        return False
    request.sign_in_attempt = attempt  # type: ignore[attr-defined]
    return True


def note_failure(request: HttpRequest, *, account: str) -> None:
    """The attempt on this request was wrong. The failure that reaches a limit is answered with the lock at once."""
    if attempt := request.__dict__.pop("sign_in_attempt", None):
        try:
            sign_in.record_failure(attempt, account=account)
        except TooManyAttempts as lock:
            _lock(request, lock)
            _tell_owner(lock, account)


def _tell_owner(lock: TooManyAttempts, account: str) -> None:
    """Mail the owner of a locked account; nothing tells the person at the keyboard whether there is one."""
    if person := User.objects.filter(email=account, is_active=True).first():
        facts = {"secret": lock.secret, "until": lock.until}
        with in_language_of(person):
            get_adapter().send_mail("account/email/sign_in_locked", person.email, facts)


def note_success(request: HttpRequest) -> None:
    if attempt := request.__dict__.pop("sign_in_attempt", None):
        sign_in.record_success(attempt)


def _lock(request: HttpRequest, lock: TooManyAttempts) -> None:
    request.sign_in_lock = lock  # type: ignore[attr-defined]
    request.axes_locked_out = True  # type: ignore[attr-defined]  # axes' middleware then answers with `locked_page`


def locked_page(request: HttpRequest, _response: HttpResponse | None = None, _credentials: Any = None) -> HttpResponse:
    """429, with the time until the lock ends in the page and in `Retry-After`."""
    lock: TooManyAttempts = request.sign_in_lock  # type: ignore[attr-defined]
    seconds = max(int((lock.until - timezone.now()).total_seconds()), 1)
    is_password = lock.secret == Secret.PASSWORD.label
    context = {"secret": lock.secret, "is_password": is_password, "minutes": -(-seconds // 60)}
    page = render(request, "account/locked.html", context, status=429)
    page["Retry-After"] = str(seconds)
    return page
