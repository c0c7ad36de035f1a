"""Labelled data: list, import, one data set."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.errors import BadInput, DomainError
from core.permissions import can_maintain
from core.tables.problems import Problem
from core.text import _
from evaluation.artefacts.views import language_title, listed, maintainer_of, person_of
from evaluation.datasets.files.columns import ROLES
from evaluation.datasets.files.parts import PART_TITLES
from evaluation.datasets.forms import DatasetForm
from evaluation.datasets.services import delete_dataset
from evaluation.datasets.uploads import import_labelled
from evaluation.models import Dataset
from evaluation.training.feedback import results_on
from evaluation.training.forms import ContaminationForm, InoculationForm

SORTS = {"title": "title", "created": "created_at", "owner": "owner__name"}


@login_required
@require_safe
def datasets_page(request: HttpRequest) -> HttpResponse:
    """Data sets the person may see."""
    found = Dataset.objects.visible_to(request.user).select_related("owner")
    found = found.annotate(attack_count=Count("attacks", distinct=True), split_count=Count("splits", distinct=True))
    if words := request.GET.get("q", "").strip():
        found = found.filter(Q(title__icontains=words) | Q(key__icontains=words))
    page = listed(request, found, sorts=SORTS, default="title")
    context = {"page": page, "q": words, "may_maintain": can_maintain(request.user)}
    return render(request, "evaluation/datasets/list.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def import_page(request: HttpRequest) -> HttpResponse:
    """Bring in a file; every bad row is named and then nothing is kept."""
    by = maintainer_of(request)
    form = DatasetForm(request.POST or None, request.FILES or None)
    problems: list[Problem] = []
    if request.method == "POST" and form.is_valid():
        try:
            dataset = import_labelled(form.chosen, by=by)
        except DomainError as error:
            form.add_error(None, str(error))
            problems = [Problem(**one) for one in error.problems[:50]] if isinstance(error, BadInput) else []
        else:
            messages.success(request, _("“%(dataset)s” is imported.", dataset=dataset.title))
            return redirect("evaluation:dataset", dataset.key)
    status = 422 if form.errors else 200
    return render(request, "evaluation/datasets/import.html", {"form": form, "problems": problems}, status=status)


@login_required
@require_safe
def dataset_page(request: HttpRequest, key: str) -> HttpResponse:
    """Counts, how it was read, and what was made of it."""
    dataset = get_object_or_404(Dataset.objects.visible_to(request.user).select_related("owner"), key=key)
    counts = [
        (PART_TITLES[part], [found.get(label, 0) for label in dataset.labels], sum(found.values()))
        for part, found in sorted(dataset.counts.items(), key=lambda one: ("train", "dev", "test", "all").index(one[0]))
    ]
    context: dict[str, Any] = {
        "dataset": dataset,
        "language": language_title(dataset.language),
        "counts": counts,
        "columns": [(ROLES.get(role, role), name) for role, name in dataset.mapping.get("columns", {}).items()],
        "total": sum(total for _, _, total in counts),
        "attacks": dataset.attacks.select_related("job")[:50],
        "splits": dataset.splits.without_rows().select_related("job")[:50],
        "experiments": dataset.experiments.select_related("job")[:50],
        "may_maintain": can_maintain(request.user),
        "can_attack": {"train", "test"} <= set(dataset.counts),
    }
    if context["may_maintain"]:
        context |= {
            "check_form": ContaminationForm(),
            "inoculation_form": InoculationForm(user=person_of(request), material=dataset),
            **results_on(dataset),
        }
    return render(request, "evaluation/datasets/dataset.html", context)


@login_required
@require_POST
def delete(request: HttpRequest, key: str) -> HttpResponse:
    dataset = get_object_or_404(Dataset.objects.visible_to(request.user), key=key)
    delete_dataset(dataset, by=person_of(request))
    messages.success(request, _("“%(dataset)s” is deleted.", dataset=dataset.title))
    return redirect("evaluation:datasets")
