"""Pages of the app annotation."""

from django.urls import URLPattern

app_name = "annotation"
urlpatterns: list[URLPattern] = []
