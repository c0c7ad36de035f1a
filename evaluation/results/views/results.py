"""The picture first: functionalities by model; then target groups, labels, languages; downloads, links, uploads."""

from dataclasses import replace
from typing import Any, cast
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from core.errors import BadInput
from core.inference.errors import line_of
from core.permissions import can_evaluate, can_maintain, can_see_workshop, require_evaluator
from core.tables.problems import Problem
from core.text import _
from curation.models import Release
from curation.releases.access import can_read_cases
from evaluation.metrics.crossing import DIMENSIONS
from evaluation.models import EvaluationRun, SharedReport
from evaluation.registry.forms import UploadForm, find_published
from evaluation.reports.figures import f1_table, score_tables
from evaluation.reports.names import Names
from evaluation.reports.summary import summary_of
from evaluation.reports.tables import crossed_table, tables_of
from evaluation.results.comparing import cross_runs
from evaluation.results.documents import TITLES, make_document, read_cross, read_scope
from evaluation.results.naming import names_of
from evaluation.results.reporting import newest_runs, runs_by_key, titled
from evaluation.results.sharing import open_link, share_report, withdraw_link
from evaluation.results.views.pictures import pictures_tab
from evaluation.runs.models import RunState
from evaluation.runs.uploading import import_file

MOST_MODELS = 12
TABS = {
    "functionalities": _("Functionalities"),
    "groups": _("Groups, labels and F1"),
    "scores": _("Scores"),
    "crossed": _("Two dimensions"),
    "pictures": _("Pictures"),
}


@require_safe
def results_page(request: HttpRequest) -> HttpResponse:
    """`?release=suite@version&model=key&model=key`; without a choice the newest release that has results."""
    visible = EvaluationRun.objects.visible_to(request.user)
    releases = list(
        Release.objects.visible_to(request.user)
        .published()
        .filter(runs__in=visible.finished())
        .select_related("suite")
        .defer("facts", "prose")
        .distinct()
        .order_by("-published_at")
    )
    release = find_release(releases, request.GET.get("release", ""))
    context: dict[str, Any] = {"releases": releases, "release": release, "may_maintain": can_maintain(request.user)}
    context["may_evaluate"] = can_evaluate(request.user)
    if release:
        wanted = request.GET.getlist("model")
        runs = newest_runs(release, wanted or None, among=visible, most=MOST_MODELS)
        context |= picture(request, release, runs)
        context["may_read"] = can_read_cases(request.user, release)
        names = visible.finished().filter(release=release).order_by("model_version__model__name")
        context["known"] = list(names.values_list("model_version__model__key", "model_version__model__name").distinct())
        context["wanted"] = wanted or [run.model_version.model.key for run in runs]
        context["left_out"] = 0 if wanted else len(context["known"]) - len(runs)
        if context["may_maintain"]:
            context["links"] = SharedReport.objects.usable().filter(release=release).annotate(models=Count("runs"))[:50]
    if context["may_evaluate"]:
        context["unfinished"] = visible.exclude(state=RunState.DONE).select_related(
            "release__suite", "model_version__model", "job"
        )[:10]
    return render(request, "evaluation/results.html", context)


@require_safe
def shared_page(request: HttpRequest, token: str) -> HttpResponse:
    """The same picture for anyone with the link."""
    shared, runs = open_link(token)
    context = {"release": shared.release, "shared": shared, "may_maintain": can_maintain(request.user)}
    query = {"query": urlencode({"link": shared.token})}
    shown = picture(request, shared.release, runs, link=shared.token)
    return render(request, "evaluation/results_shared.html", context | shown | query)


def picture(request: HttpRequest, release: Release, runs: list[EvaluationRun], *, link: str = "") -> dict[str, Any]:
    """What one tab shows of some runs: the summary and the functionalities, everything else, scores, or two dimensions.

    `?tab=crossed&rows=target&columns=language&of=run` chooses the dimensions and the model.
    """
    tab = request.GET.get("tab", "")
    tab = tab if tab in TABS else next(iter(TABS))
    models, names = {title: run.report.values for title, run in titled(runs).items()}, names_of(release)
    context: dict[str, Any] = {"runs": runs, "names": names, "formats": TITLES, "tab": tab, "tabs": _tabs(request)}
    context["query"] = urlencode([("run", run.key) for run in runs])
    if tab == "crossed":
        return context | _crossed(request, release, runs, names)
    if tab == "pictures":
        return context | pictures_tab(request, runs, link=link)
    if tab == "scores":
        may_compare = can_see_workshop(request.user)
        return context | {"figure_tables": score_tables(models, names), "may_compare_groups": may_compare}
    tables = {table.key: table for table in tables_of(models, names)}
    total, functionalities = tables.pop("overall", None), tables.pop("by_functionality", None)
    if tab == "groups":
        # Whom a model fails comes before everything else.
        ordered = sorted(tables.values(), key=lambda table: table.key != "by_target")
        return context | {"tables": ordered, "figure_tables": [f1_table(models, names)] if models else []}
    if total and functionalities:
        functionalities = replace(functionalities, lines=(*total.lines, *functionalities.lines))
    summaries = [summary_of(model, values, names) for model, values in models.items()]
    return context | {"functionalities": functionalities, "summaries": summaries}


