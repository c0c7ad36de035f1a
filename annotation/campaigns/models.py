"""Campaigns and the guidelines annotators follow: which cases are labelled, how, and by how many."""

from __future__ import annotations

import secrets
from datetime import datetime
from typing import TYPE_CHECKING, Self

from django.conf import settings
from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from annotation.questions import KINDS, Labels
from core.text import _, pgettext
from curation.models import Language, Suite, TestCase

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from accounts.models import User


QUESTIONS = [(kind.key, kind.title) for kind in KINDS.values()]


class GuidelineQuerySet(models.QuerySet["Guideline"]):
    def newest_first(self) -> Self:
        """By the name of the language."""
        return self.order_by("language__name", "language", "-version")


class Guideline(models.Model):
    language = models.ForeignKey(Language, on_delete=models.PROTECT, related_name="guidelines")
    version = models.PositiveIntegerField()
    title = models.CharField(max_length=160)
    text = models.TextField(help_text="Markdown.")
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")

    objects = GuidelineQuerySet.as_manager()

    class Meta:
        ordering = ["language", "-version"]
        constraints = [models.UniqueConstraint(fields=["language", "version"], name="one_guideline_per_version")]

    def __str__(self) -> str:
        return f"{self.title} (version {self.version})"

    @property
    def key(self) -> str:
        """Language and version, such as `de:2`."""
        return f"{self.language.code}:{self.version}"


class Mode(models.TextChoices):
    TEAM = "team", _("Team: each case is assigned to certain annotators")
    CROWD = "crowd", _("Crowd: annotators join and leave, and take open cases")


class CampaignState(models.TextChoices):
    DRAFT = "draft", pgettext("state of a campaign", "Draft")
    OPENING = "opening", pgettext("state of a campaign", "Being opened")
    OPEN = "open", pgettext("state of a campaign", "Open")
    PAUSED = "paused", pgettext("state of a campaign", "Paused")
    CLOSING = "closing", pgettext("state of a campaign", "Being closed")
    CLOSED = "closed", pgettext("state of a campaign", "Closed")
    CANCELLED = "cancelled", pgettext("state of a campaign", "Cancelled")


# Labelling has not begun: the cases are chosen or are being dealt.
NOT_YET = (CampaignState.DRAFT, CampaignState.OPENING)
# Nobody labels any more, whatever the reason.
OVER = (CampaignState.CLOSING, CampaignState.CLOSED, CampaignState.CANCELLED)


class PayUnit(models.TextChoices):
    NONE = "", _("No payment")
    CASE = "case", _("Per case")
    HOUR = "hour", _("Per hour")


class CrowdPlatform(models.TextChoices):
    """Where the people of a crowd come from; `annotation.people.crowd` knows how each platform names them."""

    NONE = "", _("No platform: only annotators with an account")
    PROLIFIC = "prolific", "Prolific"
    MTURK = "mturk", "Amazon Mechanical Turk"
    TOLOKA = "toloka", "Toloka"
    OTHER = "crowd", _("Another platform")


class CampaignQuerySet(models.QuerySet["Campaign"]):
    def running(self) -> Self:
        return self.filter(state=CampaignState.OPEN)

    def counting_at(self, moment: datetime) -> Self:
        """Return the campaigns whose labels counted at a moment: closed by then, not imports taken back before."""
        was_there = Q(state=CampaignState.CLOSED) | Q(reversal__made_at__gt=moment)
        return self.filter(was_there, closed_at__lte=moment)

    def taken_back(self) -> Self:
        """Return the imports whose labels no longer count."""
        return self.exclude(reversal=None)

    def visible_to(self, user: User | AnonymousUser) -> Self:
        """Managers' view: experts and maintainers. Annotators meet campaigns only through their participation."""
        if user.is_authenticated and (user.is_maintainer or user.is_expert):
            return self.all()
        return self.none()


def new_entry_key() -> str:
    return secrets.token_urlsafe(15)


