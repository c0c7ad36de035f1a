"""Pages of the app: models and results, data sets, training, attacks, splits."""

from django.urls import path

from evaluation.attacks import sheet_views
from evaluation.attacks import views as attacks
from evaluation.datasets import views as datasets
from evaluation.results.urls import urlpatterns as results
from evaluation.splits import views as splits
from evaluation.training import views as training

app_name = "evaluation"
urlpatterns = [
    *results,
    path("datasets/", datasets.datasets_page, name="datasets"),
    path("datasets/new/", datasets.import_page, name="dataset-new"),
    path("datasets/<slug:key>/", datasets.dataset_page, name="dataset"),
    path("datasets/<slug:key>/delete/", datasets.delete, name="dataset-delete"),
    path("datasets/<slug:key>/contamination/", training.dataset_check, name="dataset-check"),
    path("datasets/<slug:key>/inoculation/", training.dataset_inoculate, name="dataset-inoculate"),
    path("runs/<str:key>/material/", training.run_material, name="run-material"),
    path("attacks/", attacks.attacks_page, name="attacks"),
    path("attacks/new/", attacks.new_attack, name="attack-new"),
    path("attacks/<str:key>/", attacks.attack_page, name="attack"),
    path("attacks/<str:key>/download/", attacks.download, name="attack-download"),
    path("attacks/<str:key>/scores.<slug:form>", sheet_views.scores_sheet, name="attack-sheet"),
    path("attacks/<str:key>/posts/", attacks.posts_page, name="attack-posts"),
    path("attacks/<str:key>/scores/<int:pk>/answers/", attacks.answers_file, name="attack-answers-file"),
    path("attacks/<str:key>/models/", attacks.attack_model, name="attack-model"),
    path("attacks/<str:key>/estimate/", attacks.attack_estimate, name="attack-estimate"),
    path("attacks/<str:key>/answers/", attacks.upload_answers, name="attack-answers"),
    path("attacks/<str:key>/spread/", attacks.attack_spread, name="attack-spread"),
    path("attacks/<str:key>/suite/", attacks.make_suite, name="attack-suite"),
    path("models/<slug:key>/attacks/", attacks.model_attacks, name="model-attacks"),
    path("splits/", splits.splits_page, name="splits"),
    path("splits/new/", splits.new_split, name="split-new"),
    path("splits/<str:key>/", splits.split_page, name="split"),
    path("splits/<str:key>/release/", splits.release_split, name="split-release"),
    path("splits/<str:key>/picture/<slug:colour>.<slug:form>", splits.picture, name="split-picture"),
    path("splits/<str:key>/download/", splits.download, name="split-download"),
    path("splits/<str:key>/download/<str:name>", splits.download, name="split-file"),
    path("datasets/<slug:key>/experiments/new/", splits.new_experiment, name="experiment-new"),
    path("experiments/<str:key>/results.<slug:form>", splits.results_sheet, name="experiment-sheet"),
    path("experiments/<str:key>/", splits.experiment_page, name="experiment"),
]
