"""Runs: the list, one run while it goes and after, and stopping it and letting it go on."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from core.errors import BadInput
from core.web import page_of
from curation.models import Language, Suite
from generation.checks.validating import request_check
from generation.models import GenerationRun, ProviderRequest
from generation.pages import expert_of, find_run
from generation.permissions import can_start
from generation.runs.models import RunState
from generation.runs.services import cancel_run, resume_run

SORTS = {"created": "created_at", "functionality": "functionality__position", "model": "model", "state": "state"}


class RunFilterForm(forms.Form):
    q = forms.CharField(label="Search", required=False, widget=forms.TextInput(attrs={"type": "search"}))
    suite = forms.ChoiceField(label="Suite", required=False)
    language = forms.ChoiceField(label="Language", required=False)
    state = forms.ChoiceField(label="State", required=False, choices=[("", "Any state"), *RunState.choices])

    def __init__(self, data: object) -> None:
        super().__init__(data)  # type: ignore[arg-type]
        suites = Suite.objects.filter(generation_runs__isnull=False).distinct().values_list("key", "name")
        languages = Language.objects.filter(pk__in=GenerationRun.objects.values("language"))
        self.fields["suite"].choices = [("", "Any suite"), *suites]  # type: ignore[attr-defined]
        self.fields["language"].choices = [  # type: ignore[attr-defined]
            ("", "Any language"),
            *languages.values_list("code", "name"),
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
        .select_related("suite", "language", "functionality", "job")
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
    """The live part of a run's page."""
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
        "targets": list(run.targets.all()),
        "counted": GenerationRun.objects.filter(pk=run.pk).with_candidate_counts().get(),
        "spent": requests.spent(),
        "paid": requests.count(),
        "can_start": can_start(request.user),
    }


@login_required
@require_POST
def cancel(request: HttpRequest, key: str) -> HttpResponse:
    run = find_run(request, key)
    cancel_run(run, by=expert_of(request))
    messages.success(request, "It stops. Answers that are on their way are still kept.")
    return redirect(run)


@login_required
@require_POST
def resume(request: HttpRequest, key: str) -> HttpResponse:
    run = find_run(request, key)
    resume_run(run, by=expert_of(request))
    messages.success(request, "It goes on. Nothing that was answered is asked again.")
    return redirect(run)


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
