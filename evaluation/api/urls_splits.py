"""Addresses of splits."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
