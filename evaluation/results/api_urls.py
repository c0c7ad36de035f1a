"""Addresses of models, runs and results."""

from django.urls import URLPattern, URLResolver, path
from rest_framework.routers import SimpleRouter

from evaluation.registry.preset_api import PresetViewSet
from evaluation.results.api.documents import ChartView, DocumentView, PictureView, SharedReportViewSet
from evaluation.results.api.overviews import LeaderboardView, ResultsView
from evaluation.results.api.perspectives import GroupLabelsView
from evaluation.results.api.pushed import PushView
from evaluation.results.api.results import ModelViewSet, RunViewSet

router = SimpleRouter()
router.register("models", ModelViewSet, basename="api-model")
router.register("model-presets", PresetViewSet, basename="api-model-preset")
router.register("runs", RunViewSet, basename="api-run")
router.register("shared-results", SharedReportViewSet, basename="api-shared-results")
urlpatterns: list[URLPattern | URLResolver] = [
    *router.urls,
    path("leaderboard/", LeaderboardView.as_view(), name="api-leaderboard"),
    path("results/", ResultsView.as_view(), name="api-results"),
    path("results/push/", PushView.as_view(), name="api-push"),
    path("results/documents/<slug:file_format>/", DocumentView.as_view(), name="api-document"),
    path("results/pictures/<slug:kind>/", PictureView.as_view(), name="api-picture"),
    path("results/group-labels/", GroupLabelsView.as_view(), name="api-group-labels"),
    path("runs/<str:key>/charts/<slug:name>/", ChartView.as_view(), name="api-chart"),
]
