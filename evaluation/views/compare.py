"""Two runs side by side, and the leaderboard of a release."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from curation.models import Release
from evaluation.models import EvaluationRun
from evaluation.services.comparing import compare_releases, compare_runs, rank_runs
from evaluation.services.reporting import newest_runs


@require_safe
def compare(request: HttpRequest) -> HttpResponse:
    """`?first=run&second=run`: on one release two models with what is significant, else one model on two releases."""
    visible = EvaluationRun.objects.visible_to(request.user).finished()
    known = visible.select_related("release__suite", "model_version__model").defer("environment")
    context: dict[str, Any] = {"known": list(known.order_by("release__suite__key", "-created_at")[:300])}
    keys = request.GET.get("first", ""), request.GET.get("second", "")
    context["first_key"], context["second_key"] = keys
    if all(keys):
        runs = known.select_related("report")
        first, second = (get_object_or_404(runs, key=key) for key in keys)
        context |= {"first": first, "second": second}
        if first.release_id == second.release_id:
            context["models"] = _sorted(compare_runs(first, second))
        else:
            context["releases"] = compare_releases(first, second)
    return render(request, "evaluation/compare.html", context)


@require_safe
def leaderboard(request: HttpRequest, suite: str, version: str) -> HttpResponse:
    """Models whose results may be public, from best to worst, with ties; uploaded ones are marked."""
    releases = Release.objects.visible_to(request.user).published().select_related("suite")
    release = get_object_or_404(releases, suite__key=suite, version=version)
    among = EvaluationRun.objects.filter(model_version__model__on_leaderboard=True)
    runs = newest_runs(release, among=among)
    by_key = {run.key: run for run in runs}
    for run in runs:
        run.release = release
    ranking = [{**entry, "run": by_key[entry["model"]]} for entry in rank_runs(runs)]
    for entry in ranking:
        entry["ties"] = [by_key[key].model_version.model.name for key in entry["tied_with"]]
        entry["overall"] = entry["run"].report.values["overall"]
    baselines = runs[0].report.values["baselines"] if runs else {}
    context = {"release": release, "ranking": ranking, "baselines": baselines}
    return render(request, "evaluation/leaderboard.html", context)


def _sorted(found: dict[str, Any]) -> dict[str, Any]:
    """Significant differences first, then by size."""
    rows = sorted(
        found["by_functionality"].items(),
        key=lambda item: (not item[1]["is_significant"], -abs(item[1]["difference"] or 0)),
    )
    significant = sum(row["is_significant"] for _, row in rows)
    return {**found, "rows": rows, "significant": significant}
