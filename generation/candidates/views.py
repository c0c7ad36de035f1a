"""Candidates: a table, one by one with keys, and many by rule."""

from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from core.errors import BadInput
from core.text import _, ngettext
from core.web import address_of, csv_download, page_of, texts_are_covered
from generation.candidates.deciding import (
    REASONS,
    Rule,
    count_by_rule,
    decide,
    decide_by_rule,
    request_decisions,
)
from generation.candidates.listing import candidates_as_table
from generation.candidates.models import CandidateQuerySet, CandidateState
from generation.checks.algorithm.checking import Verdict
from generation.checks.algorithm.rule_sets import HypothesisTest
from generation.checks.algorithm.rule_tests import RULE_TEST_TITLES
from generation.checks.algorithm.screening import CHECKS
from generation.checks.validating import set_thresholds, tests_of, verdict_of
from generation.checks.versions import rule_set_named
from generation.models import Candidate, GenerationRun
from generation.pages import expert_of, find_run, threshold_of
from generation.permissions import can_decide, can_start
from generation.runs.groups import name_in_hypotheses

VERDICTS = [
    ("", _("Any verdict")),
    ("passed", _("Passes")),
    ("failed", _("Does not pass")),
    ("undecided", _("Not checked")),
]
FINDINGS = [("", _("Any result")), ("clean", _("No findings")), ("found", _("With findings"))]
SORTS = {"number": "number", "text": "text", "target": "target__name", "state": "state"}


class CandidateFilterForm(forms.Form):
    q = forms.CharField(label=_("Search"), required=False, widget=forms.TextInput(attrs={"type": "search"}))
    state = forms.ChoiceField(label=_("State"), required=False, choices=[("", _("Any state")), *CandidateState.choices])
    finding = forms.ChoiceField(label=_("Screening"), required=False, choices=FINDINGS)
    verdict = forms.ChoiceField(label=_("Verdict"), required=False, choices=VERDICTS)
    group = forms.CharField(required=False, widget=forms.HiddenInput)
    threshold = forms.FloatField(
        label=_("Threshold"),
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
    form, asked = _filters(request, threshold)
    rows = _matching(run, asked, threshold).select_related("target", "case").order_by(*_order(request))
    page = page_of(request, rows)
    for candidate in page.object_list:
        candidate.verdict = verdict_of(candidate.checks, run, threshold=threshold)
        candidate.screening = [(CHECKS.get(item["check"], item["check"]), item["problem"]) for item in candidate.found]
    by_rule = count_by_rule(run, threshold=threshold) if can_decide(request.user, run) else {}
    counted = GenerationRun.objects.filter(pk=run.pk).with_candidate_counts().get()
    context = {
        "run": run,
        "form": form,
        "page": page,
        "threshold": threshold,
        "query": _query(run, threshold),
        "counted": counted,
        "rules": [(value, title, by_rule.get(value, 0)) for value, title in Rule.choices],
        "is_narrowed": any(value for name, value in asked.items() if name != "threshold"),
        "can_decide": can_decide(request.user, run),
        "own_thresholds": _own_thresholds(run),
        "covered": texts_are_covered(request),
        "campaigns": _campaigns(run) if getattr(counted, "accepted_count", 0) and can_start(request.user) else {},
    }
    return render(request, "generation/candidates.html", context)


def _campaigns(run: GenerationRun) -> dict[str, str]:
    """Return addresses of new campaigns: of any question, and of the two questions of GPT-HateCheck.

    They choose what language models wrote for the functionality and what has no label yet.
    """
    if not (address := address_of("annotation:campaign-new")):
        return {}
    names = {"suite": run.suite.name[:60], "functionality": run.functionality.title[:80]}
    place = {"suite": run.suite.key, "language": run.language.code, "functionalities": run.functionality.key}
    place |= {"origins": "llm", "only_unlabelled": "1"}
    # Titles are suggested in the reader's language; the reader may change them.
    titles = {
        "scale": _("%(suite)s, %(functionality)s, hatefulness", **names),
        "consistency": _("%(suite)s, %(functionality)s, fit", **names),
    }
    found = {"any": f"{address}?{urlencode(place)}"}
    for question, title in titles.items():
        query = place | {"question": question, "raters": "3", "threshold": "2", "title": str(title)}
        found[question] = f"{address}?{urlencode(query)}"
    return found


def _own_thresholds(run: GenerationRun) -> list[tuple[str, str, float | None]]:
    """Return test, hypothesis, and its own threshold, if it has one."""
    wordings = ((test.key, _wording(test, run.language.code, "the group")) for test in tests_of(run))
    return [(key, wording, run.thresholds.get(key)) for key, wording in wordings]


@login_required
@require_POST
def change_thresholds(request: HttpRequest, key: str) -> HttpResponse:
    """Keep one threshold for all hypotheses of a run, and others for single ones; empty fields have none."""
    by = expert_of(request)
    run = find_run(request, key)
    asked = {test.key: request.POST.get(f"own-{test.key}", "").strip() for test in tests_of(run)}
    try:
        threshold = float(request.POST.get("threshold") or run.threshold)
        own = {test: float(value) for test, value in asked.items() if value}
    except ValueError as error:
        raise BadInput(_("A threshold is a number between 0 and 1, for example 0.5.")) from error
    set_thresholds(run, threshold=threshold, thresholds=own, by=by)
    messages.success(request, _("Thresholds saved. No model was run."))
    return redirect("generation:candidates", run.key)


@login_required
@require_safe
def candidates_csv(request: HttpRequest, key: str) -> StreamingHttpResponse:
    """Download the candidates the filters leave, one per row, with findings, scores and origin."""
    expert_of(request)
    run = find_run(request, key)
    threshold = threshold_of(request, run.threshold)
    asked = _filters(request, threshold)[1]
    rows = _matching(run, asked, threshold).select_related("target", "case", "request").order_by(*_order(request))
    header, cells = candidates_as_table(run, rows, threshold=threshold)
    return csv_download(f"{run.key}-candidates", header, cells)


def _filters(request: HttpRequest, threshold: float) -> tuple[CandidateFilterForm, dict[str, object]]:
    """Return the form with what was asked for, if that makes sense."""
    form = CandidateFilterForm(request.GET.dict() | {"threshold": f"{threshold:g}"})
    return form, form.cleaned_data if form.is_valid() else {}


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
            if verdict_of(checks, run, threshold=threshold).passed is outcome
        ]
        rows = rows.filter(pk__in=fitting)
    return rows


