"""Pages of the app evaluation."""

from django.urls import URLPattern

app_name = "evaluation"
urlpatterns: list[URLPattern] = []
