"""The labelling screen, its preview for managers, leaving, and the page at the end."""

from dataclasses import asdict
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotation.campaigns.messages import notes_for
from annotation.campaigns.models import OVER
from annotation.labelling.exchange import (
    Exchanged,
    Progress,
    exchange,
    has_finished,
    preview_texts,
    progress_of,
    recent_answers,
)
from annotation.labelling.flags import REASONS
from annotation.labelling.key_bindings import bindings_for
from annotation.models import Annotator, Campaign, Participation
from annotation.people.crowd import completion_link
from annotation.people.onboarding import Step, has_failed_test, next_step
from annotation.people.participation import leave_campaign
from annotation.people.views.onboarding import find_participation, go_on, return_code_for, support_links
from annotation.permissions import find_managed_campaign
from annotation.questions import question_of
from core.text import shown
from core.web import SignedInRequest


@require_safe
@never_cache
def screen(request: HttpRequest, key: str) -> HttpResponse:
    """The screen arrives with its first texts, so nobody waits for them."""
    participation = find_participation(request, key)
    if isinstance(participation, HttpResponse):
        return participation
    if next_step(participation) is not Step.READY or participation.state == "ended":
        return go_on(participation)
    first = exchange(participation)
    config = _config(participation.campaign, participation.annotator, first, progress_of(participation)) | {
        "who": participation.annotator.pseudonym,
        "exchangeUrl": reverse("api-labelling-exchange", args=[key]),
        "taskUrl": reverse("api-labelling", args=[key]),
        "leaveUrl": reverse("annotation:leave", args=[key]),
        "doneUrl": reverse("annotation:labelling-done", args=[key]),
        "workUrl": reverse("annotation:my-work") if participation.annotator.user_id else "",
        "hasCode": bool(participation.campaign.completion_code or participation.campaign.completion_url),
        "recent": [asdict(one) for one in recent_answers(participation)],
        "notes": notes_for(participation),
    }
    return render(request, "annotation/screen.html", _context(participation.campaign, config))


@login_required
@require_safe
def preview(request: SignedInRequest, key: str) -> HttpResponse:
    """The same screen with a few chosen cases; nothing is stored."""
    campaign = find_managed_campaign(request.user, key)
    texts = preview_texts(campaign)
    first = Exchanged(receipts=[], texts=texts, gone=[], stop="" if texts else "finished")
    config = _config(campaign, Annotator(), first, Progress(done=0, total=len(texts), today=0)) | {
        "who": "preview",
        "isPreview": True,
        "doneUrl": reverse("annotation:campaign-setup", args=[key]),
    }
    return render(request, "annotation/screen.html", _context(campaign, config) | {"is_preview": True})


def _config(campaign: Campaign, annotator: Annotator, first: Exchanged, progress: Progress) -> dict[str, Any]:
    """Everything the script needs; like the API, it knows nothing that must stay hidden."""
    return {
        "campaign": campaign.key,
        "labels": campaign.labels,
        "hateful": question_of(campaign).hateful_labels(),
        "batch": campaign.batch_size,
        # A lease is renewed when less than half of it is left, so this much is certain after every answer.
        "leaseSeconds": campaign.lease_minutes * 60 / 2 if campaign.mode == "crowd" else None,
        "secondsPerCase": campaign.seconds_per_case,
        "progress": asdict(progress),
        "coversText": annotator.covers_text,
        "breakAfterSeconds": annotator.break_after.total_seconds(),
        "dailyLimit": annotator.daily_limit,
        "keys": bindings_for(annotator, len(campaign.labels)),
        "first": shown(asdict(first)),
        "isPreview": False,
        "recent": [],
        "notes": [],
    }


def _context(campaign: Campaign, config: dict[str, Any]) -> dict[str, Any]:
    tones = {2: ["hateful", "neutral"]}.get(len(campaign.labels), [])
    keys, question = config["keys"], question_of(campaign)
    buttons = [
        {
            "label": label,
            "name": question.name_of(label),
            "tone": tones[place] if place < len(tones) else "plain",
            "key": keys[f"label{place + 1}"],
            "number": place,
        }
        for place, label in enumerate(campaign.labels)
    ]
    return {
        "campaign": campaign,
        "question": question,
        "config": config,
        "buttons": buttons,
        "keys": keys,
        "flag_reasons": REASONS,
        "support": support_links(),
    }


@require_POST
def leave(request: HttpRequest, key: str) -> HttpResponse:
    participation = find_participation(request, key)
    if isinstance(participation, Participation):
        leave_campaign(participation)
        if participation.annotator.user_id is None:
            return redirect("annotation:labelling-done", key=key)
    return redirect("annotation:my-work")


@require_safe
@never_cache
def done(request: HttpRequest, key: str) -> HttpResponse:
    """Thank you, what was done, and the platform's code for those who have finished."""
    participation = find_participation(request, key)
    if isinstance(participation, HttpResponse):
        return participation
    progress = progress_of(participation)
    finished = participation.state != "ended" and next_step(participation) is Step.READY and has_finished(participation)
    is_over = participation.campaign.state in OVER
    limit = participation.annotator.daily_limit
    return render(
        request,
        "annotation/done.html",
        {
            "participation": participation,
            "campaign": participation.campaign,
            "progress": progress,
            "has_failed_test": has_failed_test(participation),
            "is_finished": finished,
            "is_over": is_over,
            "is_enough_for_today": limit is not None and progress.today >= limit,
            "completion_link": completion_link(participation.campaign) if finished else "",
            "support": support_links(),
            "return_code": return_code_for(request, participation),
        },
    )
