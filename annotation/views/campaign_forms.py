"""Setting a campaign up: making, changing, and the page that says what is still missing."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Count
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse

from annotation.forms.campaigns import CampaignForm, ItemsForm
from annotation.models import Assignment, Campaign
from annotation.models.campaigns import OVER, CampaignState, Mode, Role
from annotation.models.slots import SlotState
from annotation.permissions import require_manager
from annotation.services.campaigns import change_campaign, create_campaign, estimate, selection_of
from annotation.services.closing import makes_verdicts, missing_labels, why_too_few_labels
from annotation.services.guidelines import load_guidelines, newest_guideline
from annotation.services.opening import opening_problems
from annotation.services.participation import possible_annotators
from annotation.services.quality_rules import read_rules
from annotation.views.requests import SignedInRequest
from curation.errors import DomainError
from curation.models import Language, Suite

PEOPLE_PER_PAGE = 100


@login_required
def new(request: SignedInRequest) -> HttpResponse:
    """An address may choose: `?suite=key&language=en&functionalities=key&origins=llm&question=scale`."""
    require_manager(request.user)
    load_guidelines()
    suite = Suite.objects.filter(key=request.GET.get("suite", "")).first()
    initial: dict[str, object] = {
        "origins": request.GET.getlist("origins"),
        "functionalities": request.GET.getlist("functionalities"),
        "language": Language.objects.filter(code=request.GET.get("language", "")).first(),
        "only_unlabelled": "only_unlabelled" in request.GET,
    }
    if suite:
        initial |= {"suite": suite, "raters": suite.raters, "threshold": suite.threshold}
    initial |= {name: request.GET[name] for name in ("title", "question", "raters", "threshold") if name in request.GET}
    form = CampaignForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data
        try:
            campaign = create_campaign(
                given["suite"], title=given["title"], language=given["language"], by=request.user,
                selection=form.selection(), **_settings(form),
            )  # fmt: skip
        except DomainError as error:
            _say(form, error)
        else:
            messages.success(request, "The draft is there. Next: people, training, preview.")
            return redirect("annotation:campaign_setup", key=campaign.key)
    return render(request, "annotation/campaign_form.html", {"form": form})


def _say(form: CampaignForm, error: DomainError) -> None:
    """Beside the field it is about, where the form has it."""
    field = error.fields.get("field")
    form.add_error(field if field in form.fields else None, str(error))


def _settings(form: CampaignForm) -> dict[str, object]:
    """No guideline chosen means the newest of the language."""
    settings = form.settings()
    return settings | {"guideline": settings["guideline"] or newest_guideline(form.cleaned_data["language"])}


@login_required
def change(request: SignedInRequest, key: str) -> HttpResponse:
    require_manager(request.user)
    campaign = get_object_or_404(Campaign, key=key)
    form = CampaignForm(request.POST or None, instance=campaign)
    if request.method == "POST" and form.is_valid():
        fresh = Campaign.objects.select_related("suite").get(pk=campaign.pk)  # the form has written on the other one
        settings = _settings(form) | {"title": form.cleaned_data["title"], "language": form.cleaned_data["language"]}
        try:
            change_campaign(fresh, by=request.user, selection=form.selection(), **settings)
        except DomainError as error:
            _say(form, error)
        else:
            messages.success(request, "Saved.")
            return redirect("annotation:campaign_setup", key=key)
    return render(request, "annotation/campaign_form.html", {"form": form, "campaign": campaign})


@login_required
def setup(request: SignedInRequest, key: str) -> HttpResponse:
    """What was chosen, what it will cost, who is in, and what stands in the way of opening."""
    require_manager(request.user)
    campaign = get_object_or_404(Campaign.objects.select_related("suite", "language", "guideline__language"), key=key)
    return setup_page(request, campaign)


def setup_page(request: SignedInRequest, campaign: Campaign, *, items_form: ItemsForm | None = None) -> HttpResponse:
    """With `items_form`, texts that were refused are still there, with what is wrong."""
    everybody = campaign.participations.select_related("annotator__user").order_by("id")
    page = Paginator(everybody, PEOPLE_PER_PAGE).get_page(request.GET.get("page"))
    known = set(campaign.participations.values_list("annotator__user", flat=True))
    foreseen = estimate(campaign)
    possible = possible_annotators(campaign)
    # In a team somebody may be gone and still have cases, which then nobody labels.
    held = Assignment.objects.of(campaign).counted().filter(state=SlotState.OPEN, annotator__isnull=False)
    waiting = dict(held.values_list("annotator").annotate(Count("id")))
    roles = dict(campaign.items.values_list("role").annotate(Count("id")))
    is_draft = campaign.state == CampaignState.DRAFT
    missing = None if is_draft else missing_labels(campaign)
    return render(
        request,
        "annotation/campaign_setup.html",
        {
            "campaign": campaign,
            "chosen": selection_of(campaign).described(),
            "rules": read_rules(campaign.quality_rules),
            "estimate": foreseen,
            "page": page,
            "people": [(one, waiting.get(one.annotator_id, 0)) for one in page],
            "possible": possible,
            "candidates": [user for user in possible if user.pk not in known],
            "is_over": campaign.state in OVER,
            "roles": [
                (role.label, roles.get(role.value, 0), role.value) for role in (Role.TRAINING, Role.TEST, Role.CHECK)
            ],
            "items_form": items_form or ItemsForm(),
            "problems": opening_problems(campaign) if is_draft else [],
            "makes_verdicts": makes_verdicts(campaign),
            "too_few_labels": why_too_few_labels(campaign),
            "is_draft": is_draft,
            "is_running": campaign.state in (CampaignState.OPEN, CampaignState.PAUSED),
            "is_crowd": campaign.mode == Mode.CROWD,
            "missing": missing,
            "missing_sentence": f"{missing:,} label{' is' if missing == 1 else 's are'} missing." if missing else "",
            "labels_note": f"{campaign.raters} per case"
            + (f", and about {foreseen.checks:,} checks" if foreseen.checks else ""),
            "entry_link": request.build_absolute_uri(reverse("annotation:crowd_entry", args=[campaign.entry_key]))
            if campaign.entry_key
            else "",
        },
        status=422 if items_form else 200,
    )
