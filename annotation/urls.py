"""Pages of the app: what annotators see, and what managers see."""

from annotation.campaigns.urls import urlpatterns as managing
from annotation.labelling.urls import urlpatterns as labelling

app_name = "annotation"
urlpatterns = [*labelling, *managing]
