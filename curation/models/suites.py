"""A suite: what is worked on and released."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.urls import reverse
from django.utils import timezone

from curation.models.catalogue import Language

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from accounts.models import User


class Policy(models.TextChoices):
    EXCLUDE = "exclude", "Exclude cases people disagree on"
    MARK = "mark", "Keep them, marked"


def default_labels() -> list[str]:
    return ["hateful", "non-hateful"]


class SuiteQuerySet(models.QuerySet["Suite"]):
    def visible_to(self, user: User | AnonymousUser) -> Self:
        """Experts and maintainers see the workshop; everybody else sees suites that have a public release."""
        if user.is_authenticated and (user.is_maintainer or user.is_expert):
            return self.all()
        return self.filter(releases__state="published", releases__access__in=["public", "request"]).distinct()


class Suite(models.Model):
    key = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=160)
    description = models.TextField(blank=True)
    licence = models.CharField(max_length=120, blank=True)
    authors = models.JSONField(default=list, blank=True)
    languages = models.ManyToManyField(Language, related_name="suites")
    labels = models.JSONField(
        default=default_labels, help_text="The labels cases can have; the first is the positive one."
    )
    raters = models.PositiveSmallIntegerField(default=5, validators=[MinValueValidator(1), MaxValueValidator(100)])
    threshold = models.PositiveSmallIntegerField(default=4, help_text="So many raters must agree with gold.")
    policy = models.CharField(max_length=8, choices=Policy, default=Policy.EXCLUDE)
    format = models.CharField(max_length=20, blank=True, help_text="The published format it came from, if any.")
    layouts = models.JSONField(default=list, blank=True, help_text="How imported word files were laid out.")
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")

    objects = SuiteQuerySet.as_manager()

    class Meta:
        ordering = ["name"]
        constraints = [
            models.CheckConstraint(condition=models.Q(policy__in=Policy.values), name="known_policy"),
            models.CheckConstraint(
                condition=models.Q(threshold__lte=models.F("raters")), name="threshold_within_raters"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("curation:suite", args=[self.key])

    @property
    def positive_label(self) -> str:
        return str(self.labels[0])
