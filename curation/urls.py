"""Pages of the app curation."""

from django.urls import URLPattern

app_name = "curation"
urlpatterns: list[URLPattern] = []
