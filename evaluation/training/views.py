"""Pages of training: a baseline, material from a run, inoculation, and the check for leaked cases."""

from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from accounts.errors import DomainError
from accounts.models import User
from core.permissions import require_maintainer
from core.text import _
from evaluation.artefacts.views import step_on
from evaluation.models import Dataset, EvaluationRun
from evaluation.training.feedback import request_check, request_inoculation, store_material
from evaluation.training.forms import ContaminationForm, InoculationForm, MaterialForm, TrainingForm
from evaluation.training.services import request_training


@login_required
@require_POST
def run_material(request: HttpRequest, key: str) -> HttpResponse:
    """Make training material from what a run fails on."""
    require_maintainer(request.user)
    by = cast(User, request.user)
    run = get_object_or_404(EvaluationRun.objects.visible_to(by).select_related("release__suite", "report"), key=key)
    return step_on(request, run, MaterialForm(request.POST), lambda chosen: store_material(run, chosen, by=by))


@login_required
@require_POST
def dataset_check(request: HttpRequest, key: str) -> HttpResponse:
    """Look for cases of releases in a data set."""
    by, dataset = cast(User, request.user), get_object_or_404(Dataset.objects.visible_to(request.user), key=key)
    form = ContaminationForm(request.POST)
    return step_on(request, dataset, form, lambda chosen: request_check(dataset, chosen, by=by))


@login_required
@require_POST
def dataset_inoculate(request: HttpRequest, key: str) -> HttpResponse:
    """Train with more and more of the material."""
    by, dataset = cast(User, request.user), get_object_or_404(Dataset.objects.visible_to(request.user), key=key)
    form = InoculationForm(request.POST, user=by, material=dataset)
    return step_on(request, dataset, form, lambda chosen: request_inoculation(dataset, chosen, by=by))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def model_train(request: HttpRequest) -> HttpResponse:
    """The form; a worker trains, and the job leads to the model."""
    require_maintainer(request.user)
    by = cast(User, request.user)
    datasets = Dataset.objects.visible_to(by)
    form = TrainingForm(request.POST or None, user=by)
    if request.method == "POST" and form.is_valid():
        try:
            job = request_training(datasets.get(key=form.chosen.dataset), form.chosen, by=by)
        except DomainError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, _("A worker is training the model. You can leave this page."))
            return redirect(job)
    context = {"form": form, "has_data": datasets.exists()}
    return render(request, "evaluation/model_train.html", context, status=422 if form.errors else 200)
