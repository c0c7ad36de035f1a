"""The app generation's part of the API."""

from django.urls import URLPattern, URLResolver
from rest_framework.routers import SimpleRouter

from generation.api.candidates import CandidateViewSet
from generation.api.runs import RunViewSet

router = SimpleRouter()
router.register("generation-runs", RunViewSet, basename="api-generation-run")
router.register(r"generation-runs/(?P<run>[\w-]+)/candidates", CandidateViewSet, basename="api-generation-candidate")
urlpatterns: list[URLPattern | URLResolver] = router.urls
