"""The steps of a campaign: people, texts with known answers, opening, pausing, closing, cancelling."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from annotation.campaigns import closing, known_answers, opening
from annotation.campaigns.forms import ItemForm, ItemsForm
from annotation.campaigns.models import Role, Source
from annotation.campaigns.views.forms import setup_page
from annotation.errors import one_after_another
from annotation.models import Campaign
from annotation.people import crowd
from annotation.people.crowd_binding import release_browser
from annotation.people.onboarding import grant_try
from annotation.people.participation import (
    add_annotator,
    annotator_for,
    end_participation,
    pause_participation,
    possible_annotators,
    resume_participation,
)
from annotation.permissions import find_managed_campaign, find_participation_of
from core.errors import BadInput
from core.text import _, ngettext
from core.web import SignedInRequest

PageStep = Callable[..., str | HttpResponse]


def step(page: PageStep) -> Callable[..., HttpResponse]:
    """A step of a campaign by a manager: says what was done and returns to the setup page."""

    @login_required
    @require_POST
    def view(request: SignedInRequest, key: str, **more: Any) -> HttpResponse:
        campaign = find_managed_campaign(request.user, key)
        done = page(request, campaign, **more)
        if isinstance(done, HttpResponse):
            return done
        messages.success(request, done)
        return redirect("annotation:campaign-setup", key=campaign.key)

    return view


@step
def items(request: SignedInRequest, campaign: Campaign) -> str | HttpResponse:
    """Add texts with a known answer, or remove all of a role."""
    if remove := request.POST.get("remove"):
        if remove not in Role.values:
            raise BadInput(_("There are no texts of this kind. Reload the page."))
        removed = known_answers.remove_items(campaign, Role(remove), by=request.user)
        return ngettext("%(count)s text removed.", "%(count)s texts removed.", removed)
    form = ItemsForm(request.POST, campaign=campaign)
    if not form.is_valid():  # fifty pasted lines are not lost
        return setup_page(request, campaign, items_form=form)
    chosen = form.chosen
    try:
        added = known_answers.add_items(campaign, chosen, by=request.user)
    except BadInput as error:
        form.add_error("items" if chosen.source == Source.OWN else None, str(error))
        return setup_page(request, campaign, items_form=form)
    if chosen.source in (Source.EXAMPLES, Source.CASES) and added < chosen.number:
        return ngettext(
            "%(count)s text added. There were no more, although you asked for %(asked)s.",
            "%(count)s texts added. There were no more, although you asked for %(asked)s.",
            added,
            asked=chosen.number,
        )
    return ngettext("%(count)s text added.", "%(count)s texts added.", added)


@step
def change_item(request: SignedInRequest, campaign: Campaign, number: int) -> str:
    """Change one text with a known answer of a draft."""
    form = ItemForm(request.POST)
    if not form.is_valid():
        raise BadInput(one_after_another([str(sentence) for said in form.errors.values() for sentence in said]))
    known_answers.change_item(campaign, number, form.chosen, by=request.user)
    return _("Text changed.")


@step
def remove_item(request: SignedInRequest, campaign: Campaign, number: int) -> str:
    """Remove one text with a known answer from a draft."""
    known_answers.remove_item(campaign, number, by=request.user)
    return _("Text removed.")


@step
def people(request: SignedInRequest, campaign: Campaign) -> str:
    """Add people with an account."""
    wanted = set(request.POST.getlist("user"))
    chosen = [user for user in possible_annotators(campaign) if str(user.pk) in wanted]
    if not chosen:
        raise BadInput(_("Select at least one person."))
    for user in chosen:
        add_annotator(campaign, annotator_for(user), by=request.user)
    return ngettext("%(count)s annotator added.", "%(count)s annotators added.", len(chosen))


@step
def person(request: SignedInRequest, campaign: Campaign, pseudonym: str) -> str:
    """Pause a person, let them continue, release them from their browser, or end their work; then their open cases go
    to the others or to one person."""
    found = find_participation_of(campaign, pseudonym)
    reason = request.POST.get("reason", "").strip()
    match request.POST.get("step", ""):
        case "pause":
            pause_participation(found, reason=reason or _("Paused by a manager."), by=request.user)
            return _("Paused. This annotator gets no texts until you resume their work.")
        case "resume":
            resume_participation(found, by=request.user)
            return _("Resumed. This annotator can label again.")
        case "end":
            chosen = request.POST.get("replaced_by", "")
            instead = next((user for user in possible_annotators(campaign) if str(user.pk) == chosen), None)
            moved = end_participation(
                found,
                reason=reason or _("Ended by a manager."),
                by=request.user,
                replaced_by=annotator_for(instead) if instead else None,
            )
            if instead is None:
                return ngettext(
                    "Ended. %(count)s open case went to the other annotators.",
                    "Ended. %(count)s open cases went to the other annotators.",
                    moved,
                )
            return ngettext(
                "Ended. %(count)s open case went to %(person)s.",
                "Ended. %(count)s open cases went to %(person)s.",
                moved,
                person=str(instead),
            )
        case "retry":
            grant_try(found, by=request.user)
            return _("This annotator can take the test once more.")
        case "release":
            release_browser(found, by=request.user)
            return _("Released. The next browser that opens the task with this participant ID continues.")
    raise BadInput(_("Choose a step: %(steps)s.", steps=["pause", "resume", "end", "retry", "release"]))


@step
def platform(request: SignedInRequest, campaign: Campaign) -> str:
    """Choose the crowd platform of a campaign that is open already."""
    crowd.choose_platform(campaign, request.POST.get("platform", ""), by=request.user)
    return _("Crowd platform saved: %(platform)s.", platform=campaign.get_platform_display())


@step
def open_now(request: SignedInRequest, campaign: Campaign) -> str:
    if opening.open_now_or_soon(campaign, by=request.user) is None:
        return _("The campaign is open.")
    return _("The campaign is being opened. This takes a moment; this page shows when it is open.")


@step
def return_to_draft(request: SignedInRequest, campaign: Campaign) -> str:
    """Undo an opening that was interrupted."""
    opening.return_to_draft(campaign, by=request.user)
    return _("The campaign is a draft again.")


@step
def pause(request: SignedInRequest, campaign: Campaign) -> str:
    closing.pause_campaign(campaign, by=request.user)
    return _("Campaign paused. Annotators get no new texts.")


@step
def resume(request: SignedInRequest, campaign: Campaign) -> str:
    closing.resume_campaign(campaign, by=request.user)
    return _("Campaign resumed.")


@step
def close(request: SignedInRequest, campaign: Campaign) -> str:
    anyway = request.POST.get("leave_out_incomplete") == "yes"
    verdicts, job = closing.close_now_or_soon(campaign, by=request.user, leave_out_incomplete=anyway)
    if job is not None:
        return _("The labels are being counted. This takes a moment.")
    return ngettext("Closed with %(count)s verdict.", "Closed with %(count)s verdicts.", verdicts)


@step
def cancel(request: SignedInRequest, campaign: Campaign) -> str:
    closing.cancel_campaign(campaign, reason=request.POST.get("reason", ""), by=request.user)
    return _("Campaign cancelled. The labels are kept and never become verdicts.")
