"""The person behind a request."""

from typing import cast

from django.http import HttpRequest

from accounts.models import User


def person_of(request: HttpRequest) -> User:
    """Whoever is signed in; the view has made sure that somebody is."""
    return cast(User, request.user)
