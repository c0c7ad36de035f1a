"""Pages of core: background jobs, inbox and webhooks, search and help, and the download of the audit log."""

from django.urls import path

from core import views
from core.help import views as help_pages
from core.jobs import urls as jobs
from core.notifications import urls as notifications
from core.search.views import search_page

app_name = "core"
urlpatterns = [
    *jobs.urlpatterns,
    *notifications.urlpatterns,
    path("account/audit.csv", views.audit_csv, name="audit-csv"),
    path("search/", search_page, name="search"),
    path("help/", help_pages.help_index, name="help"),
    path("help/<slug:slug>/", help_pages.help_chapter, name="help-chapter"),
]