class Campaign(models.Model):
    key = models.SlugField(max_length=80, unique=True)
    title = models.CharField(max_length=160)
    suite = models.ForeignKey(Suite, on_delete=models.PROTECT, related_name="campaigns")
    language = models.ForeignKey(Language, null=True, blank=True, on_delete=models.PROTECT, related_name="campaigns")
    question = models.CharField(max_length=12, choices=QUESTIONS, default=Labels.key)
    prompt = models.CharField(max_length=300, blank=True, help_text="The question as annotators read it.")
    labels = models.JSONField(default=list, help_text="Answers in order; the first is the positive one.")
    binarise_above = models.PositiveSmallIntegerField(
        default=3, help_text="On a scale: steps above this count as positive."
    )
    guideline = models.ForeignKey(Guideline, null=True, blank=True, on_delete=models.PROTECT, related_name="campaigns")
    raters = models.PositiveSmallIntegerField(default=5, validators=[MinValueValidator(1)])
    threshold = models.PositiveSmallIntegerField(default=4)
    mode = models.CharField(max_length=6, choices=Mode, default=Mode.TEAM)
    invited_only = models.BooleanField(default=True, help_text="Only annotators added to the campaign may label.")
    group_members_first = models.BooleanField(
        default=False, help_text="Reclaimed slurs go to members of the group first."
    )
    seed = models.PositiveBigIntegerField(default=0)
    selection = models.JSONField(default=dict, blank=True, help_text="How its cases were chosen: filters and sample.")
    per_annotator = models.PositiveIntegerField(
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text="Maximum cases per annotator; empty for no limit.",
    )
    check_every = models.PositiveSmallIntegerField(
        default=20, validators=[MinValueValidator(1)], help_text="In a crowd: an attention check every N texts."
    )
    consent_text = models.TextField(blank=True, help_text="What annotators agree to; empty for the usual text.")
    asks_demographics = models.BooleanField(default=True, help_text="Ask, voluntarily, for the data statement.")
    links_demographics = models.BooleanField(
        default=False, db_default=False, help_text="Ask whether the answers may be linked to the labels."
    )
    entry_key = models.CharField(
        max_length=24, null=True, blank=True, unique=True, help_text="Part of the crowd's link."
    )
    state = models.CharField(max_length=10, choices=CampaignState, default=CampaignState.DRAFT)
    batch_size = models.PositiveSmallIntegerField(default=10, help_text="Cases leased ahead.")
    lease_minutes = models.PositiveSmallIntegerField(default=30)
    pass_mark = models.FloatField(
        null=True, blank=True, help_text="Share of right answers in the qualification test; empty for no test."
    )
    qualification_tries = models.PositiveSmallIntegerField(default=2)
    pay_unit = models.CharField(max_length=4, choices=PayUnit, blank=True, default=PayUnit.NONE)
    pay_amount = models.DecimalField(max_digits=8, decimal_places=3, null=True, blank=True)
    pay_currency = models.CharField(max_length=3, default="EUR")
    seconds_per_case = models.PositiveSmallIntegerField(default=8, help_text="For the estimate of time and cost.")
    quality_rules = models.JSONField(
        default=dict, blank=True, help_text="Too fast, skips in a row, failed checks: what follows."
    )
    platform = models.CharField(
        max_length=40,
        blank=True,
        choices=CrowdPlatform,
        default=CrowdPlatform.NONE,
        help_text="The link for platforms admits participants of this one only.",
    )
    completion_code = models.CharField(max_length=80, blank=True)
    completion_url = models.URLField(blank=True)
    previous_round = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="next_rounds"
    )
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    cases_fixed = models.PositiveIntegerField(
        null=True, blank=True, editable=False, help_text="How many cases it has, once opening has fixed them."
    )
    opening_run = models.CharField(
        max_length=16, blank=True, default="", editable=False, help_text="The run that may write while it is opened."
    )
    opened_at = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True)

    objects = CampaignQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.CheckConstraint(condition=models.Q(state__in=CampaignState.values), name="known_campaign_state"),
            models.CheckConstraint(condition=models.Q(question__in=list(KINDS)), name="known_question"),
            models.CheckConstraint(condition=models.Q(mode__in=Mode.values), name="known_mode"),
            models.CheckConstraint(condition=models.Q(platform__in=CrowdPlatform.values), name="known_platform"),
            models.CheckConstraint(
                condition=models.Q(threshold__lte=models.F("raters")), name="campaign_threshold_within_raters"
            ),
        ]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return reverse("annotation:campaign", args=[self.key])


class Role(models.TextChoices):
    LABEL = "label", _("To be labelled")
    TRAINING = "training", _("Training, with feedback")
    TEST = "test", _("Qualification test")
    CHECK = "check", _("Attention check")


class Source(models.TextChoices):
    """Where a text with a known answer comes from."""

    OWN = "own", _("Own text")
    EXAMPLES = "examples", _("Example from the catalogue")
    CASES = "cases", _("Case of the suite")


class CampaignItem(models.Model):
    """One case of a campaign. Training, test and check items know the expected answer; labelled ones never show it."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="items", db_index=False)
    case = models.ForeignKey(TestCase, null=True, on_delete=models.PROTECT, related_name="campaign_items")
    text = models.TextField(blank=True, help_text="For training and checks that are not a case of the suite.")
    language = models.ForeignKey(
        Language, null=True, on_delete=models.PROTECT, related_name="+", db_index=False,
        help_text="Of a text that is not a case; a case has its own.",
    )  # fmt: skip
    source = models.CharField(
        max_length=8, choices=Source, blank=True, default="", db_default="", help_text="Empty for cases to be labelled."
    )
    role = models.CharField(max_length=8, choices=Role, default=Role.LABEL)
    expected = models.CharField(max_length=60, blank=True)
    explanation = models.TextField(blank=True, help_text="Shown after a training item.")
    position = models.PositiveIntegerField(default=0)
    is_reserved = models.BooleanField(
        default=False, db_default=False, help_text="Members of the group it is about see it first."
    )

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "case", "role"], name="one_item_per_case_and_role"),
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="known_item_role"),
            models.CheckConstraint(condition=models.Q(source__in=["", *Source.values]), name="known_item_source"),
        ]
        indexes = [
            models.Index(fields=["campaign", "role", "position"]),
            models.Index(fields=["campaign"], condition=models.Q(is_reserved=True), name="items_for_members_first"),
        ]

    def __str__(self) -> str:
        return f"item {self.pk}"

    @property
    def shown_text(self) -> str:
        return self.text or (self.case.text if self.case else "")

    @property
    def shown_language(self) -> Language | None:
        """The language people read: the case's, or what was said with the text; None where nothing was said."""
        return self.language if self.text or self.case is None else self.case.language
