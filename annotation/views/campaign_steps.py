"""The steps of a campaign: people, texts with known answers, opening, pausing, closing, calling off."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST

from accounts.models import User
from annotation.forms.campaigns import ItemsForm
from annotation.models import Campaign, Participation
from annotation.models.campaigns import Role
from annotation.permissions import require_manager
from annotation.services import closing, opening
from annotation.services import items as known_answers
from annotation.services.participation import add_annotator, annotator_for, end_participation
from annotation.views.requests import SignedInRequest
from curation.errors import BadInput
from curation.services.jobs import request_job


def _campaign(request: SignedInRequest, key: str) -> Campaign:
    require_manager(request.user)
    return get_object_or_404(Campaign.objects.select_related("suite", "language"), key=key)


def _back(campaign: Campaign) -> HttpResponse:
    return redirect("annotation:campaign_setup", key=campaign.key)


@login_required
@require_POST
def items(request: SignedInRequest, key: str) -> HttpResponse:
    campaign = _campaign(request, key)
    if remove := request.POST.get("remove"):
        removed = known_answers.remove_items(campaign, Role(remove), by=request.user)
        messages.success(request, f"{removed} texts taken out.")
        return _back(campaign)
    form = ItemsForm(request.POST)
    if not form.is_valid():
        raise BadInput("Choose what the texts are for and where they come from.", fields=form.errors)
    given, role = form.cleaned_data, Role(form.cleaned_data["role"])
    if given["source"] == "own":
        added = known_answers.add_own_items(campaign, role, known_answers.parse_lines(given["lines"]), by=request.user)
    elif given["source"] == "examples":
        added = known_answers.add_examples(campaign, role, given["number"] or 8, by=request.user)
    else:
        added = known_answers.draw_items(campaign, role, given["number"] or 8, by=request.user)
    messages.success(request, f"{added} texts added.")
    return _back(campaign)


@login_required
@require_POST
def people(request: SignedInRequest, key: str) -> HttpResponse:
    """Add people with an account, or end somebody's work; their open cases go to the others."""
    campaign = _campaign(request, key)
    if ending := request.POST.get("end"):
        participation = get_object_or_404(
            Participation.objects.select_related("annotator", "campaign"), campaign=campaign, pk=ending
        )
        moved = end_participation(
            participation, reason=request.POST.get("reason", "Ended by a manager."), by=request.user
        )
        messages.success(request, f"Ended. {moved} open cases went to others.")
        return _back(campaign)
    chosen = User.objects.filter(
        pk__in=[pk for pk in request.POST.getlist("user") if pk.isdigit()], grants__role="annotator"
    ).distinct()
    if not chosen:
        raise BadInput("Nobody was chosen. Tick at least one person.")
    for user in chosen:
        add_annotator(campaign, annotator_for(user), by=request.user)
    messages.success(request, f"{len(chosen)} added.")
    return _back(campaign)


@login_required
@require_POST
def open_now(request: SignedInRequest, key: str) -> HttpResponse:
    campaign = _campaign(request, key)
    if opening.opens_at_once(campaign):
        opening.open_campaign(campaign, by=request.user)
        messages.success(request, "The campaign is open.")
    else:
        request_job(
            "annotation.open_campaign", {"campaign": campaign.key}, title=f"Open {campaign.title}", by=request.user,
            result_url=request.path.replace("/open/", "/setup/"),
        )  # fmt: skip
        messages.success(request, "The cases are being dealt. This takes a moment; the page shows when it is open.")
    return _back(campaign)


@login_required
@require_POST
def pause(request: SignedInRequest, key: str) -> HttpResponse:
    campaign = _campaign(request, key)
    closing.pause_campaign(campaign, by=request.user)
    messages.success(request, "Paused. Nothing new is handed out.")
    return _back(campaign)


@login_required
@require_POST
def resume(request: SignedInRequest, key: str) -> HttpResponse:
    campaign = _campaign(request, key)
    closing.resume_campaign(campaign, by=request.user)
    messages.success(request, "It goes on.")
    return _back(campaign)


@login_required
@require_POST
def close(request: SignedInRequest, key: str) -> HttpResponse:
    campaign = _campaign(request, key)
    anyway = request.POST.get("leave_out_incomplete") == "yes"
    if campaign.items.count() * campaign.raters <= opening.OPENS_AT_ONCE:
        verdicts = closing.close_campaign(campaign, by=request.user, leave_out_incomplete=anyway)
        messages.success(request, f"Closed, with {verdicts} verdicts.")
    else:
        request_job(
            "annotation.close_campaign", {"campaign": campaign.key, "leave_out_incomplete": anyway},
            title=f"Close {campaign.title}", by=request.user, result_url=request.path.replace("/close/", "/setup/"),
        )  # fmt: skip
        messages.success(request, "The labels are being counted. This takes a moment.")
    return _back(campaign)


@login_required
@require_POST
def cancel(request: SignedInRequest, key: str) -> HttpResponse:
    campaign = _campaign(request, key)
    closing.cancel_campaign(campaign, reason=request.POST.get("reason", ""), by=request.user)
    messages.success(request, "Called off. Labels given until now are kept.")
    return _back(campaign)
