"""Labelled data for training, attacks and splits: private, checksummed, the file is kept as it came."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone

from core.text import recall

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from accounts.models import User


class DatasetQuerySet(models.QuerySet["Dataset"]):
    def visible_to(self, user: User | AnonymousUser) -> Self:
        """Private: its owner, and maintainers."""
        if not user.is_authenticated:
            return self.none()
        return self.all() if user.is_maintainer else self.filter(owner=user)


class Dataset(models.Model):
    key = models.SlugField(max_length=80, unique=True)
    title = models.CharField(max_length=160)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="datasets")
    language = models.CharField(max_length=20, blank=True)
    file = models.CharField(max_length=300, help_text="Below the folder for uploads.")
    mapping = models.JSONField(
        default=dict, help_text="Which columns hold text, label and split, and how labels are read."
    )
    labels = models.JSONField(default=list)
    counts = models.JSONField(default=dict, help_text="Rows by part and label.")
    sha256 = models.CharField(max_length=64)
    created_at = models.DateTimeField(default=timezone.now)

    objects = DatasetQuerySet.as_manager()

    class Meta:
        ordering = ["title"]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return reverse("evaluation:dataset", args=[self.key])

    @property
    def notes(self) -> list[str]:
        """What was noticed when the file was read."""
        found: list[str] = recall(self.mapping.get("notes", []))
        return found
