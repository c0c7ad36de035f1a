"""Addresses of authoring: suites, catalogue and lexicon; templates and cases."""

from django.urls import URLPattern

from curation.urls_authoring_catalogue import urlpatterns as catalogue
from curation.urls_authoring_templates import urlpatterns as templates

urlpatterns: list[URLPattern] = [*catalogue, *templates]
