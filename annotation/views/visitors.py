"""Finds who is labelling behind a request: a signed-in person, or somebody with a platform's pass."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from annotation.models import Campaign, Participation
from annotation.models.campaigns import OVER, Mode
from annotation.services.crowd_binding import find_requested, read_pass, requester_of
from annotation.services.onboarding import Step, next_step, require_begun

FROM_A_PLATFORM = "Did a platform send you? Then you need no account: open the task from there again."


def find_participation(request: HttpRequest, key: str) -> Participation | HttpResponse:
    """The participation behind the request, or the way to the sign-in page. Refuses strangers."""
    requester = requester_of(key, user=request.user, cookies=request.COOKIES)
    if requester is None:
        if Campaign.objects.filter(key=key, mode=Mode.CROWD).exists():
            messages.info(request, FROM_A_PLATFORM)
        return redirect_to_login(request.get_full_path())
    found = find_requested(requester)
    require_begun(found.campaign)
    return found


def return_code_for(request: HttpRequest, participation: Participation) -> str:
    """The code with which a platform's participant continues in another browser; "" for people with an account."""
    browser = read_pass(request.COOKIES, participation.campaign.key)
    return browser.return_code if browser is not None and browser.opens(participation) else ""


def go_on(participation: Participation) -> HttpResponse:
    """To whatever comes next: a step before labelling, or the screen."""
    step = next_step(participation)
    is_too_late = step is not Step.READY and participation.campaign.state in OVER
    if participation.state == "ended" or is_too_late:
        return redirect("annotation:labelling_done", key=participation.campaign.key)
    name = "label" if step is Step.READY else step.value
    return redirect(f"annotation:{name}", key=participation.campaign.key)
