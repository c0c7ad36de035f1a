"""Prompts: one row per version; a new wording is a new row."""

from typing import Self

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone

from curation.models import Functionality, Language
from generation.prompts.algorithm.values import Instruction, PromptVersion, Skeleton


class PromptQuerySet(models.QuerySet["Prompt"]):
    def newest(self) -> Self:
        """Return of each language and functionality the last version."""
        later = Prompt.objects.filter(
            language=models.OuterRef("language"),
            functionality=models.OuterRef("functionality"),
            number__gt=models.OuterRef("number"),
        )
        return self.filter(~models.Exists(later))

    def about(self, functionality: Functionality, language: Language) -> Self:
        return self.filter(functionality=functionality, language=language).order_by("-number")


class Prompt(models.Model):
    """What a model is asked for: the words all prompts of the language share, and the functionality's instruction."""

    language = models.ForeignKey(Language, on_delete=models.PROTECT, related_name="prompts")
    functionality = models.ForeignKey(Functionality, on_delete=models.PROTECT, related_name="prompts")
    number = models.PositiveIntegerField()
    system = models.TextField("system message")
    skeleton = models.JSONField(help_text="task, demonstration, slurs, answer: the parts that all prompts share.")
    instruction = models.TextField()
    demonstration = models.TextField(blank=True)
    uses_slurs = models.BooleanField(default=False)
    slurs = models.JSONField(default=list, blank=True, help_text="Used instead of the lexicon's where it is not empty.")
    sha256 = models.CharField(max_length=64)
    note = models.CharField(max_length=300, blank=True, help_text="What changed and why.")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)

    objects = PromptQuerySet.as_manager()

    class Meta:
        ordering = ["language", "functionality", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["language", "functionality", "number"], name="one_prompt_per_number"),
            models.UniqueConstraint(fields=["language", "functionality", "sha256"], name="one_prompt_per_wording"),
        ]

    def __str__(self) -> str:
        return f"{self.functionality.key} ({self.language.code}) version {self.number}"

    def get_absolute_url(self) -> str:
        return reverse("generation:prompt", args=[self.language.code, self.functionality.key])

    def as_version(self) -> PromptVersion:
        """Return the prompt as the plain value that is filled, hashed and compared."""
        skeleton = Skeleton(language=self.language.code, system=self.system, **self.skeleton)
        instruction = Instruction(
            functionality=self.functionality.key,
            text=self.instruction,
            demonstration=self.demonstration,
            uses_slurs=self.uses_slurs,
        )
        return PromptVersion(skeleton, instruction)
