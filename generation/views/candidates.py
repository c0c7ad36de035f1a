"""Candidates: a table, one by one with keys, and many by rule."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from curation.views.templates_shared import address_of, page_of, texts_are_covered
from generation.models import Candidate, GenerationRun
from generation.models.candidates import CandidateQuerySet, CandidateState
from generation.permissions import can_decide, can_start
from generation.services.deciding import (
    Rule,
    accept_candidate,
    decide_by_rule,
    edit_candidate,
    reconsider_candidate,
    reject_candidate,
)
from generation.services.validating import verdict_of
from generation.views.shared import expert_of, find_run, threshold_of

VERDICTS = [("", "Any verdict"), ("passed", "Passes"), ("failed", "Does not pass"), ("undecided", "Not checked")]
FINDINGS = [("", "Any finding"), ("clean", "Nothing found"), ("found", "Something found")]
SORTS = {"number": "number", "text": "text", "target": "target__name", "state": "state"}


class CandidateFilterForm(forms.Form):
    q = forms.CharField(label="Search", required=False, widget=forms.TextInput(attrs={"type": "search"}))
    state = forms.ChoiceField(label="State", required=False, choices=[("", "Any state"), *CandidateState.choices])
    finding = forms.ChoiceField(label="Screening", required=False, choices=FINDINGS)
    verdict = forms.ChoiceField(label="Verdict", required=False, choices=VERDICTS)
    group = forms.CharField(required=False, widget=forms.HiddenInput)
    threshold = forms.FloatField(
        label="Threshold",
        required=False,
        min_value=0,
        max_value=1,
        widget=forms.NumberInput(attrs={"step": "0.05", "class": "input--short"}),
    )


@login_required
@require_safe
def candidates_page(request: HttpRequest, key: str) -> HttpResponse:
    expert_of(request)
    run = find_run(request, key)
    threshold = threshold_of(request, run.threshold)
    form = CandidateFilterForm(request.GET.dict() | {"threshold": f"{threshold:g}"})
    asked = form.cleaned_data if form.is_valid() else {}
    rows = _matching(run, asked, threshold).select_related("target", "case").order_by(*_order(request))
    page = page_of(request, rows)
    for candidate in page.object_list:
        candidate.verdict = verdict_of(candidate.checks, run.functionality.key, threshold=threshold)
    counted = GenerationRun.objects.filter(pk=run.pk).with_candidate_counts().get()
    context = {
        "run": run,
        "form": form,
        "page": page,
        "threshold": threshold,
        "counted": counted,
        "rules": Rule.choices,
        "is_narrowed": any(value for name, value in asked.items() if name != "threshold"),
        "can_decide": can_decide(request.user, run),
        "covered": texts_are_covered(request),
        "new_campaign": address_of("annotation:campaign_new") if can_start(request.user) else "",
    }
    return render(request, "generation/candidates.html", context)


def _order(request: HttpRequest) -> tuple[str, str]:
    sort = request.GET.get("sort", "number")
    return ("-" if sort.startswith("-") else "") + SORTS.get(sort.removeprefix("-"), "number"), "number"


def _matching(run: GenerationRun, asked: dict[str, object], threshold: float) -> CandidateQuerySet:
    rows: CandidateQuerySet = run.candidates.all()
    if state := asked.get("state"):
        rows = rows.filter(state=state)
    for word in str(asked.get("q") or "").split()[:8]:
        rows = rows.filter(text__icontains=word)
    if group := asked.get("group"):
        rows = rows.filter(target__name=group)
    if finding := asked.get("finding"):
        rows = rows.filter(findings=[]) if finding == "clean" else rows.exclude(findings=[])
    if wanted := asked.get("verdict"):
        # Verdicts are computed from kept scores, so that any threshold works; a run has at most some thousands.
        outcome = {"passed": True, "failed": False, "undecided": None}[str(wanted)]
        fitting = [
            pk
            for pk, checks in rows.values_list("pk", "checks")
            if verdict_of(checks, run.functionality.key, threshold=threshold).passed is outcome
        ]
        rows = rows.filter(pk__in=fitting)
    return rows


@login_required
@require_safe
def next_page(request: HttpRequest, key: str) -> HttpResponse:
    """The first candidate nobody has decided about, after the one the address names."""
    expert_of(request)
    run = find_run(request, key)
    return redirect(_next(run, _number(request.GET.get("after", ""))))


@login_required
@require_safe
def candidate_page(request: HttpRequest, key: str, number: int) -> HttpResponse:
    expert_of(request)
    run = find_run(request, key)
    candidate = _candidate(run, number)
    others = run.candidates.order_by("number")
    verdict = verdict_of(candidate.checks, run.functionality.key, threshold=run.threshold)
    context = {
        "run": run,
        "candidate": candidate,
        "verdict": verdict,
        "scores": [(test, score, verdict.answers.get(test)) for test, score in sorted(candidate.scores.items())],
        "rule_tests": sorted(candidate.checks.get("rule_tests", {}).items()),
        "before": others.filter(number__lt=number).last(),
        "after": others.filter(number__gt=number).first(),
        "left": run.candidates.proposed().count(),
        "decided": run.candidates.exclude(state=CandidateState.PROPOSED).count(),
        "can_decide": can_decide(request.user, run),
        "covered": texts_are_covered(request),
    }
    return render(request, "generation/candidate.html", context)


@login_required
@require_POST
def decide(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """Accept, reject, edit or reconsider one candidate, then go to the next one."""
    by = expert_of(request)
    run = find_run(request, key)
    candidate = _candidate(run, number)
    decision = request.POST.get("decision", "")
    if decision == "accept":
        case = accept_candidate(candidate, by=by)
        messages.success(request, f"Accepted as case {case.key}.")
    elif decision == "reject":
        reject_candidate(candidate, by=by, reason=request.POST.get("reason", ""))
        messages.success(request, "Rejected.")
    elif decision == "edit":
        edit_candidate(candidate, by=by, text=request.POST.get("text", ""))
        messages.success(request, "Changed. What the model wrote is kept.")
        return redirect(candidate)
    elif decision == "reconsider":
        reconsider_candidate(candidate, by=by)
        return redirect(candidate)
    else:
        messages.error(request, "Accept it, reject it or edit it.")
        return redirect(candidate)
    return redirect(_next(run, number))


@login_required
@require_POST
def decide_many(request: HttpRequest, key: str) -> HttpResponse:
    by = expert_of(request)
    run = find_run(request, key)
    try:
        threshold = float(request.POST.get("threshold", ""))
    except ValueError:
        threshold = run.threshold
    report = decide_by_rule(run, request.POST.get("rule", ""), by=by, threshold=threshold)
    skipped = f" {len(report.skipped)} were left: {report.skipped[0][1]}" if report.skipped else ""
    messages.success(request, f"{report.accepted} accepted, {report.rejected} rejected.{skipped}")
    return redirect("generation:candidates", run.key)


def _next(run: GenerationRun, after: int) -> str:
    proposed = run.candidates.proposed().order_by("number")
    following = proposed.filter(number__gt=after).first() or proposed.first()
    if following is not None:
        return reverse("generation:candidate", args=[run.key, following.number])
    return reverse("generation:candidates", args=[run.key])


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 10 else 0


def _candidate(run: GenerationRun, number: int) -> Candidate:
    return get_object_or_404(run.candidates.for_deciding(), number=number)