def _crossed(request: HttpRequest, release: Release, runs: list[EvaluationRun], names: Names) -> dict[str, Any]:
    """One model by two dimensions: it is counted from its predictions, so one at a time, and kept."""
    chosen = request.GET.get("rows", "functionality"), request.GET.get("columns", "language")
    asked = [(name, value) for name in ("release", "model") for value in request.GET.getlist(name)]
    of = next((run for run in runs if run.key == request.GET.get("of")), runs[0])
    context = {"dimensions": DIMENSIONS, "rows": chosen[0], "columns": chosen[1], "kept": asked, "of": of}
    dimensions = read_cross(",".join(chosen)) if chosen[0] != chosen[1] else None
    if dimensions is None:
        return context
    (found,) = cross_runs(release, [of], dimensions).items()
    query = urlencode([("run", run.key) for run in runs] + [("cross", ",".join(dimensions))])
    return context | {"table": crossed_table(found[0], dimensions, found[1], names), "cross_query": query}


def _tabs(request: HttpRequest) -> list[tuple[str, str, str]]:
    """Key, title and address of each tab, for the same release and models."""
    asked = request.GET.copy()
    for name in ("tab", "rows", "columns", "of", "picture"):
        asked.pop(name, None)
    kept = asked.urlencode()
    return [(key, title, f"?{kept}{'&' if kept else ''}tab={key}") for key, title in TABS.items()]


@require_safe
def download(request: HttpRequest, file_format: str) -> HttpResponse:
    """`?run=key&run=key`, or `?link=token`: a document about these runs."""
    token = request.GET.get("link", "")
    if token:
        shared, runs = open_link(token)
        release = shared.release
    else:
        runs = _runs(request, request.GET.getlist("run"))
        release = runs[0].release
    scope = read_scope(request.GET.dict(), with_examples=can_read_cases(request.user, release))
    document = make_document(release, runs, file_format, scope=scope)
    response = HttpResponse(document.content, content_type=document.content_type)
    response["Content-Disposition"] = f'attachment; filename="{document.name}"'
    return response


@login_required
@require_POST
def share(request: HttpRequest) -> HttpResponse:
    runs = _runs(request, request.POST.getlist("run"))
    shared = share_report(runs[0].release, runs, by=cast(User, request.user))
    messages.success(request, _("Anyone with this link can view these results without signing in."))
    return redirect(shared)


@login_required
@require_POST
def unshare(request: HttpRequest, token: str) -> HttpResponse:
    shared = withdraw_link(token, by=cast(User, request.user))
    messages.success(request, _("The link was withdrawn."))
    return redirect(reverse("evaluation:results") + f"?release={shared.release.key}")


@login_required
def upload(request: HttpRequest) -> HttpResponse:
    """Predictions computed elsewhere, checked against a release."""
    require_evaluator(request.user)
    form = UploadForm(request.POST or None, request.FILES or None, user=request.user)
    problems: list[dict[str, Any]] = []
    if request.method == "POST" and form.is_valid():
        try:
            run = import_file(
                find_published(form.chosen.release, request.user), form.chosen, by=cast(User, request.user)
            )
        except BadInput as error:
            form.add_error("predictions", _("Nothing was imported. Look at the list below."))
            problems = error.problems or [{"problem": error.title, "fix": ""}]
        else:
            for noted in run.problems:
                messages.warning(request, line_of(Problem(**noted)))
            return redirect(run)
    status = 422 if form.errors else 200
    return render(request, "evaluation/upload.html", {"form": form, "problems": problems[:200]}, status=status)


def find_release(releases: list[Release], key: str) -> Release | None:
    """The one asked for (a missing one is not found), else the first."""
    if not key:
        return releases[0] if releases else None
    for release in releases:
        if release.key == key:
            return release
    raise Http404


def _runs(request: HttpRequest, keys: list[str]) -> list[EvaluationRun]:
    return runs_by_key(keys, among=EvaluationRun.objects.visible_to(request.user))
