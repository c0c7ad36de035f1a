"""A request behind `login_required`: somebody is signed in."""

from django.http import HttpRequest

from accounts.models import User


class SignedInRequest(HttpRequest):
    user: User
