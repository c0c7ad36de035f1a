"""Pages of core: background jobs, and the download of the audit log."""

from django.urls import path

from core import views
from core.jobs import urls as jobs

app_name = "core"
urlpatterns = [*jobs.urlpatterns, path("account/audit.csv", views.audit_csv, name="audit-csv")]
