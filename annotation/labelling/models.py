"""Assignments (k slots per case, made when a campaign opens) and the labels given: append-only, with revisions."""

import base64
import secrets
from datetime import datetime
from typing import Self

from django.db import models
from django.db.models import Exists, OuterRef
from django.utils import timezone

from annotation.campaigns.models import Campaign, CampaignItem, Role
from annotation.people.models import Annotator
from core.text import _, pgettext


class SlotState(models.TextChoices):
    OPEN = "open", pgettext("state of an assignment", "Open")
    CLAIMED = "claimed", pgettext("state of an assignment", "Taken")
    DONE = "done", pgettext("state of an assignment", "Done")


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


class Kind(models.TextChoices):
    LABEL = "label", _("Labelled")
    SKIP = "skip", _("Skipped")
    UNDO = "undo", _("Undone")


class AnnotationQuerySet(models.QuerySet["Annotation"]):
    def newest(self, *, until: datetime | None = None) -> Self:
        """What was said last about each assignment, at all or until a moment."""
        later = Annotation.objects.filter(assignment=OuterRef("assignment"), revision__gt=OuterRef("revision"))
        if until is None:
            return self.filter(~Exists(later))
        return self.filter(~Exists(later.filter(created_at__lte=until)), created_at__lte=until)


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

    objects = AnnotationQuerySet.as_manager()

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
