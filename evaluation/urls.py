"""Pages of the app: models and results, attacks, splits."""

from evaluation.urls_attacks import urlpatterns as attacks
from evaluation.urls_results import urlpatterns as results
from evaluation.urls_splits import urlpatterns as splits

app_name = "evaluation"
urlpatterns = [*results, *attacks, *splits]
