"""Two runs side by side, and the leaderboard of a release."""

from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from core.text import _
from core.web import csv_download, page_of, texts_are_covered
from curation.models import Release
from curation.releases.access import can_read_cases, record_download, require_reading
from evaluation.models import EvaluationRun
from evaluation.results.changes import (
    CHANGE_COLUMNS,
    CHANGES,
    TITLES,
    change_lines,
    changed_predictions,
    comparison_document,
)
from evaluation.results.comparing import compare_releases, compare_runs
from evaluation.results.leaderboard import Entry, Leaderboard, leaderboard_of
from evaluation.results.naming import names_of
from evaluation.runs.failing import FILTERS


@require_safe
def compare(request: HttpRequest) -> HttpResponse:
    """`?first=run&second=run`: on one release two models with what is significant, else one model on two releases."""
    visible = EvaluationRun.objects.visible_to(request.user).finished()
    known = visible.select_related("release__suite", "model_version__model").defer("environment")
    context: dict[str, Any] = {"known": list(known.order_by("release__suite__key", "-created_at")[:300])}
    keys = request.GET.get("first", ""), request.GET.get("second", "")
    context["first_key"], context["second_key"] = _offered(context["known"], *keys)
    if all(keys):
        runs = known.select_related("report")
        first, second = (get_object_or_404(runs, key=key) for key in keys)
        context |= {"first": first, "second": second}
        if first == second:
            context["is_same"] = True
        elif first.release_id == second.release_id:
            context |= {"one": _title(first, second), "other": _title(second, first)}
            context["models"] = _sorted(compare_runs(first, second))
            context["may_read"] = can_read_cases(request.user, first.release)
            context["names"] = names_of(first.release)
            context |= _tab(request, first, second, context)
        else:
            context["releases"] = compare_releases(first, second)
            context["names"] = names_of(first.release)
    return render(request, "evaluation/compare.html", context)


@require_safe
def leaderboard(request: HttpRequest, suite: str, version: str) -> HttpResponse:
    """Models whose results may be public, from best to worst, with ties; uploaded ones are marked."""
    releases = Release.objects.visible_to(request.user).published().select_related("suite")
    release = get_object_or_404(releases, suite__key=suite, version=version)
    found = leaderboard_of(release)
    keys = [entry.run.key for entry in found.entries]
    open_to = EvaluationRun.objects.visible_to(request.user).filter(key__in=keys)
    context = {
        "release": release,
        "rows": _with_baselines(found),
        "reported": found.reported,
        "linked": set(open_to.values_list("key", flat=True)),
    }
    return render(request, "evaluation/leaderboard.html", context)


def _with_baselines(found: Leaderboard) -> list[Entry | tuple[str, dict[str, Any]]]:
    """The trivial models stand where their macro F1 puts them: what is below them has learnt nothing."""
    rows: list[Entry | tuple[str, dict[str, Any]]] = list(found.entries)
    best_first = sorted(found.baselines.items(), key=lambda item: -_score(item[1]))
    for before, (name, measures) in enumerate(best_first):
        better = sum(_score(entry.overall) >= _score(measures) for entry in found.entries)
        rows.insert(before + better, (name, measures))
    return rows


def _score(measures: dict[str, Any]) -> float:
    """What the leaderboard ranks by: macro F1, or accuracy where a label never occurs."""
    return float(measures["accuracy"] if measures["macro_f1"] is None else measures["macro_f1"])


def _offered(known: list[EvaluationRun], first: str, second: str) -> tuple[str, str]:
    """What the form shows: what was chosen, else two different runs, on one release where there are two."""
    if not known:
        return first, second
    chosen = next((run for run in known if run.key == first), known[0])
    others = [run for run in known if run != chosen]
    near = [run for run in others if run.release_id == chosen.release_id]
    return chosen.key, second or next((run.key for run in (*near, *others)), "")


