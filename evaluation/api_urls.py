"""The app's part of the API."""

from evaluation.attacks.api_urls import urlpatterns as attacks
from evaluation.results.api_urls import urlpatterns as results
from evaluation.splits.api_urls import urlpatterns as splits

urlpatterns = [*results, *attacks, *splits]
