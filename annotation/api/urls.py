"""The app's part of the API."""

from annotation.api.urls_labelling import urlpatterns as labelling
from annotation.api.urls_managing import urlpatterns as managing

urlpatterns = [*labelling, *managing]
