"""Words and their forms."""

from typing import Self

from django.db import models

from core.text import _
from curation.catalogue.models import Language, Suite, TargetGroup


class LexiconEntryQuerySet(models.QuerySet["LexiconEntry"]):
    def of(self, suite: Suite, language: Language | None = None, kind: str | None = None) -> Self:
        entries = self.filter(suite=suite)
        if language is not None:
            entries = entries.filter(language=language)
        return entries if kind is None else entries.filter(kind=kind)

    def in_order(self) -> Self:
        return self.order_by("language", "kind", "position", "key")


class LexiconEntry(models.Model):
    """A word with its paradigm. It belongs to a suite, so that one suite's edit never changes another's cases."""

    suite = models.ForeignKey(Suite, on_delete=models.CASCADE, related_name="entries")
    language = models.ForeignKey(Language, on_delete=models.PROTECT, related_name="entries")
    key = models.CharField(max_length=80)
    kind = models.SlugField(max_length=40, help_text="identity, slur, profession, ...")
    target = models.ForeignKey(TargetGroup, null=True, blank=True, on_delete=models.PROTECT, related_name="entries")
    lemma = models.CharField(max_length=200)
    inherent = models.CharField(max_length=200, blank=True, help_text="Features the word has by itself: Gender=Fem.")
    properties = models.JSONField(default=dict, blank=True, help_text="What spelling rules ask: {'elides': 'no'}.")
    severity = models.CharField(max_length=20, blank=True)
    position = models.PositiveIntegerField(default=0)

    objects = LexiconEntryQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "lexicon entries"
        constraints = [models.UniqueConstraint(fields=["suite", "language", "key"], name="one_entry_per_key")]
        indexes = [models.Index(fields=["suite", "language", "kind", "position"])]

    def __str__(self) -> str:
        return self.lemma


class FormSource(models.TextChoices):
    HAND = "hand", _("Written by hand")
    IMPORT = "import", _("Imported")
    SUGGESTION = "suggestion", _("Suggested, not yet accepted")


class FormQuerySet(models.QuerySet["Form"]):
    def usable(self) -> Self:
        """Leave out suggestions that no person has accepted."""
        return self.exclude(source=FormSource.SUGGESTION)

    def suggested(self, suite: Suite, language: Language, kind: str) -> Self:
        """Keep the suggestions for words of a kind that no person has accepted."""
        entries = LexiconEntry.objects.of(suite, language, kind)
        return self.filter(entry__in=entries, source=FormSource.SUGGESTION)


class Form(models.Model):
    """One cell of a paradigm: features in canonical Universal Dependencies text, perturbation, text."""

    entry = models.ForeignKey(LexiconEntry, on_delete=models.CASCADE, related_name="forms")
    features = models.CharField(max_length=200, blank=True)
    perturbation = models.CharField(max_length=40, blank=True)
    text = models.CharField(max_length=300)
    source = models.CharField(max_length=12, choices=FormSource, default=FormSource.HAND)
    position = models.PositiveIntegerField(null=True, help_text="Its row where its column has an order of its own.")
    token = models.CharField(max_length=80, blank=True, help_text="The column it was imported from, as typed.")

    objects = FormQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["entry", "features", "perturbation"], name="one_form_per_cell"),
            models.CheckConstraint(condition=models.Q(source__in=FormSource.values), name="known_form_source"),
        ]

    def __str__(self) -> str:
        return self.text
