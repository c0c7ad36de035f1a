"""The app's part of the API."""

from annotation.campaigns.api_urls import urlpatterns as managing
from annotation.labelling.api_urls import urlpatterns as labelling

urlpatterns = [*labelling, *managing]
