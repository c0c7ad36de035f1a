"""Background jobs: their state lives in the database; the broker only wakes a worker."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Self

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone

from core.fields import SentenceField
from core.json_fields import SentencesField
from core.states import Moves
from core.text import Text, _

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from accounts.models import User


class JobState(models.TextChoices):
    QUEUED = "queued", _("Waiting")
    RUNNING = "running", _("Running")
    DONE = "done", _("Done")
    FAILED = "failed", _("Failed")
    CANCELLED = "cancelled", _("Stopped")


FINISHED = [JobState.DONE, JobState.FAILED, JobState.CANCELLED]
JOB_MOVES: Moves = {
    JobState.QUEUED: {JobState.RUNNING, JobState.CANCELLED},
    # A job whose worker died is still "running" when another worker takes it over.
    JobState.RUNNING: {JobState.RUNNING, JobState.QUEUED, JobState.DONE, JobState.FAILED, JobState.CANCELLED},
    JobState.FAILED: {JobState.QUEUED},
    JobState.CANCELLED: {JobState.QUEUED},
}


def new_job_key() -> str:
    return f"job-{secrets.token_hex(6)}"


class JobQuerySet(models.QuerySet["Job"]):
    def visible_to(self, user: User | AnonymousUser) -> Self:
        """Maintainers see all jobs, everybody else their own."""
        if not user.is_authenticated:
            return self.none()
        return self.all() if user.is_maintainer else self.filter(requested_by=user)

    def unfinished(self) -> Self:
        return self.exclude(state__in=FINISHED)

    def matching(self, *, state: str = "", kind: str = "") -> Self:
        """What a page's filters leave; "unfinished" is a state of its own, an empty filter leaves everything."""
        found = self.unfinished() if state == "unfinished" else self.filter(state=state) if state else self
        return found.filter(kind=kind) if kind else found

    def due(self) -> Self:
        """Waiting, and not told to wait longer."""
        return self.filter(state=JobState.QUEUED, not_before__lte=timezone.now())

    def abandoned(self) -> Self:
        """Running, but nobody has held the lease up."""
        return self.filter(state=JobState.RUNNING, lease_until__lt=timezone.now())


class Job(models.Model):
    key = models.CharField(max_length=40, unique=True, default=new_job_key)
    kind = models.CharField(max_length=80)
    title = SentenceField()
    payload = models.JSONField(default=dict)
    queue = models.CharField(max_length=20, default="light")
    state = models.CharField(max_length=10, choices=JobState, default=JobState.QUEUED)
    requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="jobs"
    )
    created_at = models.DateTimeField(default=timezone.now)
    not_before = models.DateTimeField(default=timezone.now)
    notified_at = models.DateTimeField(null=True, help_text="When the workers were last notified.")
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    worker = models.CharField(max_length=120, blank=True)
    lease_until = models.DateTimeField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    max_attempts = models.PositiveSmallIntegerField(default=5)
    cancel_requested = models.BooleanField(default=False)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(null=True)
    message = SentenceField(blank=True)
    checkpoint = models.JSONField(default=dict, help_text="Where to resume after a crash.")
    result = SentencesField(null=True)
    error = SentenceField(blank=True)
    result_url = models.CharField(max_length=300, blank=True)

    objects = JobQuerySet.as_manager()

    class Meta:
        db_table = "curation_job"
        ordering = ["-created_at", "-id"]
        indexes = [models.Index(fields=["state", "not_before"]), models.Index(fields=["requested_by", "-created_at"])]
        constraints = [models.CheckConstraint(condition=models.Q(state__in=JobState.values), name="known_job_state")]

    def __str__(self) -> str:
        title: str = self.title
        return title

    def get_absolute_url(self) -> str:
        return reverse("core:job", args=[self.key])

    @property
    def is_finished(self) -> bool:
        return self.state in FINISHED

    @property
    def kind_title(self) -> str:
        """What kind of work it is, as pages call it."""
        from core.jobs.running import KINDS

        return KINDS[self.kind].title if self.kind in KINDS else self.kind

    @property
    def reason(self) -> str:
        """The error for people. Of an unexpected one it is the first line; the rest is for developers."""
        return self.error if isinstance(self.error, Text) else self.error.partition("\n")[0]

    @property
    def share_done(self) -> float | None:
        return min(self.done / self.total, 1.0) if self.total else None
