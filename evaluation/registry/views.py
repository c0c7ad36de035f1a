"""Models under test: the list, registering one, its page with a box to try it."""

from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Count, Max, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from accounts.errors import DomainError
from accounts.models import User
from core.models import Job
from core.permissions import can_evaluate, can_maintain, require_evaluator
from core.text import _, recall
from core.web import address_to_return_to
from evaluation.artefacts.views import step_on
from evaluation.models import DetectionModel, EvaluationRun, ModelVersion
from evaluation.permissions import can_work_on, require_work_on
from evaluation.registry import trying
from evaluation.registry.forms import ChangeModelForm, RegisterForm, RunForm, find_published, published
from evaluation.registry.preset_views import initial_of
from evaluation.registry.services import change_model
from evaluation.registry.starring import star_model
from evaluation.results.history import history_of
from evaluation.runners.asking import MILD_TEXT
from evaluation.runners.loading import runner_kinds
from evaluation.runs import services as running
from evaluation.runs.costing import estimate_run
from evaluation.runs.models import RunState
from evaluation.runs.options import RunOptions

SORTS = {"name": "name", "runs": "runs", "created": "created_at"}


@require_safe
def models_page(request: HttpRequest) -> HttpResponse:
    """Every model the person may see; search and sorting by query string."""
    q, sort = request.GET.get("q", "").strip(), request.GET.get("sort", "")
    runs = Count("versions__runs", filter=Q(versions__runs__state=RunState.DONE), distinct=True)
    found = DetectionModel.objects.visible_to(request.user).annotate(
        runs=runs, newest=Max("versions__number"), last_run=Max("versions__runs__finished_at")
    )
    hidden = found.filter(archived_at__isnull=False).count()
    is_archive = "archived" in request.GET
    found = found.filter(archived_at__isnull=not is_archive)
    if q:
        found = found.filter(Q(name__icontains=q) | Q(description__icontains=q))
    column = SORTS.get(sort.removeprefix("-"), "name")
    found = found.order_by("-is_starred", f"-{column}" if sort.startswith("-") else column, "pk")
    context = {
        "page": Paginator(found, 50).get_page(request.GET.get("page")),
        "q": q,
        "hidden": hidden,
        "is_archive": is_archive,
        "may_maintain": can_maintain(request.user),
        "may_evaluate": can_evaluate(request.user),
    }
    return render(request, "evaluation/models.html", context)


@login_required
def model_new(request: HttpRequest) -> HttpResponse:
    """The form; a worker checks the model before it is remembered."""
    require_evaluator(request.user)
    preset = initial_of(request.GET.get("preset", ""))
    form = RegisterForm(request.POST or None, user=request.user, initial=preset)
    if request.method == "POST" and form.is_valid():
        try:
            job = trying.request_registration(form.chosen, by=cast(User, request.user))
        except DomainError as error:
            form.add_error("spec", str(error))
        else:
            messages.success(request, _("A worker loads the model and asks it about a few mild texts."))
            return redirect(job)
    context = {"form": form, "examples": [example for runner in runner_kinds().values() for example in runner.examples]}
    return render(request, "evaluation/model_new.html", context, status=422 if form.errors else 200)


def model_page(request: HttpRequest, key: str) -> HttpResponse:
    """Versions, results and, for maintainers and whoever registered it, changing, trying and running it."""
    model = get_object_or_404(DetectionModel.objects.visible_to(request.user), key=key)
    may_work = can_work_on(request.user, model)
    form = ChangeModelForm.of(model, request.POST or None) if may_work else None
    if request.method == "POST":
        require_work_on(request.user, model)
        if form is not None and form.is_valid():
            change_model(model, form.chosen, by=cast(User, request.user))
            messages.success(request, _("Saved."))
            return redirect(model)
    status = 422 if form is not None and form.errors else 200
    runs = EvaluationRun.objects.visible_to(request.user).filter(model_version__model=model)
    is_archive = "archived" in request.GET
    hidden = runs.filter(archived_at__isnull=False).count()
    runs = runs.filter(archived_at__isnull=not is_archive)
    context = {
        "model": model,
        "versions": list(model.versions.all()[:20]) if may_work else [],
        "history": history_of(runs),
        "unfinished": runs.exclude(state=RunState.DONE).select_related("release__suite", "model_version")[:20],
        "hidden": hidden,
        "is_archive": is_archive,
        "form": form,
        "mild_text": MILD_TEXT,
        "run_form": (
            RunForm(user=request.user)
            if may_work and not model.archived_at and published(request.user).exists()
            else None
        ),
        "may_maintain": can_maintain(request.user),
        "may_work": may_work,
    }
    return render(request, "evaluation/model.html", context, status=status)


@login_required
@require_POST
def model_star(request: HttpRequest, key: str) -> HttpResponse:
    """Give or take the star; back to where the button stands."""
    model = get_object_or_404(DetectionModel.objects.visible_to(request.user), key=key)
    star_model(model, is_starred=request.POST.get("is_starred") == "yes", by=cast(User, request.user))
    return redirect(address_to_return_to(request, otherwise=model.get_absolute_url()))


@login_required
@require_POST
def model_run(request: HttpRequest, key: str) -> HttpResponse:
    """Run the newest version on the chosen release."""
    version = _newest(request, key)
    form = RunForm(request.POST, user=request.user)

    def act(chosen: RunOptions) -> EvaluationRun:
        release = find_published(chosen.release, request.user)
        return running.request_run(release, version, by=cast(User, request.user), languages=chosen.languages)

    return step_on(request, version.model, form, act)


@login_required
@require_safe
def model_estimate(request: HttpRequest, key: str) -> HttpResponse:
    """What a run would cost, into the page."""
    version = _newest(request, key)
    release = find_published(request.GET.get("release", ""), request.user)
    context: dict[str, Any]
    try:
        context = {"estimate": estimate_run(release, version), "what": release.key}
    except DomainError as error:
        context = {"problem": str(error)}
    return render(request, "evaluation/model_estimate.html", context)


@login_required
@require_POST
def model_try(request: HttpRequest, key: str) -> HttpResponse:
    """Ask a worker; the answer comes into the same place of the page."""
    version = _newest(request, key)
    job = trying.request_try(version, request.POST.get("texts", "").splitlines(), by=cast(User, request.user))
    return render(request, "evaluation/model_tried.html", {"model": version.model, "job": job})


@login_required
@require_safe
def model_tried(request: HttpRequest, key: str, job: str) -> HttpResponse:
    """What came of it; asks again while it is not finished."""
    model = get_object_or_404(DetectionModel.objects.visible_to(request.user), key=key)
    found = get_object_or_404(Job.objects.visible_to(request.user), key=job, kind=trying.TRY)
    answers = (recall(found.result) or {}).get("answers", [])
    return render(request, "evaluation/model_tried.html", {"model": model, "job": found, "answers": answers})


def _newest(request: HttpRequest, key: str) -> ModelVersion:
    require_evaluator(request.user)
    model = get_object_or_404(DetectionModel.objects.visible_to(request.user), key=key)
    require_work_on(request.user, model)
    return get_object_or_404(model.versions.select_related("model").order_by("-number")[:1])
