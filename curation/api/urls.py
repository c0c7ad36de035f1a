"""The floor's part of the API."""

from curation.api.urls_authoring import urlpatterns as authoring
from curation.api.urls_jobs import urlpatterns as jobs
from curation.api.urls_releases import urlpatterns as releases

urlpatterns = [*authoring, *releases, *jobs]
