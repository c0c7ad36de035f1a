"""The list of campaigns, and one page per campaign: will it finish, do people agree, who needs help."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.cache import cache
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.views.decorators.http import require_POST, require_safe

from annotation import charts
from annotation.agreement.campaign_report import agreement_now, current_report
from annotation.agreement.disputes import disputed_items
from annotation.agreement.naming import named_parts
from annotation.campaigns.forms import CampaignFilterForm
from annotation.campaigns.messages import send_message
from annotation.campaigns.models import CampaignState
from annotation.campaigns.progress import count_labels, progress_of_campaign
from annotation.campaigns.rounds import cases_to_ask_again, start_round
from annotation.labels.exporting import label_download
from annotation.labels.options import LabelExportOptions, LabelFileKind
from annotation.labels.reversing import can_be_taken_back, reversal_of
from annotation.models import AgreementReport, Annotator, Assignment, Campaign
from annotation.permissions import can_manage_campaigns, find_campaign, hidden_from
from core.permissions import require_workshop
from core.text import _, recall
from core.web import SignedInRequest, texts_are_covered

KEEP_DRAWINGS_FOR = 24 * 60 * 60


@dataclass(frozen=True, slots=True)
class Tab:
    title: str
    url: str
    is_current: bool
    count: int | None = None


def frame(request: SignedInRequest, campaign: Campaign, current: str, *, disputed: int | None = None) -> dict[str, Any]:
    """The context every page of a campaign needs."""
    names = {"campaign": _("Overview"), "campaign-agreement": _("Agreement"), "campaign-disputes": _("Disagreements")}
    tabs = [
        Tab(
            title,
            reverse(f"annotation:{name}", args=[campaign.key]),
            name == current,
            disputed if name == "campaign-disputes" else None,
        )
        for name, title in names.items()
    ]
    return {
        "campaign": campaign,
        "covered": texts_are_covered(request),
        "tabs": tabs,
        "may_manage": can_manage_campaigns(request.user),
        "is_running": campaign.state in (CampaignState.OPEN, CampaignState.PAUSED),
        "is_closed": campaign.state == CampaignState.CLOSED,
    }


def drawn(draw: Callable[..., str], *values: Any) -> SafeString:
    """A drawing, made once per language for the same values. What we drew ourselves from escaped values is safe."""
    told = json.dumps([get_language(), draw.__name__, *values], default=str, sort_keys=True)
    key = "drawing:" + hashlib.sha256(told.encode()).hexdigest()
    found: str | None = cache.get(key)
    if found is None:
        found = draw(*values)
        cache.set(key, found, KEEP_DRAWINGS_FOR)
    return mark_safe(found)  # noqa: S308


PER_PAGE = 30
SORTS = {"title": "title", "suite": "suite__name", "state": "state", "created": "created_at"}


@login_required
@require_safe
def campaigns(request: SignedInRequest) -> HttpResponse:
    require_workshop(request.user)
    form = CampaignFilterForm(request.GET)
    rows = Campaign.objects.visible_to(request.user).select_related("suite", "language")
    if form.is_valid():
        if words := form.cleaned_data["q"]:
            rows = rows.filter(Q(title__icontains=words) | Q(suite__name__icontains=words) | Q(key__icontains=words))
        if state := form.cleaned_data["state"]:
            rows = rows.filter(state=state)
    sort = request.GET.get("sort", "-created")
    field = SORTS.get(sort.lstrip("-"), "created_at")
    page = Paginator(rows.order_by(("-" if sort.startswith("-") else "") + field, "-id"), PER_PAGE).get_page(
        request.GET.get("page")
    )
    shown = [campaign.pk for campaign in page]
    counts = count_labels(list(page))
    reports = AgreementReport.objects.filter(campaign__in=shown).order_by("measured_at")
    agreement = {campaign: recall(values) for campaign, values in reports.values_list("campaign", "values__overall")}
    for hidden in hidden_from(request.user).filter(pk__in=shown):
        agreement.pop(hidden.pk, None)
    table = [(one, *counts.get(one.pk, (0, 0)), agreement.get(one.pk)) for one in page]
    context = {"page": page, "table": table, "form": form, "may_manage": can_manage_campaigns(request.user)}
    return render(request, "annotation/manage/campaigns.html", context)


@login_required
@require_safe
def campaign(request: SignedInRequest, key: str) -> HttpResponse:
    found = find_campaign(request.user, key)
    report = current_report(found)
    progress = progress_of_campaign(found)
    disputed = set(disputed_items(found).values_list("case_id", flat=True))
    decided = set(found.adjudications.values_list("case_id", flat=True))
    undecided = len(disputed - decided)
    context: dict[str, Any] = {
        **frame(request, found, "campaign", disputed=len(disputed)),
        "progress": progress,
        "report": report,
        "values": recall(report.values) if report else None,
        "now": agreement_now(found) if progress.done != (report.labels if report else 0) else None,
        "people": _people(progress, report),
        "help_wanted": [one for one in progress.people if one.needs_help],
        "disputed": len(disputed),
        "undecided": undecided,
        "to_ask_again": len(cases_to_ask_again(found)) if undecided and found.state == CampaignState.CLOSED else 0,
        "days_chart": drawn(charts.labels_per_day, progress.days) if len(progress.days) > 1 else "",
        "notes": found.messages.select_related("annotator")[:10],
        "last_round": found.next_rounds.first(),
        "can_be_taken_back": can_be_taken_back(found),
        "reversal": reversal_of(found),
    }
    return render(request, "annotation/manage/campaign.html", context)


def _people(progress: Any, report: AgreementReport | None) -> list[dict[str, Any]]:
    """Progress and quality of each annotator side by side."""
    quality = {row["annotator"]: row for row in recall(report.values["annotators"])} if report else {}
    return [{"progress": one, "quality": quality.get(one.participation.annotator.pseudonym)} for one in progress.people]


@login_required
@require_safe
def agreement(request: SignedInRequest, key: str) -> HttpResponse:
    found = find_campaign(request.user, key)
    report = current_report(found)
    context = frame(request, found, "campaign-agreement") | {"report": report}
    context["is_being_measured"] = report is None and Assignment.objects.filter(campaign=found, label__gt="").exists()
    if report is not None:
        values = recall(report.values)
        parts = named_parts(values["by_functionality"], "functionality")
        context |= {
            "values": values,
            "parts": list(parts.items()),
            "functionality_chart": drawn(charts.kappa_by_functionality, parts),
            "votes_chart": drawn(charts.vote_distribution, values["votes"], values["labels_asked"]),
            "people_chart": drawn(charts.annotator_scatter, values["annotators"]),
            "time_chart": drawn(charts.kappa_over_time, values["curve"]),
        }
    return render(request, "annotation/manage/agreement.html", context)


@login_required
@require_POST
def message(request: SignedInRequest, key: str) -> HttpResponse:
    found = find_campaign(request.user, key)
    to = request.POST.get("annotator", "")
    annotator = get_object_or_404(Annotator, pseudonym=to) if to else None
    send_message(found, text=request.POST.get("text", ""), annotator=annotator, by=request.user)
    messages.success(
        request,
        _("Message sent to %(annotator)s.", annotator=str(annotator))
        if annotator
        else _("Message sent to all annotators."),
    )
    return redirect(found)


@login_required
@require_POST
def next_round(request: SignedInRequest, key: str) -> HttpResponse:
    found = find_campaign(request.user, key)
    new = start_round(found, by=request.user, title=request.POST.get("title", ""))
    messages.success(request, _("Draft created. Add annotators, then open the campaign."))
    return redirect("annotation:campaign-setup", key=new.key)


@login_required
@require_safe
def labels(request: SignedInRequest, key: str, ending: LabelFileKind) -> StreamingHttpResponse:
    """Everything people said, under pseudonyms."""
    found = find_campaign(request.user, key)
    options = LabelExportOptions(campaign=found.key, kind=ending, with_text="with_text" in request.GET)
    download = label_download(found.suite, options)
    headers = {"Content-Disposition": f'attachment; filename="{download.name}"'}
    return StreamingHttpResponse(download.content, content_type=download.content_type, headers=headers)
