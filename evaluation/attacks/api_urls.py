"""Addresses of data sets and attacks."""

from django.urls import URLPattern, URLResolver
from rest_framework.routers import SimpleRouter

from evaluation.attacks.api import AttackViewSet
from evaluation.datasets.api import DatasetViewSet

router = SimpleRouter()
router.register("datasets", DatasetViewSet, basename="api-dataset")
router.register("attacks", AttackViewSet, basename="api-attack")
urlpatterns: list[URLPattern | URLResolver] = router.urls
