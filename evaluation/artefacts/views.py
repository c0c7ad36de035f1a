"""What the pages of data sets, attacks, splits and experiments share."""

from collections.abc import Callable, Iterable
from typing import Any, Protocol, TypeVar, cast

from django import forms
from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from accounts.models import User
from core.errors import DomainError
from core.models import Job
from core.options import Options
from core.options.forms import OptionsForm
from core.permissions import require_maintainer
from core.text import _
from curation.models import Language
from evaluation.datasets.models import Dataset

PER_PAGE = 50
Chosen = TypeVar("Chosen", bound=Options)


class HasPage(Protocol):
    def get_absolute_url(self) -> str: ...


def person_of(request: HttpRequest) -> User:
    """Return the signed-in person; views that use it stand behind `login_required`."""
    return cast(User, request.user)


def maintainer_of(request: HttpRequest) -> User:
    """Return the signed-in maintainer. Refuses everybody else."""
    by = person_of(request)
    require_maintainer(by)
    return by


def listed(request: HttpRequest, rows: QuerySet[Any, Any], *, sorts: dict[str, str], default: str) -> Page[Any]:
    """Return one page of the rows, sorted as the address says; an unknown order is the default one."""
    asked = request.GET.get("sort", "")
    column = sorts.get(asked.removeprefix("-"))
    order = f"{'-' if asked.startswith('-') else ''}{column}" if column else default
    return Paginator(rows.order_by(order, "-pk"), PER_PAGE).get_page(request.GET.get("page"))


def language_title(code: str) -> str:
    """Return what the catalogue calls a language; its code where it knows none."""
    return Language.objects.filter(code=code).values_list("name", flat=True).first() or code


def is_live(*jobs: Job | None) -> bool:
    """Return whether one of the jobs has not finished yet."""
    return any(job is not None and not job.is_finished for job in jobs)


def progress_part(request: HttpRequest, context: dict[str, Any]) -> HttpResponse | None:
    """Return the live part of an artefact's page if htmx asks for it; once nothing is live, it loads the whole page.

    The context holds the `artefact`, whether it `is_live`, and what its job is `doing`.
    """
    if not request.headers.get("HX-Request"):
        return None
    response = render(request, "evaluation/artefacts/progress.html", context)
    if not context["is_live"]:
        response["HX-Refresh"] = "true"
    return response


def choose_dataset(
    request: HttpRequest, datasets: Iterable[Dataset], *, what: str, list_title: str, needs: str
) -> HttpResponse:
    """Show the data sets that something new can be made of; `what` is the name of the address of its list page."""
    context = {
        "datasets": datasets,
        "needs": needs,
        "list_title": list_title,
        "list_url": reverse(f"evaluation:{what}"),
    }
    return render(request, "evaluation/artefacts/choose.html", context)


def zip_download(name: str, content: bytes) -> HttpResponse:
    """Return a zip archive as a file to save."""
    headers = {"Content-Disposition": f'attachment; filename="{name}.zip"'}
    return HttpResponse(content, content_type="application/zip", headers=headers)


def submitted(
    request: HttpRequest, form: forms.Form, act: Callable[[], HasPage], template: str, context: dict[str, Any]
) -> HttpResponse:
    """Show a form; once it is valid, go to what `act` makes. A refusal of `act` is shown in the form."""
    if request.method == "POST" and form.is_valid():
        try:
            return redirect(act())
        except DomainError as error:
            form.add_error(None, str(error))
    return render(request, template, {**context, "form": form}, status=422 if form.errors else 200)


def step_on(
    request: HttpRequest, artefact: HasPage, form: OptionsForm[Chosen], act: Callable[[Chosen], HasPage]
) -> HttpResponse:
    """Take a step with the options of a form, and go to what it gives. A refusal is shown on the artefact's page."""
    if form.is_valid():
        try:
            return redirect(act(form.chosen))
        except DomainError as error:
            messages.error(request, str(error))
    for name, errors in form.errors.items():
        label = form.fields[name].label if name in form.fields else ""  # "" for what is about several together
        for problem in map(str, errors):
            messages.error(request, _("%(field)s: %(problem)s", field=label, problem=problem) if label else problem)
    return redirect(artefact)
