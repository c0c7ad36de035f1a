"""Test cases, their verdicts and exclusions, and the decision that says what a release of a suite holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from django.conf import settings
from django.db import models
from django.db.models import Exists, OuterRef
from django.utils import timezone

from core.fields import SentenceField
from core.text import _
from curation.authoring.models import Template, TemplateVariant
from curation.catalogue.models import CaseDetails, Functionality, Language, Policy, Suite, TargetGroup
from curation.releases.models import Cascade, WithoutLabels

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from accounts.models import User


class Origin(models.TextChoices):
    TEMPLATE = "template", _("From a template")
    LLM = "llm", _("Written by a language model")
    HAND = "hand", _("Written by hand")
    IMPORT = "import", _("Imported")
    ATTACK = "attack", _("Made by an attack")


class CaseState(models.TextChoices):
    DRAFT = "draft", _("Draft")
    READY = "ready", _("Ready to be labelled")
    VALIDATED = "validated", _("Validated")
    EXCLUDED = "excluded", _("Excluded")
    RETIRED = "retired", _("Retired")


class TestCaseQuerySet(models.QuerySet["TestCase"]):
    def of(self, suite: Suite) -> Self:
        return self.filter(suite=suite)

    def in_use(self) -> Self:
        """Return what has not been retired: what is exported and labelled."""
        return self.exclude(state=CaseState.RETIRED)

    def releasable(self) -> Self:
        """Return what a release may hold: in use, and no longer a draft."""
        return self.in_use().exclude(state=CaseState.DRAFT)

    def contrasting_with(self, case: TestCase) -> Self:
        """Return the other cases of its contrast set."""
        return self.filter(contrast_set=case.contrast_set).exclude(contrast_set="").exclude(pk=case.pk)

    def in_order(self) -> Self:
        return self.order_by("language_id", "position", "id")

    def visible_to(self, user: User | AnonymousUser) -> Self:
        """Return the working set to experts and maintainers; annotators see cases only through their assignments."""
        if user.is_authenticated and (user.is_maintainer or user.is_expert):
            return self.all()
        return self.none()


class TestCase(CaseDetails):
    """One text with what it tests and the label it should get, by default that of its functionality.

    `target` is a set of groups. Cases with the same `contrast_set` differ minimally from each other, and
    `perturbation_set` says how each differs from the original.
    Keys stand in for links to other cases (`refers_to`) so that whole suites are written in one pass.
    """

    __test__ = False  # not a test for pytest

    suite = models.ForeignKey(Suite, on_delete=models.CASCADE, related_name="cases", db_index=False)
    language = models.ForeignKey(Language, on_delete=models.PROTECT, related_name="cases", db_index=False)
    functionality = models.ForeignKey(Functionality, on_delete=models.PROTECT, related_name="cases", db_index=False)
    key = models.CharField(max_length=80)
    text = models.TextField()
    gold_label = models.CharField(max_length=60)
    origin = models.CharField(max_length=10, choices=Origin)
    state = models.CharField(max_length=10, choices=CaseState, default=CaseState.READY)
    target = models.ForeignKey(
        TargetGroup, null=True, blank=True, on_delete=models.PROTECT, related_name="cases", db_index=False
    )
    template = models.ForeignKey(Template, null=True, on_delete=models.PROTECT, related_name="cases")
    variant = models.ForeignKey(
        TemplateVariant, null=True, on_delete=models.PROTECT, related_name="cases", db_index=False
    )
    is_about_identity = models.BooleanField(
        default=False, db_default=False,
        help_text="Its template is filled with the words for each group; without a template, it has a target group.",
    )  # fmt: skip
    refers_to = models.CharField(max_length=80, blank=True, help_text="Key of the case it varies or contrasts with.")
    contrast_set = models.CharField(max_length=80, blank=True, default="", db_default="")
    perturbation_set = models.CharField(max_length=60, blank=True, default="", db_default="")
    text_hash = models.CharField(max_length=32, db_index=False)
    identity_hash = models.CharField(max_length=32)
    provenance = models.JSONField(default=dict, blank=True)
    extra = models.JSONField(null=True, blank=True, help_text="Imported columns that must come back on export.")
    position = models.PositiveIntegerField(default=0)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+", db_index=False
    )
    created_at = models.DateTimeField(default=timezone.now)

    objects = TestCaseQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["suite", "key"], name="one_case_per_key"),
            models.UniqueConstraint(fields=["suite", "identity_hash"], name="one_case_per_identity"),
            models.CheckConstraint(condition=models.Q(origin__in=Origin.values), name="known_origin"),
            models.CheckConstraint(condition=models.Q(state__in=CaseState.values), name="known_case_state"),
            models.CheckConstraint(condition=~models.Q(gold_label=""), name="case_has_gold_label"),
        ]
        indexes = [
            models.Index(fields=["suite", "functionality"]),
            models.Index(fields=["suite", "language", "position"]),
        ]

    def __str__(self) -> str:
        return self.key


KEEP = "keep"  # what an adjudicated verdict says of a case that stays whatever its labels are


class CaseVerdictQuerySet(models.QuerySet["CaseVerdict"]):
    def counting(self) -> Self:
        """Return the newest verdict of each case, unless the labels in it were taken back."""
        newer = CaseVerdict.objects.filter(case=OuterRef("case"), pk__gt=OuterRef("pk"))
        return self.filter(~Exists(newer)).exclude(raters=0, adjudicated="")


class CaseVerdict(models.Model):
    """What annotators said about a case at one moment. Append-only; the newest counts.

    One without labels that nobody decided says that the labels were taken back.
    """

    case = models.ForeignKey(TestCase, on_delete=models.CASCADE, related_name="verdicts")
    source = models.CharField(max_length=120, help_text="Where it comes from, e.g. campaign:hatecheck-labels.")
    labels = models.JSONField(default=list, help_text="The labels given, in the order of their slots, without names.")
    raters = models.PositiveSmallIntegerField()
    agreeing = models.PositiveSmallIntegerField(help_text="How many agree with the gold label.")
    majority = models.CharField(max_length=60, blank=True, help_text="Empty where there is a tie.")
    flagged_unrealistic = models.PositiveSmallIntegerField(default=0)
    adjudicated = models.CharField(max_length=10, blank=True, help_text="keep or exclude, where a person decided.")
    reason = models.TextField(blank=True)
    decided_at = models.DateTimeField(default=timezone.now)

    objects = CaseVerdictQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["case", "-decided_at"])]
        constraints = [
            models.CheckConstraint(condition=models.Q(agreeing__lte=models.F("raters")), name="agreeing_within_raters")
        ]

    def __str__(self) -> str:
        return f"{self.agreeing} of {self.raters} on {self.case_id}"


class ExclusionReason(models.TextChoices):
    DISAGREEMENT = "disagreement", _("Annotators disagreed")
    TEMPLATE = "template", _("Another case of its template was excluded")
    REFERENCE = "reference", _("Its template refers to an excluded one")
    ADJUDICATION = "adjudication", _("Decided by an expert")
    UNREALISTIC = "unrealistic", _("Flagged as unrealistic")
    UNLABELLED = "unlabelled", _("Never labelled")
    WITHDRAWN = "withdrawn", _("Withdrawn by its author")


# These follow from labels and rules, so every decision works them out anew; the others are decided case by case.
FOLLOWS_FROM_LABELS = (
    ExclusionReason.DISAGREEMENT,
    ExclusionReason.TEMPLATE,
    ExclusionReason.REFERENCE,
    ExclusionReason.UNLABELLED,
)


class ExclusionQuerySet(models.QuerySet["Exclusion"]):
    def standing(self) -> Self:
        return self.filter(lifted_at=None)


class Exclusion(models.Model):
    """Why a case is left out. It can be lifted, with a reason; it is never deleted."""

    case = models.ForeignKey(TestCase, on_delete=models.CASCADE, related_name="exclusions")
    reason = models.CharField(max_length=14, choices=ExclusionReason)
    because_of = models.CharField(max_length=80, blank=True, help_text="Key of the case or template that caused it.")
    note = models.TextField(blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    lifted_at = models.DateTimeField(null=True)
    lifted_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    lifted_because = SentenceField(blank=True)

    objects = ExclusionQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["case"], condition=models.Q(lifted_at=None), name="one_standing_exclusion"),
            models.CheckConstraint(
                condition=models.Q(reason__in=ExclusionReason.values), name="known_exclusion_reason"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.case_id}: {self.reason}"


class Decision(models.Model):
    """The rules that say what a release of a suite holds. Append-only; the newest one about the suite stands.

    A release that was frozen with other rules has a decision of its own, which names its version and never stands.
    """

    suite = models.ForeignKey(Suite, on_delete=models.PROTECT, related_name="decisions")
    policy = models.CharField(max_length=8, choices=Policy)
    min_agree = models.PositiveSmallIntegerField(
        help_text="Minimum number of labels equal to the gold label; 0 asks for none."
    )
    cascade = models.CharField(max_length=8, choices=Cascade)
    without_labels = models.CharField(
        max_length=8,
        choices=WithoutLabels,
        default=WithoutLabels.INCLUDE,
        help_text="Whether cases that were never labelled may enter a release.",
    )
    release = models.CharField(max_length=40, blank=True, help_text="The version it is about; empty for the suite.")
    decided_at = models.DateTimeField(default=timezone.now)
    # The row can never be updated, not even when a person is deleted.
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.DO_NOTHING, db_constraint=False, related_name="+"
    )

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(condition=models.Q(policy__in=Policy.values), name="known_decision_policy"),
            models.CheckConstraint(condition=models.Q(cascade__in=Cascade.values), name="known_decision_cascade"),
            models.CheckConstraint(
                condition=models.Q(without_labels__in=WithoutLabels.values), name="known_decision_without_labels"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.policy}, {self.min_agree}, {self.cascade}, {self.without_labels}"
