"""The API of core: background jobs, inbox and webhooks."""

from core.jobs import api_urls as jobs
from core.notifications import api_urls as notifications

urlpatterns = [*jobs.urlpatterns, *notifications.urlpatterns]
