"""The Celery application, the same in the embedded mode and on a cluster; request ids travel in message headers."""

import gc
import os
from typing import Any

from celery import Celery, signals
from celery.app.amqp import AMQP, Queues

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
QUEUES = ("light", "models")


class PrefixedQueues(Queues):  # type: ignore[misc]
    """`--queues light` means the queue of this instance, also where QUEUE_PREFIX tells several apart on one broker."""

    def select(self, include: Any) -> None:
        from django.conf import settings

        prefix = settings.QUEUE_PREFIX
        names = include.split(",") if isinstance(include, str) else include or []
        super().select([prefix + name if name in QUEUES else name for name in names] or include)


class PrefixedAMQP(AMQP):  # type: ignore[misc]
    queues_cls = PrefixedQueues


app = Celery("touchstone", task_cls="celery.contrib.django.task:DjangoTask", amqp=PrefixedAMQP)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.autodiscover_tasks(["core"], related_name="jobs.tasks")
app.autodiscover_tasks(["core"], related_name="notifications.tasks")


@signals.setup_logging.connect  # type: ignore[untyped-decorator]
def keep_our_logging(**_: Any) -> None:
    """Stops Celery from installing its own handlers."""


@signals.worker_init.connect  # type: ignore[untyped-decorator]
def share_memory(**_: Any) -> None:
    """What a worker has loaded when it forks stays shared: the garbage collector of the child does not touch it."""
    os.register_at_fork(before=gc.freeze)


@signals.before_task_publish.connect  # type: ignore[untyped-decorator]
def carry_request_id(headers: dict[str, Any], **_: Any) -> None:
    from accounts.request_id import request_id

    headers["request_id"] = request_id.get()


@signals.task_prerun.connect  # type: ignore[untyped-decorator]
def restore_request_id(task: Any, **_: Any) -> None:
    from accounts.request_id import request_id

    request_id.set(getattr(task.request, "request_id", None) or task.request.id)
