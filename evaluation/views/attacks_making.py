"""Steps on attacks: build one, put a model under it, hand in answers, make it a suite."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from curation.errors import DomainError
from evaluation.models import Attack, Dataset
from evaluation.services.attack_scores import request_score, score_upload
from evaluation.services.attacking import as_suite, request_attack
from evaluation.views.attacks_forms import AnswersForm, AttackForm, ModelForm, SuiteForm
from evaluation.views.people import maintainer_of


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_attack(request: HttpRequest) -> HttpResponse:
    """Choose the data, then the recipe."""
    by = maintainer_of(request)
    datasets = Dataset.objects.visible_to(by).order_by("title")
    chosen = request.GET.get("dataset", "")
    if not chosen:
        usable = [dataset for dataset in datasets if {"train", "test"} <= set(dataset.counts)]
        return render(
            request, "evaluation/attacks/choose.html", {"datasets": usable, "others": len(datasets) - len(usable)}
        )
    dataset = get_object_or_404(datasets, key=chosen)
    form = AttackForm(dataset, request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        try:
            attack = request_attack(dataset, by=by, **form.choices())
        except DomainError as error:
            form.add_error(None, str(error))
        else:
            return redirect(attack)
    status = 422 if form.errors else 200
    return render(request, "evaluation/attacks/new.html", {"form": form, "dataset": dataset}, status=status)


@login_required
@require_POST
def attack_model(request: HttpRequest, key: str) -> HttpResponse:
    """Put a registered model under the attack."""
    by, attack = maintainer_of(request), _attack(request, key)
    form = ModelForm(request.POST)
    if not form.is_valid():
        return _said(request, attack, form)
    score = request_score(attack, form.cleaned_data["version"], by=by)
    messages.success(request, f"{score.name} {'has its scores already' if score.values else 'is being asked'}.")
    return redirect(attack)


@login_required
@require_POST
def upload_answers(request: HttpRequest, key: str) -> HttpResponse:
    """Score a model that answered elsewhere."""
    by, attack = maintainer_of(request), _attack(request, key)
    form = AnswersForm(request.POST, request.FILES)
    if not form.is_valid():
        return _said(request, attack, form)
    try:
        values = form.cleaned_data
        score = score_upload(attack, values["answers"], name=values["name"], by=by, replace=values["replace"])
    except DomainError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, f"{score.name} is scored.")
    return redirect(attack)


@login_required
@require_POST
def make_suite(request: HttpRequest, key: str) -> HttpResponse:
    """Make the attack a suite of its own, ready for annotators."""
    by, attack = maintainer_of(request), _attack(request, key)
    form = SuiteForm(request.POST)
    if not form.is_valid():
        return _said(request, attack, form)
    try:
        suite = as_suite(attack, by=by, **form.cleaned_data)
    except DomainError as error:
        messages.error(request, str(error))
        return redirect(attack)
    messages.success(request, f"“{suite}” is ready: start a campaign to have its labels checked.")
    return redirect(suite)


def _attack(request: HttpRequest, key: str) -> Attack:
    return get_object_or_404(Attack.objects.visible_to(request.user).select_related("dataset"), key=key)


def _said(request: HttpRequest, attack: Attack, form: ModelForm | AnswersForm | SuiteForm) -> HttpResponse:
    for field, errors in form.errors.items():
        messages.error(request, f"{form.fields[field].label or field.capitalize()}: {' '.join(map(str, errors))}")
    return redirect(attack)
