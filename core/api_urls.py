"""The API of core: background jobs."""

from core.jobs.api_urls import urlpatterns

__all__ = ["urlpatterns"]