def _title(run: EvaluationRun, beside: EvaluationRun) -> str:
    """The model's name; with its version where both are of one model."""
    version = run.model_version
    return version.title if version.model_id == beside.model_version.model_id else version.model.name


def _sorted(found: dict[str, Any]) -> dict[str, Any]:
    """Significant differences first, then by size."""
    rows, groups = (_rows(found[section]) for section in ("by_functionality", "by_target"))
    significant = sum(row["is_significant"] for key, row in rows)
    return {**found, "rows": rows, "groups": groups, "significant": significant}


def _rows(lines: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return sorted(lines.items(), key=lambda item: (not item[1]["is_significant"], -abs(item[1]["difference"] or 0)))


def _tab(request: HttpRequest, first: EvaluationRun, second: EvaluationRun, context: dict[str, Any]) -> dict[str, Any]:
    """What one tab shows: functionalities, groups, or the cases that changed."""
    overall = context["models"]["overall"]
    counts = {"broken": overall["only_first_right"], "fixed": overall["only_second_right"]}
    tabs = {"functionalities": (_("Functionalities"), None)}
    tabs |= {"groups": (_("Target groups"), None)} if context["models"]["groups"] else {}
    tabs |= {key: (title, counts[key]) for key, title in CHANGES.items()} if context["may_read"] else {}
    tab = request.GET.get("tab", "")
    tab = tab if tab in tabs else "functionalities"
    asked = urlencode({"first": first.key, "second": second.key})
    about = [("release", first.release.key), ("model", first.key), ("model", second.key), ("tab", "pictures")]
    picture = f"{reverse('evaluation:results')}?{urlencode([*about, ('picture', 'dumbbell')])}"
    found: dict[str, Any] = {"tab": tab, "tabs": tabs, "asked": asked, "changes": CHANGES, "formats": TITLES}
    found["picture_address"] = picture
    if tab not in CHANGES:
        return found
    chosen = {name: request.GET.get(name, "") for name in FILTERS}
    covered = texts_are_covered(request)
    rows = changed_predictions(first, second, tab, chosen, search=request.GET.get("q", "").strip())
    return found | {
        "page": page_of(request, rows),
        "chosen": chosen,
        "q": request.GET.get("q", ""),
        "functionalities": list(context["models"]["by_functionality"]),
        "targets": list(context["models"]["by_target"]),
        "covered": covered and request.user.is_authenticated,
        "cover_each": covered and not request.user.is_authenticated,
    }


@require_safe
def changes_file(request: HttpRequest, change: str) -> HttpResponseBase:
    """`?first=run&second=run`: the broken or the fixed cases as CSV, all pages of them, as they are filtered."""
    first, second = _two(request)
    require_reading(request.user, first.release)
    if change not in CHANGES:
        raise Http404
    compare_runs(first, second)  # refuses runs that cannot be compared
    chosen = {name: request.GET.get(name, "") for name in FILTERS}
    rows = changed_predictions(first, second, change, chosen, search=request.GET.get("q", "").strip())
    record_download(first.release, file=f"{change} cases of {second.key} against {first.key}", by=request.user)
    return csv_download(f"{change}-{first.key}-{second.key}", CHANGE_COLUMNS, change_lines(change, rows))


@require_safe
def comparison_file(request: HttpRequest, file_format: str) -> HttpResponse:
    """`?first=run&second=run`: the verdict with the keys of the cases that changed."""
    first, second = _two(request)
    require_reading(request.user, first.release)
    document = comparison_document((first, second), file_format)
    response = HttpResponse(document.content, content_type=document.content_type)
    response["Content-Disposition"] = f'attachment; filename="{document.name}"'
    return response


def _two(request: HttpRequest) -> tuple[EvaluationRun, EvaluationRun]:
    runs = EvaluationRun.objects.visible_to(request.user).finished()
    known = runs.select_related("release__suite", "model_version__model", "report")
    first, second = (get_object_or_404(known, key=request.GET.get(name, "")) for name in ("first", "second"))
    return first, second
