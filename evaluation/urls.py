"""Pages of the app: models and results, attacks, splits."""

from evaluation.attacks.urls import urlpatterns as attacks
from evaluation.results.urls import urlpatterns as results
from evaluation.splits.urls import urlpatterns as splits

app_name = "evaluation"
urlpatterns = [*results, *attacks, *splits]
