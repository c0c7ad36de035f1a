"""Addresses of jobs."""

from django.urls import URLPattern, URLResolver
from rest_framework.routers import SimpleRouter

from core.jobs.api import JobViewSet

router = SimpleRouter()
router.register("jobs", JobViewSet, basename="api-job")
urlpatterns: list[URLPattern | URLResolver] = router.urls
