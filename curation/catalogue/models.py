"""Languages, functionalities, protected groups, coverage, and the suites built from them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Self

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.urls import reverse
from django.utils import timezone

from core.text import _
from curation.fields import LONGEST
from curation.morphology.realised import target_names

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from accounts.models import User


class CaseDetails(models.Model):
    """What templates, cases and released cases all say beside their text (see `curation.fields.Details`)."""

    direction = models.CharField(max_length=LONGEST["direction"], blank=True)
    focus_words = models.CharField(max_length=LONGEST["focus_words"], blank=True)
    focus_lemma = models.CharField(max_length=LONGEST["focus_lemma"], blank=True)

    class Meta:
        abstract = True


class Direction(models.TextChoices):
    LEFT_TO_RIGHT = "ltr", _("Left to right")
    RIGHT_TO_LEFT = "rtl", _("Right to left")


class Language(models.Model):
    code = models.CharField(max_length=20, unique=True, help_text="Short code used in keys, e.g. de.")
    bcp47 = models.CharField("BCP 47 tag", max_length=35, help_text="Full tag for pages and exports, e.g. de or ar-EG.")
    name = models.CharField(max_length=80)
    autonym = models.CharField(max_length=80, blank=True)
    script = models.CharField(max_length=40, default="Latin")
    direction = models.CharField(max_length=3, choices=Direction, default=Direction.LEFT_TO_RIGHT)
    features = models.JSONField(
        default=dict, help_text="Feature name to its values in order: {'Number': ['Sing', 'Plur']}."
    )
    orthography = models.CharField(max_length=20, blank=True, help_text="Which table of spelling rules applies.")

    class Meta:
        ordering = ["name"]
        constraints = [
            models.CheckConstraint(condition=models.Q(direction__in=Direction.values), name="known_direction")
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def key(self) -> str:
        return self.code


class FunctionalityClass(models.Model):
    key = models.SlugField(max_length=60, unique=True)
    title = models.CharField(max_length=120)
    position = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["position", "key"]
        verbose_name_plural = "functionality classes"

    def __str__(self) -> str:
        return self.title


UNNUMBERED = 900  # from here on, positions only order a list


class Functionality(models.Model):
    """What one group of cases tests. Its gold label is the default of its cases; a mixed one has cases of several."""

    key = models.SlugField(max_length=80, unique=True)
    functionality_class = models.ForeignKey(
        FunctionalityClass, on_delete=models.PROTECT, related_name="functionalities"
    )
    title = models.CharField(max_length=160)
    definition = models.TextField(blank=True)
    example = models.TextField(blank=True)
    example_language = models.ForeignKey(
        Language, null=True, blank=True, on_delete=models.PROTECT, related_name="+", help_text="Of the example."
    )
    gold_label = models.CharField(
        max_length=60, blank=True, help_text="The gold label of its cases; empty where they have several (mixed)."
    )
    perturbation = models.CharField(max_length=40, blank=True, help_text="For spelling functionalities: which one.")
    references = models.JSONField(default=list, blank=True)
    position = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["position", "key"]
        verbose_name_plural = "functionalities"

    def __str__(self) -> str:
        return self.title

    @property
    def number(self) -> str:
        """The number papers cite, such as F7; "" for those that came with a file and only have a place in the list."""
        return f"F{self.position}" if 0 < self.position < UNNUMBERED else ""


class Coverage(models.Model):
    """Whether a functionality makes sense in a language, with the reason where it does not."""

    language = models.ForeignKey(Language, on_delete=models.CASCADE, related_name="coverage")
    functionality = models.ForeignKey(Functionality, on_delete=models.CASCADE, related_name="coverage")
    applies = models.BooleanField(default=True)
    reason = models.CharField(max_length=300, blank=True)

    class Meta:
        verbose_name_plural = "coverage"
        constraints = [models.UniqueConstraint(fields=["language", "functionality"], name="one_coverage_per_pair")]

    def __str__(self) -> str:
        return f"{self.functionality_id} in {self.language_id}"


class ProtectedGroup(models.Model):
    key = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=120)
    characteristic = models.CharField(max_length=80, blank=True, help_text="gender, religion, origin, disability, ...")

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class TargetGroupQuerySet(models.QuerySet["TargetGroup"]):
    def naming(self, names: Iterable[str]) -> Self:
        """Return the targets that stand for any of these groups, alone or together with others."""
        wanted = set(names)
        rows = self.values_list("pk", "name")
        return self.filter(pk__in=[pk for pk, name in rows if wanted.intersection(target_names(name))])


class TargetGroup(models.Model):
    """The target groups of cases as one language's data calls them: one, or an unordered set of several.

    The name of a set joins the names of its members; `groups` are the protected groups they mean.
    """

    language = models.ForeignKey(Language, on_delete=models.PROTECT, related_name="targets")
    name = models.CharField(max_length=120)
    local_name = models.CharField(max_length=120, blank=True)
    groups = models.ManyToManyField(ProtectedGroup, related_name="targets")

    objects = TargetGroupQuerySet.as_manager()

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["language", "name"], name="one_target_per_language_and_name")]

    def __str__(self) -> str:
        return self.name


class Policy(models.TextChoices):
    EXCLUDE = "exclude", _("Exclude cases that annotators disagree on")
    MARK = "mark", _("Keep these cases and mark them")


def default_labels() -> list[str]:
    return ["hateful", "non-hateful"]


class SuiteQuerySet(models.QuerySet["Suite"]):
    def visible_to(self, user: User | AnonymousUser) -> Self:
        """Experts and maintainers see the workshop; everybody else sees suites that have a public release."""
        if user.is_authenticated and (user.is_maintainer or user.is_expert):
            return self.all()
        return self.filter(releases__state="published", releases__access__in=["public", "request"]).distinct()


class Suite(models.Model):
    key = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=160)
    description = models.TextField(blank=True)
    licence = models.CharField(max_length=120, blank=True)
    authors = models.JSONField(default=list, blank=True)
    languages = models.ManyToManyField(Language, related_name="suites")
    labels = models.JSONField(
        default=default_labels, help_text="The labels cases can have; the first is the positive one."
    )
    raters = models.PositiveSmallIntegerField(default=5, validators=[MinValueValidator(1), MaxValueValidator(100)])
    threshold = models.PositiveSmallIntegerField(
        default=4, help_text="Minimum number of raters who must agree with the gold label."
    )
    policy = models.CharField(max_length=8, choices=Policy, default=Policy.EXCLUDE)
    format = models.CharField(max_length=20, blank=True, help_text="The published format it came from, if any.")
    layouts = models.JSONField(default=list, blank=True, help_text="How imported word files were laid out.")
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")

    objects = SuiteQuerySet.as_manager()

    class Meta:
        ordering = ["name"]
        constraints = [
            models.CheckConstraint(condition=models.Q(policy__in=Policy.values), name="known_policy"),
            models.CheckConstraint(
                condition=models.Q(threshold__lte=models.F("raters")), name="threshold_within_raters"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("curation:suite", args=[self.key])

    @property
    def positive_label(self) -> str:
        return str(self.labels[0])
