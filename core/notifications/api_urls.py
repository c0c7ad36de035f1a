"""Addresses of inbox and webhooks."""

from django.urls import URLPattern, URLResolver
from rest_framework.routers import SimpleRouter

from core.notifications.api import InboxViewSet, WebhookViewSet

router = SimpleRouter()
router.register("inbox", InboxViewSet, basename="api-inbox")
router.register("webhooks", WebhookViewSet, basename="api-webhook")
urlpatterns: list[URLPattern | URLResolver] = router.urls
