"""The Celery tasks of the outbox; the schedule is in the settings."""

from celery import shared_task

from core.notifications import delivering


@shared_task(name="core.deliver_messages")  # type: ignore[untyped-decorator]
def deliver_messages() -> None:
    delivering.deliver()


@shared_task(name="core.queue_digests")  # type: ignore[untyped-decorator]
def queue_digests() -> None:
    delivering.queue_digests()
