"""Models against groups of annotators, as a page."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from core.permissions import require_workshop
from core.web import SignedInRequest
from curation.models import Release
from curation.releases.group_labels import group_questions
from evaluation.models import EvaluationRun
from evaluation.results.perspectives import compare_models_with_groups
from evaluation.results.reporting import newest_runs

MOST_MODELS = 12


@login_required
@require_safe
def group_labels(request: SignedInRequest, suite: str, version: str) -> HttpResponse:
    """How close each model comes to the labels of groups of annotators; `?by=` is the question that makes them."""
    require_workshop(request.user)
    releases = Release.objects.visible_to(request.user).select_related("suite")
    release = get_object_or_404(releases, suite__key=suite, version=version)
    questions = group_questions()
    asked = request.GET.get("by", "")
    by = asked if asked in questions else "gender"
    runs = newest_runs(release, among=EvaluationRun.objects.visible_to(request.user), most=MOST_MODELS)
    found = compare_models_with_groups(release, runs, by=by, viewer=request.user)
    models = [
        (model, [(found["titles"].get(group, group), values) for group, values in groups.items()])
        for model, groups in found["models"].items()
    ]
    context = {"release": release, "questions": questions, "by": by, "found": found, "models": models}
    return render(request, "evaluation/group_labels.html", context | {"has_runs": bool(runs)})
