"""The app accounts's part of the API."""

from django.urls import URLPattern, URLResolver, path
from rest_framework.routers import SimpleRouter

from accounts.api.invitations import InvitationViewSet
from accounts.api.people import MeView, PersonViewSet
from accounts.api.tokens import TokenViewSet

router = SimpleRouter()
router.register("people", PersonViewSet, basename="api-person")
router.register("invitations", InvitationViewSet, basename="api-invitation")
router.register("tokens", TokenViewSet, basename="api-token")
urlpatterns: list[URLPattern | URLResolver] = [path("me/", MeView.as_view(), name="api-me"), *router.urls]
