"""Pages of the app generation."""

from django.urls import URLPattern

app_name = "generation"
urlpatterns: list[URLPattern] = []
