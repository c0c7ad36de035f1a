"""Addresses of splits and experiments."""

from django.urls import URLPattern, URLResolver
from rest_framework.routers import SimpleRouter

from evaluation.splits.api import ExperimentViewSet, SplitViewSet

router = SimpleRouter()
router.register("splits", SplitViewSet, basename="api-split")
router.register("experiments", ExperimentViewSet, basename="api-experiment")
urlpatterns: list[URLPattern | URLResolver] = router.urls
