"""Template suite against written suite: how diverse and how natural."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_http_methods, require_safe

from core.errors import BadInput, DomainError
from core.models import Job
from core.options.forms import OptionsForm
from core.reader import listed
from core.text import recall
from curation.models import Functionality
from generation.diversity.charts import draw_measures, draw_perplexities
from generation.diversity.options import DiversityOptions
from generation.diversity.services import KIND, request_comparison, sets_of, title_of
from generation.pages import expert_of, languages_of_suites, suite_asked_for, suites
from generation.permissions import can_start


class DiversityForm(OptionsForm[DiversityOptions]):
    options = DiversityOptions

    def __init__(self, *args: Any, may_load_models: bool = True, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("first_suite", "second_suite"):
            self.offer(name, suites())
        for name in ("language", "second_language"):
            self.offer(name, languages_of_suites())
        for name in ("functionalities", "second_functionalities"):
            self.offer(name, Functionality.objects.values_list("key", "title"))
        if not may_load_models:
            del self.fields["perplexity_model"]


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def diversity_page(request: HttpRequest) -> HttpResponse:
    by = expert_of(request)
    form = DiversityForm(request.POST or None, may_load_models=can_start(by), initial=_initial(request))
    if request.method == "POST" and form.is_valid():
        try:
            job = request_comparison(form.chosen, by=by)
        except DomainError as error:
            form.add_error(None, str(error))
        else:
            return redirect("generation:diversity-result", job.key)
    earlier = Job.objects.visible_to(request.user).filter(kind=KIND, state="done")[:10]
    context = {"form": form, "earlier": [(job, _names(job)) for job in earlier]}
    return render(request, "generation/diversity.html", context, status=422 if form.errors else 200)


@login_required
@require_safe
def result_page(request: HttpRequest, key: str) -> HttpResponse:
    """Return the figures, live until they are there."""
    expert_of(request)
    job = get_object_or_404(Job.objects.visible_to(request.user).filter(kind=KIND), key=key)
    result = recall(job.result) if job.state == "done" else None
    context: dict[str, Any] = {"job": job, "result": result}
    if result:
        names = _names(job)
        context["sets"] = list(zip(names, (item["texts"] for item in result["sets"]), strict=True))
        # Drawn by us from numbers.
        context["chart"] = mark_safe(draw_measures(result, names))  # noqa: S308
        context["perplexities"] = mark_safe(draw_perplexities(result, names))  # noqa: S308
        context["measures"] = _rows(result)
    part = request.headers.get("HX-Request") == "true"
    return render(request, "generation/diversity_live.html" if part else "generation/diversity_result.html", context)


def _names(job: Job) -> list[str]:
    """Return the names of both sets in the reader's language."""
    try:
        return [listed(one.parts()) for one in sets_of(DiversityOptions(**job.payload["choice"]))]
    except BadInput:  # options of an earlier version
        return [item["name"] for item in (job.result or {}).get("sets", ())]


def _rows(result: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the measures with a standard deviation or quartiles beside each value that has them."""
    nothing = [None] * len(result["sets"])
    beside = ("deviations", "quartiles", "sizes")
    return [
        item
        | {"title": title_of(item["name"])}
        | {"cells": list(zip(item["values"], *(item.get(name, nothing) for name in beside), strict=True))}
        for item in result["measures"]
    ]


def _initial(request: HttpRequest) -> dict[str, str]:
    """Return the suite the address names, or the first, for both sets."""
    asked = suite_asked_for(request)
    return {"first_suite": asked.key, "second_suite": asked.key} if asked else {}
