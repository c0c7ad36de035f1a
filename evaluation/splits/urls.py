"""Addresses of splits and experiments."""

from django.urls import URLPattern, path

from evaluation.splits import views as splits

urlpatterns: list[URLPattern] = [
    path("splits/", splits.splits_page, name="splits"),
    path("splits/new/", splits.new_split, name="split-new"),
    path("splits/<str:key>/", splits.split_page, name="split"),
    path("splits/<str:key>/release/", splits.release_split, name="split-release"),
    path("splits/<str:key>/picture/<slug:colour>.svg", splits.picture, name="split-picture"),
    path("splits/<str:key>/download/", splits.download, name="split-download"),
    path("splits/<str:key>/download/<str:name>", splits.download, name="split-file"),
    path("datasets/<slug:key>/experiments/new/", splits.new_experiment, name="experiment-new"),
    path("experiments/<str:key>/", splits.experiment_page, name="experiment"),
]
