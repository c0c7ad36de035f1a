"""Runs and plans: the list, one of them live, and how to cancel and resume it."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from core.errors import BadInput
from core.text import _, catalogue_name, catalogue_names, ngettext
from core.web import page_of
from curation.models import Language, Suite
from generation.checks.validating import request_check
from generation.checks.views import StudyForm, pass_rate_context
from generation.models import GenerationPlan, GenerationRun, ProviderRequest
from generation.pages import expert_of, find_run, threshold_of
from generation.permissions import can_start
from generation.runs.models import RunState
from generation.runs.services import cancel_run, resume_run
from ui.numbers import format_number

SORTS = {"created": "created_at", "functionality": "functionality__position", "model": "model", "state": "state"}


class RunFilterForm(forms.Form):
    q = forms.CharField(label=_("Search"), required=False, widget=forms.TextInput(attrs={"type": "search"}))
    suite = forms.ChoiceField(label=_("Suite"), required=False)
    language = forms.ChoiceField(label=_("Language"), required=False)
    state = forms.ChoiceField(label=_("State"), required=False, choices=[("", _("Any state")), *RunState.choices])

    def __init__(self, data: object) -> None:
        super().__init__(data)  # type: ignore[arg-type]
        suites = Suite.objects.filter(generation_runs__isnull=False).distinct().values_list("key", "name")
        languages = Language.objects.filter(pk__in=GenerationRun.objects.values("language"))
        self.fields["suite"].choices = [("", _("Any suite")), *suites]  # type: ignore[attr-defined]
        self.fields["language"].choices = [  # type: ignore[attr-defined]
            ("", _("Any language")),
            *catalogue_names(languages.values_list("code", "name")).items(),
        ]


@login_required
@require_safe
def runs_page(request: HttpRequest) -> HttpResponse:
    expert_of(request)
    form = RunFilterForm(request.GET)
    asked = form.cleaned_data if form.is_valid() else {}
    sort = request.GET.get("sort", "-created")
    order = ("-" if sort.startswith("-") else "") + SORTS.get(sort.removeprefix("-"), "created_at")
    runs = (
        GenerationRun.objects.visible_to(request.user)
        .matching(**asked)
        .with_names()
        .prefetch_related("targets")
        .with_candidate_counts()
        .order_by(order, "-pk")
    )
    context = {
        "form": form,
        "page": page_of(request, runs),
        "is_narrowed": any(asked.values()),
        "can_start": can_start(request.user),
    }
    return render(request, "generation/runs.html", context)


@login_required
@require_safe
def run_page(request: HttpRequest, key: str) -> HttpResponse:
    expert_of(request)
    return render(request, "generation/run.html", _context(request, key))


@login_required
@require_safe
def run_progress(request: HttpRequest, key: str) -> HttpResponse:
    """Show the live part of a run's page."""
    expert_of(request)
    context = _context(request, key)
    response = render(request, "generation/run_progress.html", context)
    if not context["run"].is_under_way:
        # What can be done now stands outside the live part.
        response["HX-Refresh"] = "true"
    return response


def _context(request: HttpRequest, key: str) -> dict[str, Any]:
    run = find_run(request, key)
    requests = ProviderRequest.objects.paid_by(run.key)
    return {
        "run": run,
        "about": [run.suite.name, catalogue_name(run.language.name), *(target.name for target in run.targets.all())],
        "counted": GenerationRun.objects.filter(pk=run.pk).with_candidate_counts().get(),
        "spent": requests.spent(),
        "paid": requests.count(),
        "can_start": can_start(request.user),
        "study": StudyForm(),
    }


@login_required
@require_safe
def plan_page(request: HttpRequest, key: str) -> HttpResponse:
    """Show the runs of a plan, live while they are performed, and one table of pass rates."""
    expert_of(request)
    plan = get_object_or_404(GenerationPlan.objects.visible_to(request.user).select_related("suite"), key=key)
    runs = list(plan.runs.with_names().prefetch_related("targets").with_candidate_counts().in_order())
    paid = ProviderRequest.objects.paid_by(*(run.key for run in runs))
    context = {
        "plan": plan,
        "about": _about(runs),
        "runs": runs,
        "run": runs[0],
        "done": sum(run.state == RunState.DONE for run in runs),
        "waiting": sum(getattr(run, "proposed_count", 0) for run in runs),
        "accepted": sum(getattr(run, "accepted_count", 0) for run in runs),
        "spent": paid.spent(),
        "paid": paid.count(),
        "can_start": can_start(request.user),
        "study": StudyForm(),
    } | pass_rate_context(runs, threshold_of(request, runs[0].threshold))
    part = request.headers.get("HX-Request") == "true"
    response = render(request, "generation/plan_progress.html" if part else "generation/plan.html", context)
    if part and not runs[0].is_under_way:
        response["HX-Refresh"] = "true"
    return response


def _about(runs: list[GenerationRun]) -> list[str]:
    """Return what the runs of a plan have in common."""
    first = runs[0]
    about: list[str] = [
        ngettext("%(count)s run by %(model)s", "%(count)s runs by %(model)s", len(runs), model=first.model),
        ngettext("%(count)s message per group", "%(count)s messages per group", first.wanted),
    ]
    if (budget := first.server.get("budget")) is not None:
        about.append(_("budget of %(budget)s for all runs", budget=format_number(budget, 2)))
    return about


@login_required
@require_POST
def cancel(request: HttpRequest, key: str) -> HttpResponse:
    """Cancel a run with all runs of its plan."""
    run = find_run(request, key)
    cancel_run(run, by=expert_of(request))
    messages.success(request, _("Stopping. Answers that are still on their way will be kept."))
    return redirect(run.plan or run)


@login_required
@require_POST
def resume(request: HttpRequest, key: str) -> HttpResponse:
    """Resume a run with all runs of its plan."""
    run = find_run(request, key)
    resume_run(run, by=expert_of(request))
    messages.success(request, _("Resumed. Answers so far are reused."))
    return redirect(run.plan or run)


@login_required
@require_POST
def check(request: HttpRequest, key: str) -> HttpResponse:
    """Check the candidates of a finished run with an inference model."""
    by = expert_of(request)
    run = find_run(request, key)
    try:
        job = request_check(run, model=request.POST.get("model", ""), by=by)
    except BadInput as error:
        messages.error(request, str(error))
        return redirect(run)
    return redirect(job)
