"""Cases people disagree on: the queue, one page per case, one decision."""

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from annotation.agreement.adjudicating import adjudicate
from annotation.agreement.disputes import (
    disputed_items,
    read_disputed,
    siblings_of,
    similar_cases,
    with_votes,
)
from annotation.agreement.models import Decision
from annotation.campaigns.models import Role
from annotation.campaigns.views.pages import frame
from annotation.models import Adjudication, Campaign, CampaignItem
from annotation.permissions import find_campaign
from annotation.questions import question_of
from core.errors import BadInput
from core.permissions import can_author
from core.text import _, catalogue_names
from core.web import SignedInRequest
from curation.models import Functionality, TestCase

PER_PAGE = 20
STATUSES = [("open", _("Waiting for a decision")), ("decided", _("Decided")), ("", _("All"))]


class DisputeFilterForm(forms.Form):
    status = forms.ChoiceField(label=_("Decision"), required=False, choices=STATUSES)
    functionality = forms.ChoiceField(label=_("Functionality"), required=False)

    def __init__(self, campaign: Campaign, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        rows = Functionality.objects.filter(cases__campaign_items__campaign=campaign).distinct()
        choices = rows.order_by("position", "key").values_list("key", "title")
        self.fields["functionality"].choices = [("", _("All")), *catalogue_names(choices).items()]  # type: ignore[attr-defined]


@login_required
@require_safe
def disputes(request: SignedInRequest, key: str) -> HttpResponse:
    campaign = find_campaign(request.user, key)
    given = request.GET.copy()
    given.setdefault("status", "open")
    form = DisputeFilterForm(campaign, given)
    chosen = form.cleaned_data if form.is_valid() else {}
    items = disputed_items(campaign, functionality=chosen.get("functionality", ""), status=chosen.get("status", "open"))
    page = Paginator(items, PER_PAGE).get_page(request.GET.get("page"))
    context = frame(request, campaign, "campaign-disputes")
    context |= {"page": page, "rows": read_disputed(campaign, page), "form": form}
    return render(request, "annotation/manage/disputes.html", context)


@login_required
@require_safe
def dispute(request: SignedInRequest, key: str, case: str) -> HttpResponse:
    return _dispute_page(request, find_campaign(request.user, key), case)


def _dispute_page(request: SignedInRequest, campaign: Campaign, case: str, *, refused: str = "") -> HttpResponse:
    """With `refused`, what was typed is still there."""
    (row,) = read_disputed(campaign, [_item(campaign, case)])
    subject = row.item.case
    assert subject is not None
    decisions = Adjudication.objects.filter(campaign=campaign, case=subject).select_related("decided_by", "new_case")
    waiting = list(disputed_items(campaign, status="open").values_list("case__key", flat=True)[:500])
    place = waiting.index(case) if case in waiting else -1
    context = frame(request, campaign, "campaign-disputes")
    siblings = siblings_of(campaign, subject)
    context |= {
        "row": row,
        "case": subject,
        "wanted": question_of(campaign).wanted(subject.gold_label),
        "alike": siblings or similar_cases(campaign, subject),
        "alike_title": _("Other cases of the template") if siblings else _("Similar cases of the functionality"),
        "exclusion": subject.exclusions.filter(lifted_at=None).first(),
        "decisions": decisions.order_by("-id"),
        "choices": Decision.choices,
        "may_decide": can_author(request.user, subject.language.code),
        "following": waiting[place + 1] if place + 1 < len(waiting) else "",
        "waiting": len(waiting),
        "refused": refused,
        "given": request.POST if refused else {"new_text": subject.text},
    }
    return render(request, "annotation/manage/dispute.html", context, status=422 if refused else 200)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def decide(request: SignedInRequest, key: str, case: str) -> HttpResponse:
    """Store the decision and go on to the next case that waits for one. What was typed stays where it is refused."""
    campaign = find_campaign(request.user, key)
    if request.method != "POST":  # from the page that shows a refusal
        return redirect("annotation:campaign-dispute", key=campaign.key, case=case)
    subject = get_object_or_404(
        TestCase.objects.of(campaign.suite).select_related("language", "functionality", "suite", "target"), key=case
    )
    try:
        made = adjudicate(
            campaign,
            subject,
            decision=request.POST.get("decision", ""),
            reason=request.POST.get("reason", ""),
            new_text=request.POST.get("new_text", ""),
            by=request.user,
        )
    except BadInput as error:
        return _dispute_page(request, campaign, case, refused=str(error))
    messages.success(
        request,
        _("Decision on case %(case)s saved: %(decision)s.", case=subject.key, decision=Decision(made.decision).label),
    )
    following = request.POST.get("following", "")
    if following and following != case:
        return redirect("annotation:campaign-dispute", key=campaign.key, case=following)
    return redirect("annotation:campaign-disputes", key=campaign.key)


def _item(campaign: Campaign, case: str) -> CampaignItem:
    items = CampaignItem.objects.filter(campaign=campaign, role=Role.LABEL)
    rows = with_votes(campaign, items).select_related(
        "case__functionality", "case__language", "case__target", "case__template"
    )
    return get_object_or_404(rows, case__key=case)
