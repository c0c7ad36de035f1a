"""Annotators under a pseudonym that survives their account, and their participation in campaigns."""

import secrets
from datetime import timedelta

from django.conf import settings
from django.db import models
from django.utils import timezone

from annotation.campaigns.models import Campaign, CampaignItem
from core.fields import SentenceField
from core.text import Text, _


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


QUESTIONS_ABOUT_PEOPLE = {
    "age": _("Your age"),
    "gender": _("Your gender"),
    "origin": _("Where you grew up"),
    "first_language": _("Your first language or languages"),
    "education": _("Your education"),
    "experience": _("Your experience with hate speech"),
}
# What the questions are about, where groups of annotators are compared.
SUBJECTS_ABOUT_PEOPLE = {
    "age": _("Age"),
    "gender": _("Gender"),
    "origin": _("Origin"),
    "first_language": _("First language"),
    "education": _("Education"),
    "experience": _("Experience"),
}
# Answers to choose from, so that groups can be counted and compared: as they are stored, and as people read them. The
# other questions take any text.
ANSWERS_ABOUT_PEOPLE: dict[str, dict[str, Text]] = {
    "age": {
        "Under 18": _("Under 18"),
        "18 to 24": _("18 to 24"),
        "25 to 34": _("25 to 34"),
        "35 to 44": _("35 to 44"),
        "45 to 54": _("45 to 54"),
        "55 to 64": _("55 to 64"),
        "65 or older": _("65 or older"),
    },
    "gender": {
        "Woman": _("Woman"),
        "Man": _("Man"),
        "Non-binary": _("Non-binary"),
        "Another gender": _("Another gender"),
    },
    "education": {
        "Primary school": _("Primary school"),
        "Secondary school": _("Secondary school"),
        "Vocational training": _("Vocational training"),
        "Bachelor's degree": _("Bachelor's degree"),
        "Higher degree": _("Higher degree"),
    },
    "experience": {
        "None": _("No experience"),
        "As a target": _("As a target"),
        "As a moderator": _("As a moderator"),
        "As a researcher": _("As a researcher"),
        "Several of these": _("Several of these"),
    },
}


class ParticipationState(models.TextChoices):
    INVITED = "invited", _("Invited")
    ACTIVE = "active", _("Taking part")
    PAUSED = "paused", _("Paused")
    ENDED = "ended", _("Ended")


class Participation(models.Model):
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="participations")
    annotator = models.ForeignKey(Annotator, on_delete=models.CASCADE, related_name="participations")
    state = models.CharField(max_length=7, choices=ParticipationState, default=ParticipationState.INVITED)
    reason = SentenceField(blank=True, help_text="Why it is paused or ended.")
    consented_at = models.DateTimeField(null=True)
    guidelines_read_at = models.DateTimeField(null=True)
    trained_at = models.DateTimeField(null=True)
    tries = models.PositiveSmallIntegerField(default=0)
    extra_tries = models.PositiveSmallIntegerField(default=0, db_default=0, help_text="Granted by a manager.")
    best_share = models.FloatField(null=True)
    qualified_at = models.DateTimeField(null=True)
    demographics_given = models.BooleanField(default=False)
    skips_in_a_row = models.PositiveSmallIntegerField(default=0)
    skips = models.PositiveIntegerField(default=0)
    too_fast_in_a_row = models.PositiveSmallIntegerField(default=0)
    failed_checks = models.PositiveSmallIntegerField(default=0)
    warnings = models.PositiveSmallIntegerField(default=0)
    # Where the search for open slots goes on, so that it never reads again what this person already has.
    scanned_to = models.PositiveIntegerField(default=0)
    last_template = models.PositiveBigIntegerField(null=True, help_text="Template of the newest case handed out.")
    since_check = models.PositiveSmallIntegerField(default=0, help_text="Cases handed out since the last check.")
    study_id = models.CharField(max_length=120, blank=True)
    session_id = models.CharField(max_length=120, blank=True)
    session_digest = models.CharField(
        max_length=64,
        blank=True,
        default="",
        editable=False,
        help_text="Hash of the secret in the browser that began; empty for accounts and after a release.",
    )
    return_digest = models.CharField(
        max_length=64, blank=True, default="", editable=False, help_text="Hash of the code that moves it to another."
    )
    joined_at = models.DateTimeField(default=timezone.now)
    left_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "annotator"], name="one_participation_per_annotator"),
            models.CheckConstraint(
                condition=models.Q(state__in=ParticipationState.values), name="known_participation_state"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.annotator_id} in {self.campaign_id}"


class LinkedAnswers(models.Model):
    """Answers that an annotator agreed to have linked to their labels in one campaign.

    Without agreement there is no such row, and nothing else joins answers with a person. It is deleted on withdrawal.
    """

    participation = models.OneToOneField(Participation, on_delete=models.CASCADE, related_name="linked_answers")
    answers = models.JSONField(default=dict)
    agreed_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"linked answers of {self.participation_id}"


class TrainingAnswer(models.Model):
    """An answer to a training or test item; append-only."""

    participation = models.ForeignKey(Participation, on_delete=models.CASCADE, related_name="training_answers")
    item = models.ForeignKey(CampaignItem, on_delete=models.CASCADE, related_name="training_answers")
    attempt = models.PositiveSmallIntegerField(default=1)
    label = models.CharField(max_length=60)
    is_right = models.BooleanField()
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["participation", "item", "attempt"], name="one_training_answer_per_attempt")
        ]

    def __str__(self) -> str:
        return self.label


class CampaignMessage(models.Model):
    """A note from the managers to one annotator, or to all."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="messages")
    annotator = models.ForeignKey(Annotator, null=True, blank=True, on_delete=models.CASCADE, related_name="messages")
    text = models.TextField()
    sent_at = models.DateTimeField(default=timezone.now)
    sent_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        ordering = ["-sent_at"]

    def __str__(self) -> str:
        return self.text
