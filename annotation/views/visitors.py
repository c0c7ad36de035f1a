"""Finds who is labelling behind a request: a signed-in person, or somebody with a platform's pass."""

from __future__ import annotations

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from annotation.models import Participation
from annotation.services.crowd import lookup_of
from annotation.services.onboarding import Step, next_step
from annotation.services.participation import find_by


def find_participation(request: HttpRequest, key: str) -> Participation | HttpResponse:
    """The participation behind the request, or the way to the sign-in page. Refuses strangers."""
    lookup = lookup_of(key, user=request.user, cookies=request.COOKIES)
    if lookup is None:
        return redirect_to_login(request.get_full_path())
    return find_by(**lookup)


def go_on(participation: Participation) -> HttpResponse:
    """To whatever comes next: a step before labelling, or the screen."""
    step = next_step(participation)
    if participation.state == "ended":
        return redirect("annotation:labelling_done", key=participation.campaign.key)
    name = "label" if step is Step.READY else step.value
    return redirect(f"annotation:{name}", key=participation.campaign.key)
