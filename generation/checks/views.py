"""Pass rates by functionality and group as a heat map; the threshold moves without running a model."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from curation.models import Language, Suite
from generation.checks.algorithm.checking import DEFAULT_THRESHOLD
from generation.checks.validating import pass_rate_cells
from generation.models import GenerationRun
from generation.pages import expert_of, threshold_of


@login_required
@require_safe
def pass_rates_page(request: HttpRequest) -> HttpResponse:
    expert_of(request)
    threshold = threshold_of(request, DEFAULT_THRESHOLD)
    suites = list(Suite.objects.filter(generation_runs__isnull=False).distinct())
    suite = get_object_or_404(Suite, key=request.GET["suite"]) if request.GET.get("suite") else None
    runs = GenerationRun.objects.visible_to(request.user)
    if suite is not None:
        runs = runs.filter(suite=suite)
    languages = list(Language.objects.filter(pk__in=GenerationRun.objects.values("language")))
    language = next((item for item in languages if item.code == request.GET.get("language")), None)
    if language is not None:
        runs = runs.filter(language=language)
    cells = pass_rate_cells(runs, threshold=threshold)
    groups = sorted({cell.group for cell in cells})
    by_place = {(cell.functionality, cell.group): cell for cell in cells}
    rows = [
        (functionality, [by_place.get((functionality, group)) for group in groups])
        for functionality in dict.fromkeys(cell.functionality for cell in cells)
    ]
    passed, failed = sum(cell.passed for cell in cells), sum(cell.failed for cell in cells)
    context = {
        "suites": suites,
        "suite": suite,
        "languages": languages,
        "language": language,
        "has_own_thresholds": runs.exclude(thresholds={}).exists(),
        "threshold": threshold,
        "groups": groups,
        "rows": rows,
        "decided": passed + failed,
        "undecided": sum(cell.undecided for cell in cells),
        "rate": passed / (passed + failed) if passed + failed else None,
    }
    part = request.headers.get("HX-Request") == "true"
    return render(request, "generation/pass_rates_map.html" if part else "generation/pass_rates.html", context)
