"""Combinatorial expansion of templates: choose, see how many there are, make all or a sample."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.errors import DomainError
from core.models import Job
from core.permissions import can_author
from curation.models import Language, Suite
from generation.pages import expert_of, suite_asked_for
from generation.runs.expanding import KIND, count_expansion, request_expansion
from generation.runs.forms import ExpansionForm, problems_of


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def expansion_page(request: HttpRequest) -> HttpResponse:
    by = expert_of(request)
    form = ExpansionForm(request.POST or None, initial=_initial(request))
    if request.method == "POST" and form.is_valid():
        try:
            job = request_expansion(form.chosen, by=by)
        except DomainError as error:
            form.add_error(None, str(error))
        else:
            return redirect("generation:expansion-result", job.key)
    earlier = Job.objects.visible_to(by).filter(kind=KIND, state="done")[:10]
    context = {"form": form, "earlier": earlier}
    return render(request, "generation/expansion.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def count_page(request: HttpRequest) -> HttpResponse:
    """Show how many texts the choice gives; nothing is made."""
    by = expert_of(request)
    form = ExpansionForm(request.POST)
    if not form.is_valid():
        return render(request, "generation/expansion_count.html", {"problems": problems_of(form)})
    try:
        count = count_expansion(form.chosen)
        context: dict[str, object] = {"choice": form.chosen, "count": count}
    except DomainError as error:
        context = {"problems": [str(error)]}
    else:
        context["can_expand"] = can_author(by, count.language)
    return render(request, "generation/expansion_count.html", context)


@login_required
@require_safe
def result_page(request: HttpRequest, key: str) -> HttpResponse:
    """Show the outcome, live while it is made."""
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
    """Return what the address asks for, with the first language of the suite."""
    asked = suite_asked_for(request)
    first = asked.languages.order_by("code").first() if asked else None
    initial: dict[str, Any] = {"suite": asked.key if asked else "", "language": first.code if first else ""}
    if keys := request.GET.getlist("functionality"):
        initial["functionalities"] = keys
    return initial | {name: request.GET[name] for name in ("language", "size", "seed") if name in request.GET}
