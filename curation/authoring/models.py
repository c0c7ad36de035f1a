"""Templates, their versions (draft, submitted, approved, ...) and the texts of each version."""

from typing import Self

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone

from core.text import _
from curation.catalogue.models import CaseDetails, Functionality, Language, Suite, TargetGroup


class Relation(models.TextChoices):
    PERTURBS = "perturbs", _("is a perturbation of it")
    CONTRASTS = "contrasts", _("contrasts with it")


class VersionState(models.TextChoices):
    DRAFT = "draft", _("Draft")
    SUBMITTED = "submitted", _("Waiting for review")
    APPROVED = "approved", _("Approved")
    REJECTED = "rejected", _("Rejected")
    SUPERSEDED = "superseded", _("Replaced")


OPEN_STATES = [VersionState.DRAFT, VersionState.SUBMITTED]


class TemplateQuerySet(models.QuerySet["Template"]):
    def of(self, suite: Suite) -> Self:
        return self.filter(suite=suite)

    def in_order(self) -> Self:
        return self.order_by("language", "position", "key")


class Template(CaseDetails):
    suite = models.ForeignKey(Suite, on_delete=models.CASCADE, related_name="templates")
    language = models.ForeignKey(Language, on_delete=models.PROTECT, related_name="templates")
    functionality = models.ForeignKey(Functionality, on_delete=models.PROTECT, related_name="templates")
    key = models.CharField(max_length=80, help_text="Unique within the suite's language.")
    refers_to = models.CharField(max_length=80, blank=True, help_text="Key of the template it varies, same language.")
    relation = models.CharField(max_length=10, choices=Relation, blank=True)
    adapted_from = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="adaptations"
    )
    source_text = models.TextField(blank=True, help_text="The text in the language it was adapted from.")
    drafts = models.JSONField(default=dict, blank=True, help_text="Machine drafts shown beside: {'deepl': '...'}.")
    target = models.ForeignKey(
        TargetGroup, null=True, blank=True, on_delete=models.PROTECT, related_name="templates",
        help_text="Whom a text without placeholders is about; with placeholders the words tell.",
    )  # fmt: skip
    gold_label = models.CharField(
        max_length=60, blank=True, default="", db_default="",
        help_text="Only for a mixed functionality: the label of its cases.",
    )  # fmt: skip
    extra = models.JSONField(default=dict, blank=True, help_text="Imported columns that must come back on export.")
    position = models.PositiveIntegerField(default=0)

    objects = TemplateQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["suite", "language", "key"], name="one_template_per_key"),
            models.CheckConstraint(condition=models.Q(relation__in=["", *Relation.values]), name="known_relation"),
        ]
        indexes = [
            models.Index(fields=["suite", "language", "position"]),
            models.Index(fields=["suite", "functionality"]),
        ]

    def __str__(self) -> str:
        return f"template {self.key} ({self.language_id})"

    @property
    def label(self) -> str:
        """The gold label of its cases; "" where its functionality is mixed and nobody has chosen one yet."""
        return self.gold_label or self.functionality.gold_label

    def get_absolute_url(self) -> str:
        return reverse("curation:template", args=[self.suite.key, self.language.code, self.key])


class TemplateVersionQuerySet(models.QuerySet["TemplateVersion"]):
    def approved(self) -> Self:
        return self.filter(state=VersionState.APPROVED)

    def open(self) -> Self:
        return self.filter(state__in=OPEN_STATES)


class TemplateVersion(models.Model):
    """One wording. An approved version never changes; a new wording is a new version."""

    template = models.ForeignKey(Template, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    state = models.CharField(max_length=10, choices=VersionState, default=VersionState.DRAFT)
    defaults = models.CharField(max_length=200, blank=True, help_text="Features every placeholder takes on: Case=Dat.")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    reviewer = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    reason = models.TextField(blank=True, help_text="Why it was rejected, or where it was imported from.")
    created_at = models.DateTimeField(default=timezone.now)
    decided_at = models.DateTimeField(null=True)

    objects = TemplateVersionQuerySet.as_manager()

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(fields=["template", "number"], name="one_version_per_number"),
            models.UniqueConstraint(
                fields=["template"], condition=models.Q(state=VersionState.APPROVED), name="one_approved_version"
            ),
            models.UniqueConstraint(
                fields=["template"], condition=models.Q(state__in=OPEN_STATES), name="one_open_version"
            ),
            models.CheckConstraint(condition=models.Q(state__in=VersionState.values), name="known_version_state"),
            models.CheckConstraint(
                condition=models.Q(reviewer=None) | models.Q(author=None) | ~models.Q(reviewer=models.F("author")),
                name="reviewer_is_not_the_author",
            ),
        ]

    def __str__(self) -> str:
        return f"version {self.number} of {self.template}"


class TemplateVariant(models.Model):
    """One text of a version; `features` tells variants apart (Gender=Fem), empty where there is only one."""

    version = models.ForeignKey(TemplateVersion, on_delete=models.CASCADE, related_name="variants")
    features = models.CharField(max_length=200, blank=True)
    text = models.TextField()
    position = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["position", "id"]
        constraints = [models.UniqueConstraint(fields=["version", "features"], name="one_variant_per_features")]

    def __str__(self) -> str:
        return self.text


class ReviewComment(models.Model):
    version = models.ForeignKey(TemplateVersion, on_delete=models.CASCADE, related_name="comments")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    text = models.TextField()
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["created_at"]

    def __str__(self) -> str:
        return self.text
