"""What suites are built from: languages, functionalities with their gold label, protected groups, coverage."""

from __future__ import annotations

from django.db import models


class Direction(models.TextChoices):
    LEFT_TO_RIGHT = "ltr", "left to right"
    RIGHT_TO_LEFT = "rtl", "right to left"


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


class Functionality(models.Model):
    """What one group of cases tests. The gold label lives here and nowhere else."""

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
    gold_label = models.CharField(max_length=60)
    perturbation = models.CharField(max_length=40, blank=True, help_text="For spelling functionalities: which one.")
    references = models.JSONField(default=list, blank=True)
    position = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["position", "key"]
        verbose_name_plural = "functionalities"

    def __str__(self) -> str:
        return self.title


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


class TargetGroup(models.Model):
    """A target as one language's data calls it. It stands for one protected group, or several (intersectional)."""

    language = models.ForeignKey(Language, on_delete=models.PROTECT, related_name="targets")
    name = models.CharField(max_length=120)
    local_name = models.CharField(max_length=120, blank=True)
    groups = models.ManyToManyField(ProtectedGroup, related_name="targets")

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["language", "name"], name="one_target_per_language_and_name")]

    def __str__(self) -> str:
        return self.name
