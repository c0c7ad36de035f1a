"""Pages of the app: what annotators see, and what managers see."""

from annotation.urls_labelling import urlpatterns as labelling
from annotation.urls_managing import urlpatterns as managing

app_name = "annotation"
urlpatterns = [*labelling, *managing]
