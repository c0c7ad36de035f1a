"""Addresses of the pages about hubs."""

from django.urls import URLPattern, path

from curation.hubs import views as hubs

ONE = "releases/<slug:suite>/<str:version>/"

urlpatterns: list[URLPattern] = [
    path(f"{ONE}hubs/", hubs.release_hubs, name="release-hubs"),
    path(f"{ONE}hubs/doi/", hubs.release_reserve_doi, name="release-reserve-doi"),
]
