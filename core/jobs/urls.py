"""Addresses of jobs."""

from django.urls import URLPattern, path

from core.jobs import views as jobs

urlpatterns: list[URLPattern] = [
    path("jobs/", jobs.jobs_page, name="jobs"),
    path("jobs/<str:key>/", jobs.job_page, name="job"),
    path("jobs/<str:key>/progress/", jobs.job_progress, name="job-progress"),
    path("jobs/<str:key>/cancel/", jobs.cancel_job, name="job-cancel"),
    path("jobs/<str:key>/resume/", jobs.resume_job, name="job-resume"),
]
