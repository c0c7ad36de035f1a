"""Slots: made when a campaign opens, k per case, so that "exactly k" is a number of rows."""

from __future__ import annotations

import base64
import secrets
from typing import Self

from django.db import models

from annotation.models.annotators import Annotator
from annotation.models.campaigns import Campaign, CampaignItem, Role


class SlotState(models.TextChoices):
    OPEN = "open", "Open"
    CLAIMED = "claimed", "Taken"
    DONE = "done", "Done"


KEY_BYTES = 9  # 72 bits; three bytes are four letters, so a batch of keys can be cut from one text


def new_assignment_key() -> str:
    return secrets.token_urlsafe(KEY_BYTES)


def new_assignment_keys(number: int) -> list[str]:
    """Return many keys from one batch of random bytes, as unguessable as single ones."""
    letters = base64.urlsafe_b64encode(secrets.token_bytes(KEY_BYTES * number)).decode("ascii")
    length = KEY_BYTES * 4 // 3
    return [letters[start : start + length] for start in range(0, len(letters), length)]


class AssignmentQuerySet(models.QuerySet["Assignment"]):
    def of(self, campaign: Campaign) -> Self:
        return self.filter(campaign=campaign)

    def counted(self) -> Self:
        """Slots of cases, without the checks, whose answers are known and which have no label of their own."""
        return self.filter(item__role=Role.LABEL)

    def held_by(self, annotator: Annotator) -> Self:
        """Somebody's slots that are still to be labelled."""
        return self.filter(annotator=annotator, state__in=[SlotState.OPEN, SlotState.CLAIMED])

    def done(self) -> Self:
        return self.filter(state=SlotState.DONE)


class Assignment(models.Model):
    """A slot of a case. `label` is the one that counts now; how it came about is in the annotations.

    A team's slots belong to somebody from the start; a crowd's are open, then claimed with a lease. A check is a slot
    that is made for one annotator: its number is the annotator's and its `label` stays empty, because it never counts.
    """

    key = models.CharField(max_length=16, default=new_assignment_key, unique=True)
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="assignments", db_index=False)
    item = models.ForeignKey(CampaignItem, on_delete=models.CASCADE, related_name="assignments", db_index=False)
    slot = models.PositiveIntegerField()
    annotator = models.ForeignKey(
        Annotator, null=True, on_delete=models.PROTECT, related_name="assignments", db_index=False
    )
    state = models.CharField(max_length=7, choices=SlotState, default=SlotState.OPEN)
    lease_until = models.DateTimeField(null=True)
    order = models.PositiveIntegerField(default=0, help_text="In which order it is shown.")
    label = models.CharField(max_length=60, null=True, help_text="The label that counts now.")
    done_at = models.DateTimeField(null=True)

    objects = AssignmentQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "slot"], name="one_assignment_per_slot"),
            models.UniqueConstraint(
                fields=["item", "annotator"],
                condition=models.Q(annotator__isnull=False),
                name="nobody_labels_a_case_twice",
            ),
            models.CheckConstraint(condition=models.Q(state__in=SlotState.values), name="known_slot_state"),
            models.CheckConstraint(
                condition=models.Q(state=SlotState.OPEN) | models.Q(annotator__isnull=False),
                name="taken_slots_have_an_annotator",
            ),
        ]
        indexes = [
            models.Index(fields=["campaign", "state", "order"], name="slots_to_give_out"),
            models.Index(fields=["campaign", "annotator", "state", "order"], name="slots_of_an_annotator"),
            models.Index(
                fields=["campaign", "lease_until"], condition=models.Q(state=SlotState.CLAIMED), name="leases_that_end"
            ),
            # Agreement is read from this index alone, in one pass.
            models.Index(fields=["campaign", "item", "label"], name="labels_by_item"),
        ]

    def __str__(self) -> str:
        return f"slot {self.slot} of item {self.item_id}"


class EndedLease(models.Model):
    """Who had a slot and lost or gave back its lease. A label that was on its way is still taken from them alone."""

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="ended_leases", db_index=False)
    annotator = models.ForeignKey(Annotator, on_delete=models.CASCADE, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["assignment", "annotator"], name="one_ended_lease_per_annotator")
        ]

    def __str__(self) -> str:
        return f"{self.annotator_id} had {self.assignment_id}"
