"""Slots: made when a campaign opens, k per case, so that "exactly k" is a number of rows."""

from __future__ import annotations

import secrets

from django.db import models

from annotation.models.annotators import Annotator
from annotation.models.campaigns import Campaign, CampaignItem


class SlotState(models.TextChoices):
    OPEN = "open", "Open"
    CLAIMED = "claimed", "Taken"
    DONE = "done", "Done"


def new_assignment_key() -> str:
    return secrets.token_urlsafe(9)


class Assignment(models.Model):
    """A slot of a case. `label` is the one that counts now; how it came about is in the annotations, which never change."""

    key = models.CharField(max_length=16, default=new_assignment_key, unique=True)
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="assignments", db_index=False)
    item = models.ForeignKey(CampaignItem, on_delete=models.CASCADE, related_name="assignments", db_index=False)
    slot = models.PositiveSmallIntegerField()
    annotator = models.ForeignKey(
        Annotator, null=True, on_delete=models.PROTECT, related_name="assignments", db_index=False
    )
    state = models.CharField(max_length=7, choices=SlotState, default=SlotState.OPEN)
    lease_until = models.DateTimeField(null=True)
    order = models.PositiveIntegerField(default=0, help_text="In which order it is shown.")
    label = models.CharField(max_length=60, null=True, help_text="The label that counts now.")
    done_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "slot"], name="one_assignment_per_slot"),
            models.UniqueConstraint(
                fields=["item", "annotator"], condition=models.Q(annotator__isnull=False), name="nobody_labels_a_case_twice"
            ),
            models.CheckConstraint(condition=models.Q(state__in=SlotState.values), name="known_slot_state"),
            models.CheckConstraint(
                condition=models.Q(state=SlotState.OPEN) | models.Q(annotator__isnull=False), name="taken_slots_have_an_annotator"
            ),
        ]
        indexes = [
            models.Index(fields=["campaign", "state", "order"], name="slots_to_give_out"),
            models.Index(fields=["campaign", "annotator", "state", "order"], name="slots_of_an_annotator"),
            # Agreement is read from this index alone, in one pass.
            models.Index(fields=["campaign", "item", "label"], name="labels_by_item"),
        ]

    def __str__(self) -> str:
        return f"slot {self.slot} of item {self.item_id}"
