"""Runs of a model on a release, their chunks, and their predictions, which are append-only."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any, Self

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone

from core.fields import SentenceField
from core.models import Job
from core.text import _, recall
from curation.models import Release, ReleaseCase
from evaluation.registry.models import ModelVersion

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from accounts.models import User


class RunState(models.TextChoices):
    QUEUED = "queued", _("Waiting")
    RUNNING = "running", _("Running")
    DONE = "done", _("Done")
    FAILED = "failed", _("Failed")
    CANCELLED = "cancelled", _("Stopped")


class RunSource(models.TextChoices):
    RUN = "run", _("Computed here")
    UPLOAD = "upload", _("Uploaded")


def new_run_key() -> str:
    return f"run-{secrets.token_hex(6)}"


class EvaluationRunQuerySet(models.QuerySet["EvaluationRun"]):
    def finished(self) -> Self:
        """Those with results, without those that are archived, themselves or with their model."""
        return self.measured().current()

    def measured(self) -> Self:
        """Those with results, archived ones too: links that were shared still show them."""
        return self.filter(state=RunState.DONE)

    def current(self) -> Self:
        """Those that are not archived, themselves or with their model."""
        return self.filter(archived_at=None, model_version__model__archived_at=None)

    def visible_to(self, user: User | AnonymousUser) -> Self:
        """Experts and maintainers see all; everybody else finished runs on public releases of leaderboard models.

        People also see the runs that they started.
        """
        public = models.Q(state=RunState.DONE, model_version__model__on_leaderboard=True, release__access="public")
        if not user.is_authenticated:
            return self.filter(public)
        if user.is_maintainer or user.is_expert:
            return self.all()
        return self.filter(public | models.Q(created_by=user))


class EvaluationRun(models.Model):
    key = models.CharField(max_length=40, unique=True, default=new_run_key)
    release = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="runs")
    model_version = models.ForeignKey(ModelVersion, on_delete=models.PROTECT, related_name="runs")
    source = models.CharField(max_length=6, choices=RunSource, default=RunSource.RUN)
    state = models.CharField(max_length=10, choices=RunState, default=RunState.QUEUED)
    error = SentenceField(blank=True)
    options = models.JSONField(default=dict)
    environment = models.JSONField(
        default=dict, help_text="Packages, commit, device, settings: what the run can be traced to."
    )
    file_hash = models.CharField(max_length=64, blank=True, help_text="Of an uploaded file.")
    job = models.ForeignKey(Job, null=True, on_delete=models.SET_NULL, related_name="runs")
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    finished_at = models.DateTimeField(null=True)
    archived_at = models.DateTimeField(null=True, blank=True, help_text="Lists hide it since then.")

    objects = EvaluationRunQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.CheckConstraint(condition=models.Q(state__in=RunState.values), name="known_run_state"),
            models.CheckConstraint(condition=models.Q(source__in=RunSource.values), name="known_run_source"),
        ]

    def __str__(self) -> str:
        return f"{self.model_version.model} on {self.release}"

    def get_absolute_url(self) -> str:
        return reverse("evaluation:run", args=[self.key])

    @property
    def title(self) -> str:
        """What pages call it, in the reader's language."""
        return _("%(model)s on %(release)s", model=self.model_version.model.name, release=self.release.key)

    @property
    def is_archived(self) -> bool:
        """Whether lists hide it, for itself or with its model."""
        return bool(self.archived_at or self.model_version.model.archived_at)

    @property
    def problems(self) -> list[dict[str, Any]]:
        """What was noted about an uploaded file."""
        return list(recall(self.environment.get("problems", [])))

    @property
    def languages(self) -> list[str]:
        """The languages it is restricted to; empty where it covers the whole release."""
        return list(self.options.get("languages", ()))

    def cases(self) -> models.QuerySet[ReleaseCase]:
        """Return the cases the model is asked about."""
        found = ReleaseCase.objects.filter(release=self.release)
        return found.filter(language__in=self.languages) if self.languages else found


class Prediction(models.Model):
    run = models.ForeignKey(EvaluationRun, on_delete=models.CASCADE, related_name="predictions", db_index=False)
    release_case = models.ForeignKey(ReleaseCase, on_delete=models.PROTECT, related_name="predictions")
    label = models.CharField(max_length=60, null=True, help_text="Empty where the model gave no usable answer.")
    score = models.FloatField(null=True)
    is_refusal = models.BooleanField(default=False)
    raw = models.TextField(blank=True)
    error = SentenceField(blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "release_case"], name="one_prediction_per_case")]

    def __str__(self) -> str:
        return self.label or "no answer"


class Report(models.Model):
    """The measures of a run, stored so that pages need no recomputing."""

    run = models.OneToOneField(EvaluationRun, on_delete=models.CASCADE, related_name="report")
    values = models.JSONField()
    measured_at = models.DateTimeField(default=timezone.now)
    code_version = models.CharField(max_length=40, blank=True)

    def __str__(self) -> str:
        return f"report of {self.run_id}"


class RunChunk(models.Model):
    run = models.ForeignKey(EvaluationRun, on_delete=models.CASCADE, related_name="chunks", db_index=False)
    number = models.PositiveIntegerField()
    cases = models.JSONField(help_text="Ids of the cases to ask about.")
    holder = models.CharField(
        max_length=60, blank=True, help_text="The job and its attempt that has it; empty if free."
    )
    is_done = models.BooleanField(default=False)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["run", "number"], name="one_chunk_per_number")]

    def __str__(self) -> str:
        return f"chunk {self.number} of {self.run_id}"
