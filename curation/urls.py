"""Pages of curation: suites and catalogue, templates and cases, releases."""

from curation.authoring.urls import urlpatterns as authoring
from curation.catalogue.urls import urlpatterns as catalogue
from curation.hubs.urls import urlpatterns as hubs
from curation.releases.urls import urlpatterns as releases

app_name = "curation"
urlpatterns = [*catalogue, *authoring, *hubs, *releases]
