"""Addresses of authoring."""

from django.urls import URLPattern

from curation.api.urls_authoring_templates import urlpatterns as templates

urlpatterns: list[URLPattern] = [*templates]
