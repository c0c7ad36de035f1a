"""An annotator's own pages: what there is to label, and how they want to work."""

from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST, require_safe

from annotation.campaigns.models import NOT_YET, CampaignState
from annotation.labelling.exchange import progress_of
from annotation.labelling.key_bindings import ACTIONS, DEFAULTS, check_bindings
from annotation.models import Annotator, Campaign, LinkedAnswers, Participation
from annotation.people.forms import SettingsForm
from annotation.people.onboarding import next_step, unlink_answers
from annotation.people.participation import annotator_for, join_campaign
from annotation.people.views.onboarding import find_participation, go_on, return_code_for, support_links
from annotation.permissions import can_join
from core.errors import DomainError, NotAllowed
from core.text import _
from core.web import SignedInRequest


@login_required
@require_safe
def my_work(request: SignedInRequest) -> HttpResponse:
    """Campaigns one takes part in, those one may join, and what was finished."""
    if not request.user.is_annotator and not Participation.objects.filter(annotator__user=request.user).exists():
        raise NotAllowed(_("Only annotators can label. Ask a maintainer to invite you as an annotator."))
    mine = (
        Participation.objects.filter(annotator__user=request.user)
        .exclude(campaign__state__in=NOT_YET)
        .select_related("campaign__language", "annotator")
        .order_by("-campaign__opened_at")
    )
    running = [
        one for one in mine if one.campaign.state in (CampaignState.OPEN, CampaignState.PAUSED) and one.state != "ended"
    ]
    joinable = Campaign.objects.running().filter(invited_only=False, mode="crowd").select_related("language")
    known = {one.campaign_id for one in mine}
    return render(
        request,
        "annotation/my_work.html",
        {
            "running": [
                {"participation": one, "progress": progress_of(one), "step": next_step(one)} for one in running
            ],
            "finished": [one for one in mine if one not in running][:20],
            "joinable": [one for one in joinable if one.pk not in known and can_join(request.user, one)],
            "support": support_links(),
        },
    )


@login_required
@require_POST
def join(request: SignedInRequest, key: str) -> HttpResponse:
    campaign = get_object_or_404(Campaign.objects.running(), key=key)
    return go_on(join_campaign(campaign, request.user))


@login_required
def settings(request: SignedInRequest) -> HttpResponse:
    """Covering, breaks, a daily limit, keys: the annotator's own choice."""
    back = request.GET.get("back", "")
    if not url_has_allowed_host_and_scheme(back, allowed_hosts={request.get_host()}):
        back = reverse("annotation:my-work")
    return _settings(request, annotator_for(request.user), back)


def settings_here(request: HttpRequest, key: str) -> HttpResponse:
    """The same for whoever labels in a campaign, also people from a platform, who have no account."""
    participation = find_participation(request, key)
    if isinstance(participation, HttpResponse):
        return participation
    linked = LinkedAnswers.objects.filter(participation=participation).first()
    more = {
        "return_code": return_code_for(request, participation),
        "linked": linked,
        "campaign": participation.campaign,
    }
    return _settings(request, participation.annotator, reverse("annotation:label", args=[key]), **more)


@require_POST
def unlink(request: HttpRequest, key: str) -> HttpResponse:
    """Withdraw the agreement to link answers and labels."""
    participation = find_participation(request, key)
    if isinstance(participation, HttpResponse):
        return participation
    if unlink_answers(participation):
        messages.success(request, _("Your answers are no longer linked to your labels."))
    return redirect("annotation:labelling-settings-here", key=key)


def _settings(request: HttpRequest, annotator: Annotator, back: str, **more: Any) -> HttpResponse:
    form = SettingsForm(request.POST or None, initial=SettingsForm.values_of(annotator))
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data
        try:
            annotator.key_bindings = check_bindings(form.bindings())
        except DomainError as error:
            form.add_error(None, str(error))
        else:
            annotator.covers_text = given["covers_text"]
            annotator.break_after = timedelta(minutes=given["break_after"])
            annotator.daily_limit = given["daily_limit"]
            annotator.member_of = [group.key for group in given["member_of"]]
            annotator.save()
            messages.success(request, _("Settings saved."))
            return redirect(back)
    context = {"form": form, "back": back, "actions": ACTIONS, "defaults": DEFAULTS, **more}
    return render(request, "annotation/settings.html", context)
