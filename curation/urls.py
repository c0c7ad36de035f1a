"""Pages of curation: suites and catalogue, templates and cases, releases."""

from curation.authoring.urls import urlpatterns as authoring
from curation.catalogue.urls import urlpatterns as catalogue
from curation.followed.urls import urlpatterns as followed
from curation.hubs.urls import urlpatterns as hubs
from curation.releases.urls import urlpatterns as releases

app_name = "curation"
urlpatterns = [*catalogue, *authoring, *followed, *hubs, *releases]