@login_required
@require_safe
def next_page(request: HttpRequest, key: str) -> HttpResponse:
    """Go to the first undecided candidate after the one the address names."""
    expert_of(request)
    run = find_run(request, key)
    return redirect(_next(run, _number(request.GET.get("after", "")), threshold_of(request, run.threshold)))


@login_required
@require_safe
def candidate_page(request: HttpRequest, key: str, number: int) -> HttpResponse:
    expert_of(request)
    run = find_run(request, key)
    candidate = _candidate(run, number)
    others = run.candidates.order_by("number")
    threshold = threshold_of(request, run.threshold)
    verdict = verdict_of(candidate.checks, run, threshold=threshold)
    context = {
        "threshold": threshold,
        "query": _query(run, threshold),
        "run": run,
        "candidate": candidate,
        "verdict": verdict,
        "scores": _scores(candidate, verdict, threshold),
        "rule_tests": [
            (RULE_TEST_TITLES.get(test, test), holds)
            for test, holds in sorted(candidate.checks.get("rule_tests", {}).items())
        ],
        "reasons": REASONS,
        "before": others.filter(number__lt=number).last(),
        "after": others.filter(number__gt=number).first(),
        "left": run.candidates.proposed().count(),
        "decided": run.candidates.exclude(state=CandidateState.PROPOSED).count(),
        "can_decide": can_decide(request.user, run),
        "covered": texts_are_covered(request),
    }
    return render(request, "generation/candidate.html", context)


def _scores(
    candidate: Candidate, verdict: Verdict, threshold: float
) -> list[tuple[str, str, float | None, float, bool | None]]:
    """Return test, hypothesis, score, threshold, and whether the hypothesis holds."""
    run = candidate.run
    asked = rule_set_named(candidate.checks.get("rule_set", run.rule_set)).hypothesis_tests
    group = name_in_hypotheses(candidate.target)
    return [
        (
            test,
            _wording(asked.get(test), run.language.code, group),
            score,
            run.thresholds.get(test, threshold),
            verdict.answers.get(test),
        )
        for test, score in sorted(candidate.scores.items())
    ]


def _wording(test: HypothesisTest | None, language: str, group: str) -> str:
    return test.wording(language).replace("{group}", group) if test else ""


@login_required
@require_POST
def decide_one(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """Accept, reject, edit or reconsider one candidate, then go to the next one."""
    by = expert_of(request)
    run = find_run(request, key)
    candidate = _candidate(run, number)
    threshold = threshold_of(request, run.threshold)
    decision = request.POST.get("decision", "")
    texts = {name: request.POST.get(name, "") for name in ("reason", "text")}
    decide(candidate, decision, by=by, **texts)
    if decision in ("edit", "reconsider"):
        if decision == "edit":
            messages.success(request, _("Text changed. The original of the model is kept."))
        return redirect(candidate.get_absolute_url() + _query(run, threshold))
    if candidate.case:
        messages.success(request, _("Candidate accepted as case %(case)s.", case=candidate.case.key))
    else:
        messages.success(request, _("Candidate rejected."))
    return redirect(_next(run, number, threshold))


@login_required
@require_POST
def decide_many(request: HttpRequest, key: str) -> HttpResponse:
    by = expert_of(request)
    run = find_run(request, key)
    try:
        threshold = float(request.POST.get("threshold") or run.threshold)
    except ValueError as error:
        raise BadInput(_("A threshold is a number between 0 and 1, for example 0.5.")) from error
    rule = request.POST.get("rule", "")
    if job := request_decisions(run, rule, by=by, threshold=threshold):
        messages.success(request, _("The rule is being applied in the background. You can leave this page."))
        return redirect(job)
    report = decide_by_rule(run, rule, by=by, threshold=threshold)
    messages.success(
        request,
        _("Accepted: %(accepted)s. Rejected: %(rejected)s.", accepted=report.accepted, rejected=report.rejected),
    )
    if report.skipped:
        messages.warning(
            request,
            ngettext(
                "%(count)s candidate could not be decided. %(reason)s",
                "%(count)s candidates could not be decided. The first: %(reason)s",
                len(report.skipped),
                reason=report.skipped[0][1],
            ),
        )
    return redirect(reverse("generation:candidates", args=[run.key]) + _query(run, threshold))


def _query(run: GenerationRun, threshold: float) -> str:
    """Return the part of an address that keeps a threshold other than the run's."""
    return "" if threshold == run.threshold else f"?threshold={threshold:g}"


def _next(run: GenerationRun, after: int, threshold: float) -> str:
    proposed = run.candidates.proposed().order_by("number")
    following = proposed.filter(number__gt=after).first() or proposed.first()
    if following is not None:
        return reverse("generation:candidate", args=[run.key, following.number]) + _query(run, threshold)
    return reverse("generation:candidates", args=[run.key]) + _query(run, threshold)


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 10 else 0


def _candidate(run: GenerationRun, number: int) -> Candidate:
    return get_object_or_404(run.candidates.for_deciding(), number=number)
