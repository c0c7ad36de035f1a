"""Setting a campaign up: making, changing, and the page that says what is still missing."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Count
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse

from accounts.models import User
from annotation.forms.campaigns import CampaignForm, ItemsForm
from annotation.models import Campaign
from annotation.models.campaigns import CampaignState, Mode, Role
from annotation.permissions import require_manager
from annotation.services.campaigns import change_campaign, create_campaign, estimate, selection_of
from annotation.services.closing import missing_labels
from annotation.services.opening import opening_problems
from annotation.views.requests import SignedInRequest
from curation.errors import DomainError
from curation.models import Suite


@login_required
def new(request: SignedInRequest) -> HttpResponse:
    require_manager(request.user)
    suite = Suite.objects.filter(key=request.GET.get("suite", "")).first()
    initial = {"suite": suite, "raters": suite.raters, "threshold": suite.threshold} if suite else {}
    form = CampaignForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data
        try:
            campaign = create_campaign(
                given["suite"], title=given["title"], language=given["language"], by=request.user,
                selection=form.selection(), **_without_empty_guideline(form),
            )  # fmt: skip
        except DomainError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, "The draft is there. Next: people, training, preview.")
            return redirect("annotation:campaign_setup", key=campaign.key)
    return render(request, "annotation/campaign_form.html", {"form": form})


def _without_empty_guideline(form: CampaignForm) -> dict[str, object]:
    """No guideline chosen means the newest of the language."""
    settings = form.settings()
    if settings["guideline"] is None:
        del settings["guideline"]
    return settings


@login_required
def change(request: SignedInRequest, key: str) -> HttpResponse:
    require_manager(request.user)
    campaign = get_object_or_404(Campaign, key=key)
    form = CampaignForm(request.POST or None, instance=campaign)
    if request.method == "POST" and form.is_valid():
        fresh = Campaign.objects.select_related("suite").get(pk=campaign.pk)  # the form has written on the other one
        settings = form.settings() | {"title": form.cleaned_data["title"], "language": form.cleaned_data["language"]}
        try:
            change_campaign(fresh, by=request.user, selection=form.selection(), **settings)
        except DomainError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, "Saved.")
            return redirect("annotation:campaign_setup", key=key)
    return render(request, "annotation/campaign_form.html", {"form": form, "campaign": campaign})


@login_required
def setup(request: SignedInRequest, key: str) -> HttpResponse:
    """What was chosen, what it will cost, who is in, and what stands in the way of opening."""
    require_manager(request.user)
    campaign = get_object_or_404(Campaign.objects.select_related("suite", "language", "guideline"), key=key)
    people = list(campaign.participations.select_related("annotator__user").order_by("id")[:200])
    known = {one.annotator.user_id for one in people}
    candidates = User.objects.filter(is_active=True, grants__role="annotator").exclude(pk__in=known).distinct()
    roles = dict(campaign.items.values_list("role").annotate(Count("id")))
    is_draft = campaign.state == CampaignState.DRAFT
    missing = None if is_draft else missing_labels(campaign)
    return render(
        request,
        "annotation/campaign_setup.html",
        {
            "campaign": campaign,
            "selection": selection_of(campaign),
            "estimate": estimate(campaign),
            "people": people,
            "candidates": candidates,
            "roles": [
                (role.label, roles.get(role.value, 0), role.value) for role in (Role.TRAINING, Role.TEST, Role.CHECK)
            ],
            "items_form": ItemsForm(),
            "problems": opening_problems(campaign) if is_draft else [],
            "is_draft": is_draft,
            "is_running": campaign.state in (CampaignState.OPEN, CampaignState.PAUSED),
            "is_crowd": campaign.mode == Mode.CROWD,
            "missing": missing,
            "missing_sentence": f"{missing:,} labels are missing." if missing else "",
            "labels_note": f"{campaign.raters} per case",
            "entry_link": request.build_absolute_uri(reverse("annotation:crowd_entry", args=[campaign.entry_key]))
            if campaign.entry_key
            else "",
        },
    )
