"""Addresses of followed indexes in the API."""

from django.urls import URLPattern, URLResolver
from rest_framework.routers import SimpleRouter

from curation.followed.api import FollowedIndexViewSet

router = SimpleRouter()
router.register("followed-indexes", FollowedIndexViewSet, basename="api-followed-index")
urlpatterns: list[URLPattern | URLResolver] = router.urls
