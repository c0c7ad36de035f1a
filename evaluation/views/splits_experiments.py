"""Experiments: train on splits, see the drop."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from curation.errors import DomainError
from evaluation.models import Dataset, Experiment
from evaluation.services.experiments import (
    cross_model_matrix,
    explain_drops,
    positive_label,
    request_experiment,
    share_independent_part,
    summarise,
)
from evaluation.views.listing import is_live
from evaluation.views.people import maintainer_of
from evaluation.views.splits_forms import ExperimentForm

PROPERTIES = {
    "unigram_overlap": "Shared words",
    "length_difference": "Longer texts",
    "rare_words_difference": "More rare words",
    "under_represented_keywords": "Keywords rarer in training",
    "under_represented_groups": "Groups rarer in training",
    "source_divergence": "Divergence of sources",
}


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_experiment(request: HttpRequest, key: str) -> HttpResponse:
    """Choose splits of a data set and what to train."""
    by = maintainer_of(request)
    dataset = get_object_or_404(Dataset.objects.visible_to(by), key=key)
    form = ExperimentForm(dataset, request.POST or None)
    if request.method == "POST" and form.is_valid():
        values = form.cleaned_data
        try:
            experiment = request_experiment(
                list(values["splits"]), trainer=values["trainer"], seeds=values["seeds"], by=by, **form.options()
            )
        except DomainError as error:
            form.add_error(None, str(error))
        else:
            return redirect(experiment)
    context = {"form": form, "dataset": dataset, "has_splits": dataset.splits.built().exists()}
    return render(request, "evaluation/splits/experiment_new.html", context, status=422 if form.errors else 200)


@login_required
@require_safe
def experiment_page(request: HttpRequest, key: str) -> HttpResponse:
    """Mean and standard error per split, the drop against random, other trainers beside it."""
    found = Experiment.objects.visible_to(request.user).select_related("dataset", "job")
    experiment = get_object_or_404(found, key=key)
    context: dict[str, object] = {"experiment": experiment, "is_live": is_live(experiment.job)}
    if request.headers.get("HX-Request"):
        response = render(request, "evaluation/splits/experiment_progress.html", context)
        if not context["is_live"]:
            response["HX-Refresh"] = "true"
        return response
    siblings = list(found.filter(dataset=experiment.dataset))
    matrix = cross_model_matrix(siblings)
    rows = summarise(experiment)
    context |= {
        "rows": rows,
        "same_independent": share_independent_part([row["split"] for row in rows]),
        "correlations": _told(explain_drops(experiment)),
        "matrix": matrix,
        "trainers": list(next(iter(matrix.values()))) if matrix else [],
        "positive": positive_label(experiment),
        "wanted": experiment.splits.count() * len(experiment.seeds),
    }
    return render(request, "evaluation/splits/experiment.html", context)


def _told(correlations: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """With words for people; nothing where every one is undefined."""
    if all(row["r"] is None for row in correlations):
        return []
    return [{**row, "title": PROPERTIES[row["property"]]} for row in correlations]
