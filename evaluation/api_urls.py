"""The app's part of the API."""

from rest_framework.routers import SimpleRouter

from evaluation.attacks.api import AttackViewSet
from evaluation.datasets.api import DatasetViewSet
from evaluation.results.api_urls import urlpatterns as results
from evaluation.splits.api import ExperimentViewSet, SplitViewSet

router = SimpleRouter()
router.register("datasets", DatasetViewSet, basename="api-dataset")
router.register("attacks", AttackViewSet, basename="api-attack")
router.register("splits", SplitViewSet, basename="api-split")
router.register("experiments", ExperimentViewSet, basename="api-experiment")
urlpatterns = [*results, *router.urls]
