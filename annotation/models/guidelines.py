"""Guidelines, versioned per language: what annotators were told is part of what their labels mean."""

from __future__ import annotations

from typing import Self

from django.conf import settings
from django.db import models
from django.utils import timezone

from curation.models import Language


class GuidelineQuerySet(models.QuerySet["Guideline"]):
    def newest_first(self) -> Self:
        """By the name of the language."""
        return self.order_by("language__name", "language", "-version")


class Guideline(models.Model):
    language = models.ForeignKey(Language, on_delete=models.PROTECT, related_name="guidelines")
    version = models.PositiveIntegerField()
    title = models.CharField(max_length=160)
    text = models.TextField(help_text="Markdown.")
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")

    objects = GuidelineQuerySet.as_manager()

    class Meta:
        ordering = ["language", "-version"]
        constraints = [models.UniqueConstraint(fields=["language", "version"], name="one_guideline_per_version")]

    def __str__(self) -> str:
        return f"{self.title} (version {self.version})"
