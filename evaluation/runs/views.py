"""One run: live progress while it works, then the full report and the cases it got wrong."""

from typing import Any, cast
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import translation
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from core.charts import FORMS, THEMES
from core.permissions import can_maintain
from core.text import _, pgettext
from core.web import csv_download, texts_are_covered
from curation.releases.access import can_read_cases, record_download, require_reading
from evaluation.models import EvaluationRun, Prediction
from evaluation.permissions import can_steer
from evaluation.reports.figures import f1_table, operating_table, score_tables
from evaluation.reports.summary import summary_of
from evaluation.reports.tables import tables_of
from evaluation.results import charting
from evaluation.results.comparing import operating_points_of
from evaluation.results.documents import TITLES as FORMAT_TITLES
from evaluation.results.documents import read_scope
from evaluation.results.naming import names_of
from evaluation.results.options import PictureOptions
from evaluation.runs import services as running
from evaluation.runs.failing import (
    CASE_COLUMNS,
    FILTER_TITLES,
    FILTERS,
    case_lines,
    choices_for,
    matching_predictions,
    usual_error,
)
from evaluation.runs.models import RunState
from evaluation.training.forms import MaterialForm

PER_PAGE = 50
DIMENSIONS = {"class": "functionality_class"}  # of filters that are called otherwise
RUN_TABS = {
    "functionalities": _("Functionalities"),
    "groups": _("Groups, labels and F1"),
    "scores": _("Scores"),
    "pictures": _("Charts"),
}
FIRST = ("functionalities", "overall", "by_functionality")  # the first tab, and its tables
SHOWS = [
    ("wrong", _("Wrong answers")),
    ("right", _("Right answers")),
    ("unanswered", _("No answer")),
    ("refused", _("Refused")),
    ("near", _("Near the threshold")),
    ("all", pgettext("answers of a model", "All")),
]


@require_safe
def run_page(request: HttpRequest, key: str) -> HttpResponse:
    """Progress while it is not finished, the report when it is."""
    run = find_run(request, key)
    context: dict[str, Any] = frame(request, run)
    if run.state == RunState.DONE:
        values = run.report.values
        name, names = run.model_version.model.name, names_of(run.release)
        chosen = read_scope(request.GET.dict(), with_examples=False)
        scores = score_tables({name: values}, names)
        tab = request.GET.get("tab") or ("scores" if chosen.has_point else "")
        tab = tab if tab in RUN_TABS else "functionalities"
        context |= {
            "values": values,
            "runs": [run],
            "query": urlencode({"run": run.key}),
            "formats": FORMAT_TITLES,
            "overall": values["overall"],
            "names": names,
            "summary": summary_of(name, values, names),
            "tabs": RUN_TABS if scores else {key: title for key, title in RUN_TABS.items() if key != "scores"},
            "tab": tab,
            "tables": [table for table in tables_of({name: values}, names) if (table.key in FIRST) == (tab in FIRST)],
            "f1": f1_table({name: values}, names),
            "score_tables": scores,
            "chosen": chosen,
            "themes": THEMES,
            "forms": FORMS,
            "charts": [
                {"name": key, "title": title}
                for key, title in charting.CHARTS.items()
                if charting.available(values, key)
            ],
            "gap": values["gaps"]["target"],
            "baselines": values["baselines"],
            "material_form": MaterialForm() if context["may_maintain"] else None,
            "broken": usual_error(run) if values["overall"].get("errors") else None,
        }
        if chosen.has_point:
            points = operating_points_of(run.release, [run], threshold=chosen.threshold, prevalence=chosen.prevalence)
            context["operating"] = operating_table(points, names) if points else None
    return render(request, "evaluation/run.html", context)


@require_safe
def run_progress(request: HttpRequest, key: str) -> HttpResponse:
    """The live part; tells htmx to load the page anew when the run has ended."""
    run = find_run(request, key)
    response = render(request, "evaluation/run_progress.html", frame(request, run))
    if run.state not in (RunState.QUEUED, RunState.RUNNING):
        response["HX-Refresh"] = "true"
    return response


