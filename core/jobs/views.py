"""Background work as people see it: a list, a page per job, both live while a job runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from core.jobs import services as jobs
from core.jobs.facts import facts_of, problems_of
from core.jobs.models import JobState
from core.jobs.running import KINDS
from core.models import Job
from core.progress import duration
from core.text import _

if TYPE_CHECKING:
    from accounts.models import User

PER_PAGE = 50
PROBLEMS_SHOWN = 500


class JobFilterForm(forms.Form):
    state = forms.ChoiceField(
        label=_("State"),
        required=False,
        choices=[("", _("Any state")), ("unfinished", _("Not finished")), *JobState.choices],
    )
    kind = forms.ChoiceField(label=_("Kind"), required=False)

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        kinds = sorted(((name, str(kind.title)) for name, kind in KINDS.items()), key=lambda kind: kind[1])
        self.fields["kind"].choices = [("", _("Any kind")), *kinds]  # type: ignore[attr-defined]


@login_required
@require_safe
def jobs_page(request: HttpRequest) -> HttpResponse:
    """Asked by htmx, only the list comes back; it asks again while a job of the page is not finished."""
    form = JobFilterForm(request.GET)
    rows = Job.objects.visible_to(request.user).select_related("requested_by")
    if form.is_valid():
        rows = rows.matching(**form.cleaned_data)
    page = Paginator(rows.defer("payload", "checkpoint", "result"), PER_PAGE).get_page(request.GET.get("page"))
    is_live = any(not job.is_finished for job in page.object_list)
    is_part = request.headers.get("HX-Request") == "true"
    template = "core/jobs_list.html" if is_part else "core/jobs.html"
    return render(request, template, {"page": page, "form": form, "is_live": is_live})


@login_required
@require_safe
def job_page(request: HttpRequest, key: str) -> HttpResponse:
    return render(request, "core/jobs_job.html", _told(_job(request, key)))


@login_required
@require_safe
def job_progress(request: HttpRequest, key: str) -> HttpResponse:
    """The live part of a job's page."""
    return render(request, "core/jobs_progress.html", _told(_job(request, key)))


@login_required
@require_POST
def cancel_job(request: HttpRequest, key: str) -> HttpResponse:
    job = _job(request, key)
    jobs.cancel(job, by=cast("User", request.user))
    messages.success(request, _("Job stopped.") if job.is_finished else _("The job will stop at its next step."))
    return redirect(job)


@login_required
@require_POST
def resume_job(request: HttpRequest, key: str) -> HttpResponse:
    job = _job(request, key)
    jobs.resume(job, by=cast("User", request.user))
    messages.success(request, _("Job queued again. It continues where it stopped."))
    return redirect(job)


def _told(job: Job) -> dict[str, object]:
    """The job with what its result says: facts in words, and every problem of a file or template with its place."""
    problems = problems_of(job)
    began = job.started_at or job.created_at
    return {
        "job": job,
        "facts": facts_of(job),
        "problems": problems[:PROBLEMS_SHOWN],
        "problem_count": len(problems),
        "took": duration((job.finished_at - began).total_seconds()) if job.finished_at else "",
    }


def _job(request: HttpRequest, key: str) -> Job:
    return get_object_or_404(Job.objects.visible_to(request.user).select_related("requested_by"), key=key)
