"""Template suite against written suite: how diverse and how natural."""

from __future__ import annotations

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_http_methods, require_safe

from curation.models import Functionality, Job, Language, Suite
from curation.models.cases import Origin
from curation.services.jobs import request_job
from generation.charts import draw_measures
from generation.views.shared import expert_of

ORIGINS = [("", "Any origin"), *Origin.choices]
KIND = "generation.diversity"


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
    functionality = forms.ModelChoiceField(
        Functionality.objects.all(),
        to_field_name="key",
        label="Functionality",
        required=False,
        empty_label="All functionalities",
    )
    perplexity_model = forms.CharField(
        label="Language model for perplexity",
        required=False,
        help_text="Folder or hub id of a causal model. Empty: no perplexity.",
    )

    def choice(self) -> dict[str, object]:
        asked = self.cleaned_data
        common = {
            "language": asked["language"].code if asked["language"] else "",
            "functionality": asked["functionality"].key if asked["functionality"] else "",
        }
        return {
            "first": {"suite": asked["first_suite"].key, "origin": asked["first_origin"], **common},
            "second": {"suite": asked["second_suite"].key, "origin": asked["second_origin"], **common},
            "perplexity_model": asked["perplexity_model"].strip(),
        }


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def diversity_page(request: HttpRequest) -> HttpResponse:
    by = expert_of(request)
    form = DiversityForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        job = request_job(KIND, {"choice": form.choice()}, title="Compare the diversity of two sets", by=by)
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
    chart = mark_safe(draw_measures(result)) if result else ""  # noqa: S308  (drawn by us from numbers)
    context = {"job": job, "result": result, "chart": chart}
    part = request.headers.get("HX-Request") == "true"
    return render(request, "generation/diversity_live.html" if part else "generation/diversity_result.html", context)
