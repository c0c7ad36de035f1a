"""The steps of a campaign: people, texts with known answers, opening, pausing, closing, calling off."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST

from accounts.models import User
from annotation.forms.campaigns import ItemsForm
from annotation.models import Campaign, Participation
from annotation.models.campaigns import Role, Source
from annotation.permissions import require_manager
from annotation.services import closing, large_campaigns
from annotation.services import items as known_answers
from annotation.services.crowd import choose_platform
from annotation.services.crowd_binding import release_browser
from annotation.services.large_campaigns import close_now_or_soon, open_now_or_soon
from annotation.services.participation import (
    add_annotator,
    annotator_for,
    end_participation,
    pause_participation,
    possible_annotators,
    resume_participation,
)
from annotation.views.campaign_forms import setup_page
from annotation.views.requests import SignedInRequest
from curation.errors import BadInput


def _campaign(request: SignedInRequest, key: str) -> Campaign:
    require_manager(request.user)
    rows = Campaign.objects.select_related("suite", "language", "guideline__language")
    return get_object_or_404(rows, key=key)


def _back(campaign: Campaign) -> HttpResponse:
    return redirect("annotation:campaign_setup", key=campaign.key)


@login_required
@require_POST
def items(request: SignedInRequest, key: str) -> HttpResponse:
    campaign = _campaign(request, key)
    if remove := request.POST.get("remove"):
        if remove not in Role.values:
            raise BadInput("There are no texts of that kind. Reload the page.")
        removed = known_answers.remove_items(campaign, Role(remove), by=request.user)
        messages.success(request, f"{removed} text{'s' if removed != 1 else ''} removed.")
        return _back(campaign)
    form = ItemsForm(campaign, request.POST)
    if not form.is_valid():
        raise BadInput("Choose what the texts are for and where they come from.", fields=form.errors)
    try:
        added = _add_items(campaign, form.cleaned_data, by=request.user)
    except BadInput as error:  # whoever pasted fifty lines gets them back
        form.add_error("lines" if form.cleaned_data["source"] == "own" else None, str(error))
        return setup_page(request, campaign, items_form=form)
    said = f"{added} text{'s' if added != 1 else ''} added."
    asked = form.cleaned_data["number"]
    if form.cleaned_data["source"] != Source.OWN and asked and added < asked:
        said += f" There were no more of the {asked} you asked for."
    messages.success(request, said)
    return _back(campaign)


@login_required
@require_POST
def remove_item(request: SignedInRequest, key: str, number: int) -> HttpResponse:
    """Remove one text with a known answer from a draft."""
    campaign = _campaign(request, key)
    known_answers.remove_item(campaign, number, by=request.user)
    messages.success(request, "Text removed.")
    return _back(campaign)


def _add_items(campaign: Campaign, given: dict[str, Any], *, by: User) -> int:
    role, number = Role(given["role"]), given["number"] or 8
    if given["source"] == "own":
        lines = known_answers.parse_lines(given["lines"], given.get("language", ""))
        return known_answers.add_own_items(campaign, role, lines, by=by)
    if given["source"] == "examples":
        return known_answers.add_examples(campaign, role, number, by=by)
    return known_answers.draw_items(campaign, role, number, by=by)


@login_required
@require_POST
def people(request: SignedInRequest, key: str) -> HttpResponse:
    """Add people with an account."""
    campaign = _campaign(request, key)
    wanted = set(request.POST.getlist("user"))
    chosen = [user for user in possible_annotators(campaign) if str(user.pk) in wanted]
    if not chosen:
        raise BadInput("Nobody was chosen. Tick at least one person.")
    for user in chosen:
        add_annotator(campaign, annotator_for(user), by=request.user)
    messages.success(request, f"{len(chosen)} added.")
    return _back(campaign)


@login_required
@require_POST
def person(request: SignedInRequest, key: str, pseudonym: str) -> HttpResponse:
    """Pause a person, let them go on, release them from their browser, or end their work; then their open cases go to
    the others or to one person."""
    campaign = _campaign(request, key)
    people = Participation.objects.select_related("annotator", "campaign")
    found = get_object_or_404(people, campaign=campaign, annotator__pseudonym=pseudonym)
    reason = request.POST.get("reason", "").strip()
    step = request.POST.get("step", "")
    if step == "pause":
        pause_participation(found, reason=reason or "Paused by a manager.", by=request.user)
        messages.success(request, "Paused. They get no texts until you let them go on.")
    elif step == "resume":
        resume_participation(found, by=request.user)
        messages.success(request, "They can go on.")
    elif step == "end":
        chosen = request.POST.get("replaced_by", "")
        instead = next((user for user in possible_annotators(campaign) if str(user.pk) == chosen), None)
        moved = end_participation(
            found,
            reason=reason or "Ended by a manager.",
            by=request.user,
            replaced_by=annotator_for(instead) if instead else None,
        )
        messages.success(request, f"Ended. {moved} open cases went to {instead or 'others'}.")
    elif step == "release":
        release_browser(found, by=request.user)
        messages.success(request, "Released. The next browser that opens the task with their ID continues.")
    else:
        raise BadInput("Choose what should happen: pause, resume, end or release.")
    return _back(campaign)


@login_required
@require_POST
def platform(request: SignedInRequest, key: str) -> HttpResponse:
    """Choose the crowd platform of a campaign that is open already."""
    campaign = _campaign(request, key)
    choose_platform(campaign, request.POST.get("platform", ""), by=request.user)
    messages.success(request, f"Saved: {campaign.get_platform_display()}.")
    return _back(campaign)


@login_required
@require_POST
def open_now(request: SignedInRequest, key: str) -> HttpResponse:
    campaign = _campaign(request, key)
    if open_now_or_soon(campaign, by=request.user) is None:
        messages.success(request, "The campaign is open.")
    else:
        messages.success(request, "The campaign is being opened. This takes a moment; the page shows when it is open.")
    return _back(campaign)


@login_required
@require_POST
def return_to_draft(request: SignedInRequest, key: str) -> HttpResponse:
    """Undo an opening that was interrupted."""
    campaign = _campaign(request, key)
    large_campaigns.return_to_draft(campaign, by=request.user)
    messages.success(request, "The campaign is a draft again.")
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
    verdicts, job = close_now_or_soon(campaign, by=request.user, leave_out_incomplete=anyway)
    if job is None:
        messages.success(request, f"Closed, with {verdicts} verdicts.")
    else:
        messages.success(request, "The labels are being counted. This takes a moment.")
    return _back(campaign)


@login_required
@require_POST
def cancel(request: SignedInRequest, key: str) -> HttpResponse:
    campaign = _campaign(request, key)
    closing.cancel_campaign(campaign, reason=request.POST.get("reason", ""), by=request.user)
    messages.success(request, "Called off. Labels given until now are kept.")
    return _back(campaign)
