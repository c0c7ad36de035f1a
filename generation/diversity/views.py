"""Template suite against written suite: how diverse and how natural."""

from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_http_methods, require_safe

from core.errors import DomainError
from core.models import Job
from curation.cases.models import Origin
from curation.models import Language, Suite
from generation.diversity.charts import draw_measures, draw_perplexities
from generation.diversity.services import KIND, SMOOTHING, SMOOTHINGS, SetChoice, request_comparison
from generation.pages import any_functionality, expert_of
from generation.permissions import can_start

ORIGINS = [("", "Any origin"), *Origin.choices]


class DiversityForm(forms.Form):
    first_suite = forms.ModelChoiceField(Suite.objects.all(), to_field_name="key", label="First suite")
    first_origin = forms.ChoiceField(label="Its cases", required=False, choices=ORIGINS, initial=Origin.TEMPLATE)
    second_suite = forms.ModelChoiceField(Suite.objects.all(), to_field_name="key", label="Second suite")
    second_origin = forms.ChoiceField(label="Its cases", required=False, choices=ORIGINS, initial=Origin.LLM)
    language = forms.ModelChoiceField(
        Language.objects.filter(suites__isnull=False).distinct(),
        to_field_name="code",
        label="Language",
        required=False,
        empty_label="All languages",
    )
    functionality = any_functionality()
    smoothing = forms.ChoiceField(
        label="Smoothing of self-BLEU",
        choices=list(SMOOTHINGS.items()),
        initial=SMOOTHING,
        required=False,
        help_text="NLTK’s methods. Compare only what was smoothed alike.",
    )
    perplexity_model = forms.CharField(
        label="Language model for perplexity",
        required=False,
        help_text="Folder or hub id of a causal model, or a GGUF file. Empty: no perplexity.",
    )

    def __init__(self, *args: Any, may_load_models: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not may_load_models:
            del self.fields["perplexity_model"]

    def choice(self, which: str) -> SetChoice:
        asked = self.cleaned_data
        return SetChoice(
            suite=asked[f"{which}_suite"].key,
            origin=asked[f"{which}_origin"],
            language=asked["language"].code if asked["language"] else "",
            functionality=asked["functionality"].key if asked["functionality"] else "",
        )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def diversity_page(request: HttpRequest) -> HttpResponse:
    by = expert_of(request)
    form = DiversityForm(request.POST or None, may_load_models=can_start(by), initial=_initial(request))
    if request.method == "POST" and form.is_valid():
        asked = form.cleaned_data
        try:
            job = request_comparison(
                form.choice("first"),
                form.choice("second"),
                by=by,
                perplexity_model=asked.get("perplexity_model", ""),
                smoothing=asked["smoothing"] or SMOOTHING,
            )
        except DomainError as error:
            form.add_error(None, str(error))
        else:
            return redirect("generation:diversity-result", job.key)
    earlier = Job.objects.visible_to(request.user).filter(kind=KIND, state="done")[:10]
    context = {"form": form, "earlier": earlier}
    return render(request, "generation/diversity.html", context, status=422 if form.errors else 200)


@login_required
@require_safe
def result_page(request: HttpRequest, key: str) -> HttpResponse:
    """The figures, live until they are there."""
    expert_of(request)
    job = get_object_or_404(Job.objects.visible_to(request.user).filter(kind=KIND), key=key)
    result = job.result if job.state == "done" else None
    context: dict[str, Any] = {"job": job, "result": result}
    if result:
        # Drawn by us from numbers.
        context["chart"] = mark_safe(draw_measures(result))  # noqa: S308
        context["perplexities"] = mark_safe(draw_perplexities(result))  # noqa: S308
        context["measures"] = _rows(result)
    part = request.headers.get("HX-Request") == "true"
    return render(request, "generation/diversity_live.html" if part else "generation/diversity_result.html", context)


def _rows(result: dict[str, Any]) -> list[dict[str, Any]]:
    """The measures with a standard deviation or quartiles beside each value that has them."""
    nothing = [None] * len(result["sets"])
    beside = ("deviations", "quartiles", "sizes")
    return [
        item | {"cells": list(zip(item["values"], *(item.get(name, nothing) for name in beside), strict=True))}
        for item in result["measures"]
    ]


def _initial(request: HttpRequest) -> dict[str, str]:
    """The suite the address names, or the first, for both sets."""
    asked = Suite.objects.filter(key=request.GET.get("suite", "")).first() or Suite.objects.order_by("name").first()
    return {"first_suite": asked.key, "second_suite": asked.key} if asked else {}
