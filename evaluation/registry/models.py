"""Models under test and their versions. A version is whatever decides the answers, told apart by its fingerprint."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone

from core.text import _
from evaluation.runners.loading import runner_kinds

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from accounts.models import User

UPLOADED = "upload"  # the kind of a model that is known by a file of predictions only


class DetectionModelQuerySet(models.QuerySet["DetectionModel"]):
    def visible_to(self, user: User | AnonymousUser) -> Self:
        """Maintainers and experts see all; everybody else those on a leaderboard and those they registered."""
        if not user.is_authenticated:
            return self.filter(on_leaderboard=True)
        if user.is_maintainer or user.is_expert:
            return self.all()
        return self.filter(models.Q(on_leaderboard=True) | models.Q(created_by=user))

    def current(self) -> Self:
        """Those that are not archived."""
        return self.filter(archived_at=None)

    def named(self, name: str) -> Self:
        """Those of this key or name."""
        return self.filter(models.Q(key=name) | models.Q(name=name))


class DetectionModel(models.Model):
    key = models.SlugField(max_length=80, unique=True)
    name = models.CharField(max_length=160, unique=True)
    description = models.TextField(blank=True)
    trained_on = models.JSONField(
        default=list, blank=True, help_text="Language codes it was trained on; empty if unknown."
    )
    on_leaderboard = models.BooleanField(default=False, help_text="Results may be shown publicly.")
    is_starred = models.BooleanField(default=False, help_text="Results show it before newer models.")
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    archived_at = models.DateTimeField(null=True, blank=True, help_text="Lists hide it since then.")

    objects = DetectionModelQuerySet.as_manager()

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("evaluation:model", args=[self.key])


class ModelVersionQuerySet(models.QuerySet["ModelVersion"]):
    def current(self) -> Self:
        """Those of models that are not archived."""
        return self.filter(model__archived_at=None)

    def askable(self) -> Self:
        """Those that can answer new texts; of the others only a file of predictions is known."""
        # exclude() alone would also leave out versions whose description names no kind.
        return self.filter(models.Q(description__kind__isnull=True) | ~models.Q(description__kind=UPLOADED))

    def by_key(self, key: str, number: int | None = None) -> Self:
        """The versions of a model, newest first; with a number (or the key `model@number`) only that one."""
        model, at, behind = key.rpartition("@")
        if at and model and behind.isdecimal():
            key, number = model, int(behind)
        found = self.filter(model__key=key).select_related("model").order_by("-number")
        return found if number is None else found.filter(number=number)

    def paid(self) -> Self:
        """Those that are paid by the token."""
        return self.filter(description__kind__in=[kind for kind, runner in runner_kinds().items() if runner.is_paid])


class ModelVersion(models.Model):
    model = models.ForeignKey(DetectionModel, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    spec = models.JSONField(help_text="How to load it: hf:PATH_OR_ID, http:FILE.yaml, ..., or a description.")
    fingerprint = models.CharField(max_length=80)
    description = models.JSONField(default=dict, help_text="What the runner says about itself.")
    created_at = models.DateTimeField(default=timezone.now)

    objects = ModelVersionQuerySet.as_manager()

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(fields=["model", "number"], name="one_model_version_per_number"),
            models.UniqueConstraint(fields=["model", "fingerprint"], name="one_model_version_per_fingerprint"),
        ]

    def __str__(self) -> str:
        return f"{self.model} (version {self.number})"

    @property
    def key(self) -> str:
        return f"{self.model.key}@{self.number}"

    @property
    def title(self) -> str:
        """What pages call it, in the reader's language."""
        return _("%(model)s (version %(number)s)", model=self.model.name, number=str(self.number))

    @property
    def is_askable(self) -> bool:
        """Whether it can answer new texts; as the QuerySet method, for a version at hand."""
        return bool(self.description.get("kind") != UPLOADED)

    @property
    def is_paid(self) -> bool:
        """Whether it is paid by the token; as the QuerySet method, for a version at hand."""
        runner = runner_kinds().get(self.description.get("kind", ""))
        return runner is not None and runner.is_paid
