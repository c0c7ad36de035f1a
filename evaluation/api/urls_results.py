"""Addresses of models, runs and results."""

from django.urls import URLPattern, URLResolver, path
from rest_framework.routers import SimpleRouter

from evaluation.api.results import ModelViewSet, ResultsView, RunViewSet

router = SimpleRouter()
router.register("models", ModelViewSet, basename="api-model")
router.register("runs", RunViewSet, basename="api-run")
urlpatterns: list[URLPattern | URLResolver] = [
    *router.urls,
    path("results/", ResultsView.as_view(), name="api-results"),
]
