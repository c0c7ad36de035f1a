"""The API of curation."""

from curation.authoring.api_urls import urlpatterns as authoring
from curation.catalogue.api_urls import urlpatterns as catalogue
from curation.followed.api_urls import urlpatterns as followed
from curation.hubs.api_urls import urlpatterns as hubs
from curation.releases.api_urls import urlpatterns as releases

urlpatterns = [*catalogue, *authoring, *followed, *hubs, *releases]
