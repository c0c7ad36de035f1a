"""What people decided about disputed cases, and agreement as it was measured at a moment."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from annotation.campaigns.models import Campaign
from curation.cases.models import KEEP
from curation.models import TestCase


class Decision(models.TextChoices):
    KEEP = KEEP, "Keep the case"
    EXCLUDE = "exclude", "Leave the case out"
    REWORD = "reword", "Replace it by a new wording"


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
    values = models.JSONField()

    class Meta:
        ordering = ["measured_at"]

    def __str__(self) -> str:
        return f"{self.campaign_id} at {self.measured_at:%Y-%m-%d}"
