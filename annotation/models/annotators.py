"""Annotators under a pseudonym that survives the person's account, and demographics that cannot be joined to labels."""

from __future__ import annotations

import secrets
from datetime import timedelta

from django.conf import settings
from django.db import models
from django.utils import timezone


def new_pseudonym() -> str:
    return f"annotator-{secrets.token_hex(4)}"


class Annotator(models.Model):
    """Who labels: a person with an account, a participant of a crowd platform, or a column of an imported file.

    Labels whose source does not say who gave them need an annotator too: one for each place in its lists, which is not
    identified. Such a place is no person, so it is never rated, counted or weighed.
    """

    pseudonym = models.CharField(max_length=80, unique=True, default=new_pseudonym)
    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="annotator"
    )
    platform = models.CharField(max_length=40, blank=True, help_text="prolific, mturk, toloka, import, ...")
    external_id = models.CharField(max_length=120, blank=True, help_text="The platform's participant id.")
    is_identified = models.BooleanField(
        default=True, db_default=True, help_text="No for a place in a list of labels, behind which anybody may stand."
    )
    member_of = models.JSONField(
        default=list, blank=True, help_text="Groups the person says they belong to, if they wish."
    )
    daily_limit = models.PositiveIntegerField(null=True, blank=True, help_text="Set by the annotator.")
    break_after = models.DurationField(default=timedelta(minutes=25), help_text="When to offer a break.")
    covers_text = models.BooleanField(default=False, help_text="Cover each text until a key is pressed.")
    key_bindings = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["platform", "external_id"],
                condition=~models.Q(external_id=""),
                name="one_annotator_per_participant",
            )
        ]

    def __str__(self) -> str:
        return self.pseudonym


class DemographicAnswer(models.Model):
    """Answers for the data statement. There is no link to the annotator on purpose: only who answered is noted."""

    campaign = models.ForeignKey("annotation.Campaign", on_delete=models.CASCADE, related_name="demographics")
    answers = models.JSONField(default=dict)

    def __str__(self) -> str:
        return f"answers in {self.campaign_id}"
