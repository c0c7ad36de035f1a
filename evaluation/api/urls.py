"""The app's part of the API."""

from evaluation.api.urls_attacks import urlpatterns as attacks
from evaluation.api.urls_results import urlpatterns as results
from evaluation.api.urls_splits import urlpatterns as splits

urlpatterns = [*results, *attacks, *splits]
