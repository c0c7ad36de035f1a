"""Labels as they were given: append-only. Undoing and changing one's mind add a revision."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from annotation.models.annotators import Annotator
from annotation.models.slots import Assignment


class Kind(models.TextChoices):
    LABEL = "label", "Labelled"
    SKIP = "skip", "Skipped"
    UNDO = "undo", "Taken back"


class Annotation(models.Model):
    assignment = models.ForeignKey(Assignment, on_delete=models.PROTECT, related_name="annotations")
    annotator = models.ForeignKey(Annotator, on_delete=models.PROTECT, related_name="annotations")
    client_id = models.CharField(max_length=40, help_text="Made by the client: sending it again changes nothing.")
    revision = models.PositiveSmallIntegerField(default=1)
    kind = models.CharField(max_length=6, choices=Kind, default=Kind.LABEL)
    label = models.CharField(max_length=60, blank=True)
    comment = models.TextField(blank=True)
    is_unrealistic = models.BooleanField(default=False)
    unrealistic_because = models.CharField(max_length=300, blank=True)
    milliseconds = models.PositiveIntegerField(null=True, help_text="How long the text was looked at.")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["annotator", "client_id"], name="one_annotation_per_client_id"),
            models.UniqueConstraint(fields=["assignment", "revision"], name="one_annotation_per_revision"),
            models.CheckConstraint(condition=models.Q(kind__in=Kind.values), name="known_annotation_kind"),
        ]
        indexes = [
            models.Index(fields=["annotator", "created_at"]),
            models.Index(fields=["annotator"], condition=models.Q(kind="skip"), name="skips_of_an_annotator"),
        ]

    def __str__(self) -> str:
        return self.label or self.kind
