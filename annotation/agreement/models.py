"""What people decided about disputed cases, and agreement as it was measured at a moment."""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.db import models
from django.utils import timezone

from annotation.campaigns.models import Campaign
from core.text import _, keep, recall
from curation.cases.models import KEEP
from curation.models import TestCase


class Decision(models.TextChoices):
    KEEP = KEEP, _("Keep the case")
    EXCLUDE = "exclude", _("Leave the case out")
    REWORD = "reword", _("Replace the case with a new wording")


class MeasuresField(models.JSONField):
    """Measures as JSON, whose sentences (why one is undefined) can be shown in any language later."""

    def deconstruct(self) -> tuple[str, str, Sequence[Any], dict[str, Any]]:
        """Be a column like every other of JSON: migrations need not know this class."""
        name, _path, args, kwargs = super().deconstruct()
        return name, "django.db.models.JSONField", args, kwargs

    def get_prep_value(self, value: Any) -> Any:
        return super().get_prep_value(keep(value) if isinstance(value, dict) else value)

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        return recall(super().from_db_value(value, expression, connection))


class Adjudication(models.Model):
    """Append-only; the newest counts."""

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="adjudications")
    case = models.ForeignKey(TestCase, on_delete=models.PROTECT, related_name="adjudications")
    decision = models.CharField(max_length=8, choices=Decision)
    reason = models.TextField()
    new_case = models.ForeignKey(TestCase, null=True, on_delete=models.PROTECT, related_name="+")
    # The row can never be updated, not even when a person is deleted.
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.DO_NOTHING, db_constraint=False, related_name="+"
    )
    decided_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-decided_at"]
        constraints = [models.CheckConstraint(condition=models.Q(decision__in=Decision.values), name="known_decision")]

    def __str__(self) -> str:
        return f"{self.case_id}: {self.decision}"


class AgreementReport(models.Model):
    """Agreement as it stood, for the curve over time and for releases."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="agreement_reports")
    measured_at = models.DateTimeField(default=timezone.now)
    labels = models.PositiveIntegerField()
    values = MeasuresField()

    class Meta:
        ordering = ["measured_at"]

    def __str__(self) -> str:
        return f"{self.campaign_id} at {self.measured_at:%Y-%m-%d}"
