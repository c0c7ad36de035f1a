"""Imports of labels that were taken back."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from annotation.campaigns.models import Campaign


class ImportReversal(models.Model):
    """Taking an import of labels back, append-only: the labels stay where they are and no longer count.

    The campaign that holds them is cancelled. Releases built before keep the labels they were built with.
    """

    campaign = models.OneToOneField(Campaign, on_delete=models.PROTECT, related_name="reversal")
    reason = models.TextField()
    made_at = models.DateTimeField(default=timezone.now)
    # The row can never be updated, not even when a person is deleted.
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.DO_NOTHING, db_constraint=False, related_name="+"
    )

    def __str__(self) -> str:
        return f"{self.campaign_id} taken back"
