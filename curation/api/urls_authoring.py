"""API addresses of authoring."""

from django.urls import URLPattern, URLResolver

from curation.api.urls_authoring_catalogue import urlpatterns as catalogue
from curation.api.urls_authoring_templates import urlpatterns as templates

urlpatterns: list[URLPattern | URLResolver] = [*catalogue, *templates]
