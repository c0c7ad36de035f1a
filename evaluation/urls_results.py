"""Addresses of results."""

from django.urls import URLPattern, path

from evaluation.views import runs

urlpatterns: list[URLPattern] = [
    path("results/runs/<str:key>/", runs.run_page, name="run"),
    path("results/runs/<str:key>/progress/", runs.run_progress, name="run-progress"),
    path("results/runs/<str:key>/cases/", runs.run_cases, name="run-cases"),
    path("results/runs/<str:key>/charts/<slug:name>.svg", runs.run_chart, name="run-chart"),
    path("results/runs/<str:key>/stop/", runs.run_stop, name="run-stop"),
    path("results/runs/<str:key>/resume/", runs.run_resume, name="run-resume"),
]
