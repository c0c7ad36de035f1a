"""Addresses of results."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
