"""Addresses of models and results."""

from django.urls import URLPattern, path

from evaluation.registry import views as models
from evaluation.registry.archive_views import archive_page, delete_page, restore_page
from evaluation.registry.preset_views import presets_page
from evaluation.results.views import compare, perspectives, pictures, results
from evaluation.runs import views as runs
from evaluation.training import views as training

urlpatterns: list[URLPattern] = [
    path("models/", models.models_page, name="models"),
    path("models/new/", models.model_new, name="model-new"),
    path("models/presets/", presets_page, name="model-presets"),
    path("models/train/", training.model_train, name="model-train"),
    path("models/<slug:key>/", models.model_page, name="model"),
    path("models/<slug:key>/star/", models.model_star, name="model-star"),
    path("models/<slug:key>/run/", models.model_run, name="model-run"),
    path("models/<slug:key>/estimate/", models.model_estimate, name="model-estimate"),
    path("models/<slug:key>/try/", models.model_try, name="model-try"),
    path("models/<slug:key>/try/<str:job>/", models.model_tried, name="model-tried"),
    *(
        path(f"{place}<str:key>/{verb}/", view, {"kind": kind}, name=f"{kind[:-1]}-{verb}")
        for kind, place in (("models", "models/"), ("runs", "results/runs/"))
        for verb, view in (("archive", archive_page), ("restore", restore_page), ("delete", delete_page))
    ),
    path("results/", results.results_page, name="results"),
    path("results/upload/", results.upload, name="upload"),
    path("results/download/<slug:file_format>/", results.download, name="download"),
    path("results/pictures/<slug:kind>/", pictures.picture_file, name="picture"),
    path("results/group-labels/<slug:suite>/<str:version>/", perspectives.group_labels, name="group-labels"),
    path("results/share/", results.share, name="share"),
    path("results/shared/<str:token>/", results.shared_page, name="shared"),
    path("results/shared/<str:token>/withdraw/", results.unshare, name="unshare"),
    path("results/compare/", compare.compare, name="compare"),
    path("results/compare/<slug:change>.csv", compare.changes_file, name="changes-file"),
    path("results/compare/files/<slug:file_format>/", compare.comparison_file, name="comparison-file"),
    path("results/leaderboard/<slug:suite>/<str:version>/", compare.leaderboard, name="leaderboard"),
    path("results/runs/<str:key>/", runs.run_page, name="run"),
    path("results/runs/<str:key>/progress/", runs.run_progress, name="run-progress"),
    path("results/runs/<str:key>/cases/", runs.run_cases, name="run-cases"),
    path("results/runs/<str:key>/cases.csv", runs.run_cases_file, name="run-cases-file"),
    path("results/runs/<str:key>/charts/<slug:name>.<slug:form>", runs.run_chart, name="run-chart"),
    path("results/runs/<str:key>/stop/", runs.run_stop, name="run-stop"),
    path("results/runs/<str:key>/resume/", runs.run_resume, name="run-resume"),
]
