"""Addresses of the API of generation."""

from django.urls import URLPattern, URLResolver, path
from rest_framework.routers import SimpleRouter

from generation.candidates.api import CandidateViewSet
from generation.checks.api import ChecksView, PassRatesView, PublishedWordingView, ValidatorQualityView
from generation.diversity.api import DiversityViewSet
from generation.prompts.api import PromptViewSet
from generation.runs.api.answers import AnswerViewSet
from generation.runs.api.expansions import ExpansionViewSet
from generation.runs.api.runs import PlanViewSet, RunViewSet

router = SimpleRouter()
router.register("generation-runs", RunViewSet, basename="api-generation-run")
router.register("generation-plans", PlanViewSet, basename="api-generation-plan")
router.register(r"generation-runs/(?P<run>[\w-]+)/candidates", CandidateViewSet, basename="api-generation-candidate")
router.register(r"generation-runs/(?P<run>[\w-]+)/answers", AnswerViewSet, basename="api-generation-answer")
router.register("expansions", ExpansionViewSet, basename="api-expansion")
router.register("diversity", DiversityViewSet, basename="api-diversity")
PROMPT = "prompts/<str:language>/<str:functionality>/"
urlpatterns: list[URLPattern | URLResolver] = [
    *router.urls,
    path("pass-rates/", PassRatesView.as_view(), name="api-pass-rates"),
    path("validator-quality/", ValidatorQualityView.as_view(), name="api-validator-quality"),
    path("hypotheses/published/", PublishedWordingView.as_view(), name="api-hypotheses-published"),
    path("hypotheses/<str:functionality>/", ChecksView.as_view(), name="api-hypotheses"),
    path("prompts/", PromptViewSet.as_view({"get": "list"}), name="api-prompts"),
    # All versions come as one list, not page by page.
    path(
        PROMPT,
        PromptViewSet.as_view({"get": "versions", "post": "create"}, pagination_class=None),
        name="api-prompt",
    ),
    path(f"{PROMPT}compare/", PromptViewSet.as_view({"get": "compare"}), name="api-prompt-compare"),
    path(f"{PROMPT}fill/", PromptViewSet.as_view({"post": "fill"}), name="api-prompt-fill"),
    path(f"{PROMPT}trials/", PromptViewSet.as_view({"post": "trials"}), name="api-prompt-trials"),
]
