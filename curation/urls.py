"""Pages of the floor: authoring, releases, jobs."""

from curation.urls_authoring import urlpatterns as authoring
from curation.urls_jobs import urlpatterns as jobs
from curation.urls_releases import urlpatterns as releases

app_name = "curation"
urlpatterns = [*authoring, *releases, *jobs]
