"""Versions of a prompt tried side by side."""

from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.db.models.functions import Lower
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from core.errors import DomainError
from core.models import Job
from core.permissions import require_maintainer
from core.web import texts_are_covered
from curation.models import ProtectedGroup, Suite
from generation.models import Prompt
from generation.pages import expert_of
from generation.prompts.trials import request_trial
from generation.prompts.views.prompts import versions_of
from generation.runs.groups import find_targets
from generation.runs.providers import read_uploaded_provider
from generation.runs.views.starting import usual_choices


class TrialForm(forms.Form):
    versions = forms.MultipleChoiceField(label="Versions", widget=forms.CheckboxSelectMultiple)
    suite = forms.ModelChoiceField(Suite.objects.all(), to_field_name="key", label="Suite")
    group = forms.ModelChoiceField(
        ProtectedGroup.objects.order_by(Lower("name")), to_field_name="key", label="Group", required=False
    )
    count = forms.IntegerField(label="Messages", min_value=1, max_value=20, initial=5)
    provider = forms.CharField(label="Provider", widget=forms.Textarea(attrs={"rows": 9, "class": "code"}))

    def __init__(self, data: object, prompts: list[Prompt], *, initial: dict[str, Any]) -> None:
        newest = [str(prompt.number) for prompt in prompts[:2]]
        super().__init__(data, initial=initial | {"versions": newest})  # type: ignore[arg-type]
        choices = [(str(prompt.number), f"Version {prompt.number}") for prompt in prompts]
        self.fields["versions"].choices = choices  # type: ignore[attr-defined]


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def start_trial(request: HttpRequest, language: str, functionality: str) -> HttpResponse:
    by = expert_of(request)
    require_maintainer(by)
    prompts = versions_of(language, functionality)
    form = TrialForm(request.POST or None, prompts, initial=usual_choices(request))
    if request.method == "POST" and form.is_valid():
        asked = form.cleaned_data
        try:
            targets = find_targets(prompts[0].language, [asked["group"].key] if asked["group"] else [])
            job = request_trial(
                [prompt for prompt in prompts if str(prompt.number) in asked["versions"]],
                suite=asked["suite"],
                target=targets[0] if targets else None,
                provider=read_uploaded_provider(asked["provider"]),
                count=asked["count"],
                by=by,
            )
        except DomainError as error:
            form.add_error(None, str(error))
        else:
            return redirect("generation:trial", job.key)
    context = {"form": form, "prompt": prompts[0]}
    return render(request, "generation/trial_new.html", context, status=422 if form.errors else 200)


@login_required
@require_safe
def trial_page(request: HttpRequest, key: str) -> HttpResponse:
    """The outcome of a trial, live while it runs."""
    expert_of(request)
    jobs = Job.objects.visible_to(request.user).filter(kind="generation.try_prompts")
    job = get_object_or_404(jobs, key=key)
    prompt = Prompt.objects.select_related("language", "functionality").get(pk=job.payload["trial"]["prompts"][0])
    trials = (job.result or {}).get("trials", []) if job.state == "done" else []
    context = {"job": job, "prompt": prompt, "trials": trials, "covered": texts_are_covered(request)}
    part = request.headers.get("HX-Request") == "true"
    return render(request, "generation/trial_live.html" if part else "generation/trial.html", context)
