"""Combinatorial expansion of templates: choose, see how many there are, make all or a sample."""

from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.errors import DomainError
from core.models import Job
from core.permissions import can_author
from curation.models import Language, Suite
from generation.pages import any_functionality, expert_of
from generation.runs.expanding import KIND, ExpansionChoice, count_expansion, request_expansion


class ExpansionForm(forms.Form):
    suite = forms.ModelChoiceField(Suite.objects.all(), to_field_name="key", label="Suite")
    language = forms.ModelChoiceField(Language.objects.none(), to_field_name="code", label="Language")
    functionality = any_functionality()
    size = forms.IntegerField(
        label="Size of the sample",
        required=False,
        min_value=1,
        max_value=200_000,
        help_text="Drawn evenly over functionalities, templates and groups. Empty: everything.",
    )
    seed = forms.IntegerField(
        label="Seed", min_value=0, initial=0, help_text="The same seed draws the same sample; another one, others."
    )
    similarity = forms.FloatField(
        label="Leave out near duplicates from a similarity of",
        required=False,
        min_value=0.5,
        max_value=1,
        widget=forms.NumberInput(attrs={"step": "0.05"}),
        help_text="0.5 to 1, within a group; 0.9 is a good start. Empty: keep them.",
    )
    across_groups = forms.BooleanField(
        label="Combine words of different groups",
        required=False,
        help_text="For templates with several places for group words.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["language"].queryset = Language.objects.filter(suites__isnull=False).distinct()  # type: ignore[attr-defined]

    def choice(self) -> ExpansionChoice:
        asked = self.cleaned_data
        return ExpansionChoice(
            suite=asked["suite"].key,
            language=asked["language"].code,
            functionalities=(asked["functionality"].key,) if asked["functionality"] else (),
            size=asked["size"],
            seed=asked["seed"],
            similarity=asked["similarity"],
            across_groups=asked["across_groups"],
        )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def expansion_page(request: HttpRequest) -> HttpResponse:
    by = expert_of(request)
    form = ExpansionForm(request.POST) if request.method == "POST" else ExpansionForm(initial=_initial(request))
    if request.method == "POST" and form.is_valid():
        try:
            job = request_expansion(form.choice(), by=by)
        except DomainError as error:
            form.add_error(None, str(error))
        else:
            return redirect("generation:expansion-result", job.key)
    earlier = Job.objects.visible_to(by).filter(kind=KIND, state="done")[:10]
    context = {"form": form, "earlier": earlier}
    return render(request, "generation/expansion.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def count(request: HttpRequest) -> HttpResponse:
    """How many texts the choice gives; nothing is made."""
    by = expert_of(request)
    form = ExpansionForm(request.POST)
    if not form.is_valid():
        problems = [f"{form.fields[name].label}: {errors[0]}" for name, errors in form.errors.items()]
        return render(request, "generation/expansion_count.html", {"problems": problems})
    try:
        choice = form.choice()
        context: dict[str, object] = {"choice": choice, "count": count_expansion(choice)}
    except DomainError as error:
        context = {"problems": [str(error)]}
    else:
        context["can_expand"] = can_author(by, choice.language)
    return render(request, "generation/expansion_count.html", context)


@login_required
@require_safe
def result_page(request: HttpRequest, key: str) -> HttpResponse:
    """What came of it, live until it is there."""
    by = expert_of(request)
    job = get_object_or_404(Job.objects.visible_to(by).filter(kind=KIND), key=key)
    context = {
        "job": job,
        "choice": job.payload["choice"],
        "result": job.result if job.state == "done" else None,
        "suite": Suite.objects.filter(key=job.payload["choice"]["suite"]).first(),
        "language": Language.objects.filter(code=job.payload["choice"]["language"]).first(),
    }
    part = request.headers.get("HX-Request") == "true"
    return render(request, "generation/expansion_live.html" if part else "generation/expansion_result.html", context)


def _initial(request: HttpRequest) -> dict[str, Any]:
    """The suite the address names, or the first; and its first language."""
    asked = Suite.objects.filter(key=request.GET.get("suite", "")).first() or Suite.objects.order_by("name").first()
    first = asked.languages.order_by("code").first() if asked else None
    names = ("language", "functionality", "size", "seed")
    initial = {"suite": asked.key if asked else "", "language": first.code if first else "", "seed": 0}
    return initial | {name: request.GET[name] for name in names if name in request.GET}
