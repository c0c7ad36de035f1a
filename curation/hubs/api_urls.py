"""Addresses of hubs in the API."""

from django.urls import URLPattern, path

from curation.hubs.api import ReleaseHubs, ReserveDoi

urlpatterns: list[URLPattern] = [
    path("releases/<str:key>/hubs/", ReleaseHubs.as_view(), name="api-release-hubs"),
    path("releases/<str:key>/reserve-doi/", ReserveDoi.as_view(), name="api-release-reserve-doi"),
]
