"""Hypotheses and rules that experts write for a functionality: one row per version; a new wording is a new row."""

from __future__ import annotations

import hashlib
import json
from typing import Any, Self

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone

from core.text import _
from curation.models import Functionality, Language


class RuleSetName(models.TextChoices):
    """Which hypotheses a run is checked with."""

    TOUCHSTONE = "touchstone", _("Written by experts, otherwise those of Touchstone")
    PUBLISHED = "as_published", _("GPT-HateCheck as published (load your copy first)")


class CheckVersionQuerySet(models.QuerySet["CheckVersion"]):
    def about(self, functionality: Functionality, language: Language | None) -> Self:
        return self.filter(functionality=functionality, language=language).order_by("-number")

    def written(self) -> Self:
        return self.filter(is_published=False)

    def published(self) -> Self:
        return self.filter(is_published=True)


class CheckVersion(models.Model):
    """How the messages of a functionality are checked: hypotheses about parts of a message, and a rule over them."""

    functionality = models.ForeignKey(Functionality, on_delete=models.PROTECT, related_name="check_versions")
    language = models.ForeignKey(
        Language, null=True, on_delete=models.PROTECT, related_name="+", help_text="None: every language without own."
    )
    number = models.PositiveIntegerField()
    tests = models.JSONField(help_text="By name: premise (a part of the message) and hypothesis.")
    rule = models.JSONField(help_text="Names of tests, combined by all, any and not.")
    sha256 = models.CharField(max_length=64, db_index=True)
    is_published = models.BooleanField(default=False, help_text="The wording of GPT-HateCheck, from a user's own copy.")
    note = models.CharField(max_length=300, help_text="What changed and why.")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)

    objects = CheckVersionQuerySet.as_manager()

    class Meta:
        ordering = ["functionality", "language", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["functionality", "language", "number"], name="one_check_per_number"),
            models.UniqueConstraint(
                fields=["functionality", "number"],
                condition=models.Q(language__isnull=True),
                name="one_general_check_per_number",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.functionality.key}, {self.language or 'all languages'}, version {self.number}"

    def get_absolute_url(self) -> str:
        query = f"?language={self.language.code}" if self.language else ""
        return reverse("generation:check", args=[self.functionality.key]) + query


def hash_of(functionality: str, tests: dict[str, Any], rule: Any) -> str:
    """Return what tells two checks apart: the same wording has the same hash."""
    content = json.dumps([functionality, tests, rule], ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(content.encode()).hexdigest()
