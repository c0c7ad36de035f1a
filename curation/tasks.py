"""The Celery tasks of curation; the work itself is in services."""

from celery import shared_task


@shared_task(name="curation.refresh_followed")  # type: ignore[untyped-decorator]
def refresh_followed() -> None:
    """Queue a job that reads every followed index."""
    from curation.followed.services import request_refresh
    from curation.models import FollowedIndex

    if FollowedIndex.objects.exists():
        request_refresh(by=None)
