"""Steps that a stolen session or token must not take: they need a sign-in, password or code of the last minutes."""

import time
from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account.internal.flows.login import get_authentication_records
from allauth.account.internal.flows.reauthentication import get_reauthentication_flows
from allauth.core.exceptions import ReauthenticationRequired
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from rest_framework.request import Request

from accounts.errors import ConfirmationNeeded, NotAllowed
from accounts.models import ApiToken
from core.text import _


def is_confirmed(request: HttpRequest) -> bool:
    """Tell whether the person of this session proved a moment ago who they are: by signing in, or by doing it again.

    A person who only has single sign-on cannot prove it here and is believed.
    """
    if not get_reauthentication_flows(request.user):
        return True
    oldest = time.time() - settings.ACCOUNT_REAUTHENTICATION_TIMEOUT
    return any(record["at"] > oldest for record in get_authentication_records(request, request.user))


def confirmed(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Ask for the password or the second factor before a form is accepted, and go on with the form afterwards."""

    @wraps(view)
    def asking(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.method == "POST" and not is_confirmed(request):
            raise ReauthenticationRequired
        return view(request, *args, **kwargs)

    return asking


def require_confirmed(request: Request, *, by_token: bool) -> None:
    """Refuse an API request of a session that was not confirmed lately. Tokens may pass only where `by_token`."""
    if isinstance(request.auth, ApiToken):
        if not by_token:
            raise NotAllowed(_("A token cannot do this. Sign in and use the pages of your account."))
    elif not is_confirmed(request._request):
        raise ConfirmationNeeded(
            _("Confirm your password under /account/reauthenticate/ or sign in again, then repeat this step.")
        )
