"""Versions of a prompt tried side by side."""

from collections.abc import Sequence
from typing import Any

from django.contrib.auth.decorators import login_required
from django.db.models.functions import Lower
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from core.errors import DomainError
from core.models import Job
from core.options.forms import OptionsForm
from core.permissions import require_maintainer
from core.text import _, recall
from core.web import texts_are_covered
from curation.finding import find_suite
from curation.models import ProtectedGroup
from generation.models import Prompt
from generation.pages import expert_of, suites
from generation.prompts.options import TrialOptions
from generation.prompts.services import versions_of
from generation.prompts.trials import request_trial
from generation.runs.forms import show_as_code
from generation.runs.groups import find_targets
from generation.runs.providers import read_uploaded_provider
from generation.runs.views.starting import usual_choices


class TrialForm(OptionsForm[TrialOptions]):
    options = TrialOptions

    def __init__(self, *args: Any, prompts: Sequence[Prompt] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.offer(
            "versions", [(str(prompt.number), _("Version %(number)s", number=prompt.number)) for prompt in prompts]
        )
        self.offer("suite", suites())
        self.offer("group", ProtectedGroup.objects.order_by(Lower("name")).values_list("key", "name"))
        show_as_code(self.fields["provider"])


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def start_trial(request: HttpRequest, language: str, functionality: str) -> HttpResponse:
    by = expert_of(request)
    require_maintainer(by)
    prompts = versions_of(language, functionality)
    initial = usual_choices(request) | {"versions": [str(prompt.number) for prompt in prompts[:2]]}
    form = TrialForm(request.POST or None, prompts=prompts, initial=initial)
    if request.method == "POST" and form.is_valid():
        asked = form.chosen
        try:
            targets = find_targets(prompts[0].language, [asked.group] if asked.group else [])
            job = request_trial(
                [prompt for prompt in prompts if prompt.number in asked.versions],
                suite=find_suite(asked.suite),
                target=targets[0] if targets else None,
                provider=read_uploaded_provider(asked.provider),
                count=asked.count,
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
    """Show the outcome of a trial, live while it runs."""
    expert_of(request)
    jobs = Job.objects.visible_to(request.user).filter(kind="generation.try_prompts")
    job = get_object_or_404(jobs, key=key)
    prompt = Prompt.objects.select_related("language", "functionality").get(pk=job.payload["trial"]["prompts"][0])
    found = recall(job.result or {}).get("trials", []) if job.state == "done" else []
    # The result calls them "version 3".
    trials = [trial | {"number": str(trial["version"]).removeprefix("version ")} for trial in found]
    context = {"job": job, "prompt": prompt, "trials": trials, "covered": texts_are_covered(request)}
    part = request.headers.get("HX-Request") == "true"
    return render(request, "generation/trial_live.html" if part else "generation/trial.html", context)
