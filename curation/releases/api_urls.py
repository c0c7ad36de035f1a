"""Addresses of releases."""

from django.urls import URLPattern, URLResolver
from rest_framework.routers import SimpleRouter

from curation.releases.api import ReleaseViewSet

router = SimpleRouter()
router.register("releases", ReleaseViewSet, basename="api-release")
urlpatterns: list[URLPattern | URLResolver] = router.urls