@require_safe
def run_chart(request: HttpRequest, key: str, name: str, form: str) -> HttpResponse:
    """A chart as SVG, PDF or PNG; the address names theme and language, so that a browser keeps one for each."""
    run = find_run(request, key)
    if run.state != RunState.DONE:
        return HttpResponse(status=404)
    given = {name: request.GET[name] for name in ("theme", "language") if name in request.GET}
    chosen = PictureOptions.given({"file_format": form, **given})
    with translation.override(chosen.language):
        facts: dict[str, Any] = {"form": chosen.form, "theme": THEMES[chosen.theme], "language": chosen.language}
        drawn = charting.chart_of(run.report.values, name, names_of(run.release), **facts)
    response = HttpResponse(drawn, content_type=FORMS[chosen.form])
    response["Cache-Control"] = "private, max-age=3600"
    return response


@require_safe
def run_cases(request: HttpRequest, key: str) -> HttpResponse:
    """The cases of a finished run, wrong ones first of all; filters by query string."""
    run = find_run(request, key)
    require_reading(request.user, run.release)
    if run.state != RunState.DONE:
        return redirect(run)
    chosen, rows = _matching(request, run)
    covered, names = texts_are_covered(request), names_of(run.release)
    context = frame(request, run) | {
        "page": Paginator(rows, PER_PAGE).get_page(request.GET.get("page")),
        "chosen": chosen,
        "selects": [
            (
                name,
                FILTER_TITLES[name],
                [(key, names.of(DIMENSIONS.get(name, name), key)) for key in keys],
                chosen[name],
            )
            for name, keys in choices_for(run).items()
        ],
        "shows": SHOWS,
        "names": names,
        "is_narrowed": any(value for name, value in chosen.items() if name not in ("show", "functionality")),
        "q": request.GET.get("q", ""),
        # Only people who are signed in can uncover a whole list; everybody else opens text by text.
        "covered": covered and request.user.is_authenticated,
        "cover_each": covered and not request.user.is_authenticated,
    }
    return render(request, "evaluation/run_cases.html", context)


@require_safe
def run_cases_file(request: HttpRequest, key: str) -> HttpResponseBase:
    """The same cases as CSV, all pages of them."""
    run = find_run(request, key)
    require_reading(request.user, run.release)
    if run.state != RunState.DONE:
        return redirect(run)
    rows = _matching(request, run)[1]
    record_download(run.release, file=f"cases of {run.key}", by=request.user)
    return csv_download(f"cases-{run.key}", CASE_COLUMNS, case_lines(rows))


def _matching(request: HttpRequest, run: EvaluationRun) -> tuple[dict[str, str], QuerySet[Prediction]]:
    """What the address asks for, and the predictions that fit it."""
    chosen = {name: request.GET.get(name, "") for name in FILTERS}
    chosen["show"] = request.GET.get("show", "wrong")
    search, sort = request.GET.get("q", "").strip(), request.GET.get("sort", "")
    return chosen, matching_predictions(run, chosen, search=search, sort=sort)


@login_required
@require_POST
def run_stop(request: HttpRequest, key: str) -> HttpResponse:
    run = find_run(request, key)
    running.stop_run(run, by=cast(User, request.user))
    messages.success(request, _("The run stops at its next step. Its answers so far are kept."))
    return redirect(run)


@login_required
@require_POST
def run_resume(request: HttpRequest, key: str) -> HttpResponse:
    run = find_run(request, key)
    running.resume_run(run, by=cast(User, request.user))
    messages.success(request, _("The run continues from where it stopped."))
    return redirect(run)


def find_run(request: HttpRequest, key: str) -> EvaluationRun:
    """The run, if the person may see it; its state follows its job."""
    runs = EvaluationRun.objects.visible_to(request.user).select_related(
        "release__suite", "model_version__model", "job", "report", "created_by"
    )
    run = get_object_or_404(runs, key=key)
    running.follow_job(run)
    return run


def frame(request: HttpRequest, run: EvaluationRun) -> dict[str, Any]:
    return {
        "run": run,
        "release": run.release,
        "model": run.model_version.model,
        "job": run.job,
        "is_live": run.state in (RunState.QUEUED, RunState.RUNNING),
        "may_maintain": can_maintain(request.user),
        "may_steer": can_steer(request.user, run),
        "may_read": can_read_cases(request.user, run.release),
    }
