"""Setting a campaign up: making, changing, and the page that says what is still missing."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Count
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from accounts.links import public_url
from annotation.campaigns.closing import missing_labels, why_too_few_labels
from annotation.campaigns.forms import ChangeCampaignForm, ItemForm, ItemsForm, NewCampaignForm, PlatformForm
from annotation.campaigns.guidelines import load_guidelines
from annotation.campaigns.known_answers import can_be_answered, in_another_language, known_items
from annotation.campaigns.models import NOT_YET, OVER, CampaignState, Mode, Role
from annotation.campaigns.opening import opening_job, opening_problems
from annotation.campaigns.services import change_campaign, create_campaign, estimate, selection_of, settings_of
from annotation.labelling.models import SlotState
from annotation.labelling.quality_rules import CONSEQUENCES, read_rules
from annotation.models import Assignment, Campaign, CampaignItem
from annotation.people.crowd import platform_of
from annotation.people.participation import possible_annotators
from annotation.permissions import find_managed_campaign, find_suite, require_manager
from annotation.questions import question_of
from core.errors import DomainError
from core.text import _, catalogue_name, ngettext
from core.web import SignedInRequest, texts_are_covered
from curation.models import Suite

PEOPLE_PER_PAGE = 100
PREFILLED = ("suite", "language", "title", "question", "raters", "threshold", "only_unlabelled")


@login_required
def new(request: SignedInRequest) -> HttpResponse:
    """An address may choose: `?suite=key&language=en&functionalities=key&origins=llm&question=scale`."""
    require_manager(request.user)
    load_guidelines()
    asked: dict[str, Any] = {name: request.GET[name] for name in PREFILLED if name in request.GET}
    asked |= {name: request.GET.getlist(name) for name in ("origins", "functionalities") if name in request.GET}
    if suite := Suite.objects.filter(key=asked.get("suite", "")).first():
        asked = {"raters": suite.raters, "threshold": suite.threshold} | asked
    form = NewCampaignForm(request.POST or None, initial=asked)
    if request.method == "POST" and form.is_valid():
        settings = form.chosen.model_dump()
        try:
            campaign = create_campaign(find_suite(request.user, settings.pop("suite")), by=request.user, **settings)
        except DomainError as error:
            form.say(error)
        else:
            messages.success(
                request, _("Draft created. Next: add annotators and training texts, then look at the preview.")
            )
            return redirect("annotation:campaign-setup", key=campaign.key)
    return render(request, "annotation/campaign_form.html", {"form": form})


@login_required
def change(request: SignedInRequest, key: str) -> HttpResponse:
    campaign = find_managed_campaign(request.user, key)
    form = ChangeCampaignForm(request.POST or None, initial=settings_of(campaign))
    if request.method == "POST" and form.is_valid():
        try:
            change_campaign(campaign, by=request.user, **form.chosen.model_dump())
        except DomainError as error:
            form.say(error)
        else:
            messages.success(request, _("Saved."))
            return redirect("annotation:campaign-setup", key=key)
    return render(request, "annotation/campaign_form.html", {"form": form, "campaign": campaign})


@login_required
def setup(request: SignedInRequest, key: str) -> HttpResponse:
    """What was chosen, what it will cost, who is in, and what stands in the way of opening."""
    return setup_page(request, find_managed_campaign(request.user, key))


def _items(campaign: Campaign) -> list[tuple[CampaignItem, str, ItemForm]]:
    """The texts with a known answer, each with what keeps it from being used ("" for nothing) and its form."""
    foreign = {item.pk for item in in_another_language(campaign)}

    def problem(item: CampaignItem) -> str:
        if item.pk in foreign:
            if item.shown_language is None:
                return _("unknown language")
            return _("in %(language)s", language=catalogue_name(item.shown_language.name))
        return "" if can_be_answered(campaign, item) else _("does not fit the question")

    answers = question_of(campaign).known_answers()
    return [(item, problem(item), ItemForm.of(item, answers)) for item in known_items(campaign)]


def _labels_note(campaign: Campaign, checks: int) -> str:
    if not checks:
        return _("%(number)s per case", number=campaign.raters)
    return ngettext(
        "%(number)s per case, and about %(count)s check",
        "%(number)s per case, and about %(count)s checks",
        checks,
        number=campaign.raters,
    )


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
    missing = None if campaign.state in NOT_YET else missing_labels(campaign)
    return render(
        request,
        "annotation/campaign_setup.html",
        {
            "campaign": campaign,
            "chosen": selection_of(campaign).described(),
            "rules": [(rule, dict(CONSEQUENCES)[rule.then]) for rule in read_rules(campaign.quality_rules)],
            "estimate": foreseen,
            "page": page,
            "people": [(one, waiting.get(one.annotator_id, 0)) for one in page],
            "possible": possible,
            "candidates": [user for user in possible if user.pk not in known],
            "is_over": campaign.state in OVER,
            "roles": [
                (role.label, roles.get(role.value, 0), role.value) for role in (Role.TRAINING, Role.TEST, Role.CHECK)
            ],
            "items": _items(campaign),
            "covered": texts_are_covered(request),
            "items_form": items_form or ItemsForm(campaign=campaign),
            "problems": opening_problems(campaign) if is_draft else [],
            "question": question_of(campaign),
            "too_few_labels": why_too_few_labels(campaign),
            "is_draft": is_draft,
            "is_opening": campaign.state == CampaignState.OPENING,
            "opening_job": opening_job(campaign),
            "is_running": campaign.state in (CampaignState.OPEN, CampaignState.PAUSED),
            "is_crowd": campaign.mode == Mode.CROWD,
            "missing": missing,
            "missing_sentence": ngettext("%(count)s label is missing.", "%(count)s labels are missing.", missing)
            if missing
            else "",
            "labels_note": _labels_note(campaign, foreseen.checks),
            "entry_link": public_url(request, reverse("annotation:crowd-entry", args=[campaign.entry_key]))
            if campaign.entry_key and campaign.platform
            else "",
            "platform_form": PlatformForm(),
            "participant_parameters": platform.participant if (platform := platform_of(campaign)) else (),
        },
        status=422 if items_form else 200,
    )
