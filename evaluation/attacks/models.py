"""Attack sets built from a data set, and how models did on them. Every set can be built again from its seed."""

import secrets
from typing import Any, Self

from django.conf import settings
from django.db import models
from django.utils import timezone

from core.models import Job
from core.text import _, recall
from curation.models import Suite
from evaluation.artefacts.models import ArtefactQuerySet, BuiltArtefact
from evaluation.datasets.models import Dataset
from evaluation.registry.models import ModelVersion


def new_attack_key() -> str:
    return f"attack-{secrets.token_hex(5)}"


class Attack(BuiltArtefact):
    key = models.CharField(max_length=40, unique=True, default=new_attack_key)
    dataset = models.ForeignKey(Dataset, on_delete=models.PROTECT, related_name="attacks")
    choices = models.JSONField(
        default=dict, help_text="What was chosen: labels, language, rules, files below the uploads."
    )
    manifest = models.JSONField(
        default=dict, help_text="Recipe, checksums of data and files, words. Empty until built."
    )
    suites = models.ManyToManyField(Suite, related_name="attacks", blank=True)

    objects = ArtefactQuerySet["Attack"].as_manager()


class AttackScoreQuerySet(models.QuerySet["AttackScore"]):
    def current(self) -> Self:
        """One per model: what stands in tables and charts."""
        return self.filter(replaced_at__isnull=True)

    def replaced(self) -> Self:
        """Handed-in answers that newer ones took the place of, the latest first."""
        return self.filter(replaced_at__isnull=False).order_by("-replaced_at", "-id")


class AttackScore(models.Model):
    """One model's answers to one attack. Models that were asked elsewhere have a name but no version here."""

    attack = models.ForeignKey(Attack, on_delete=models.CASCADE, related_name="scores")
    name = models.CharField(max_length=200)
    model_version = models.ForeignKey(ModelVersion, null=True, on_delete=models.PROTECT, related_name="attack_scores")
    values = models.JSONField(default=dict, help_text="Scores by policy. Empty until the model has answered.")
    job = models.ForeignKey(Job, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    replaced_at = models.DateTimeField(
        null=True, help_text="When newer answers were handed in under the same name; these are kept all the same."
    )

    objects = AttackScoreQuerySet.as_manager()

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(
                fields=["attack", "name"],
                condition=models.Q(replaced_at__isnull=True),
                name="one_current_score_per_model",
            )
        ]

    def __str__(self) -> str:
        return f"{self.name} on {self.attack}"

    def under(self, policy: str) -> dict[str, Any] | None:
        """The scores under a policy; None until the model has answered."""
        found: dict[str, Any] | None = recall(self.values.get(policy))
        if found is None and self.values:  # scored before this policy was there
            note = _("Scored by an earlier version, which did not know this rule. Nothing is penalised here.")
            values = recall(self.values["warn"])
            found = {**values, "policy": policy, "notes": [*values["notes"], note]}
        return found


class AttackSpread(models.Model):
    """One model's scores on an attack that was repeated with several seeds."""

    attack = models.ForeignKey(Attack, on_delete=models.CASCADE, related_name="spreads")
    model_version = models.ForeignKey(ModelVersion, on_delete=models.PROTECT, related_name="attack_spreads")
    seeds = models.PositiveIntegerField()
    values = models.JSONField(default=dict, help_text="Scores of every seed by policy. Empty until all are there.")
    job = models.ForeignKey(Job, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        ordering = ["model_version_id"]
        constraints = [models.UniqueConstraint(fields=["attack", "model_version"], name="one_spread_per_model")]

    def __str__(self) -> str:
        return f"{self.model_version} on {self.attack}, {self.seeds} seeds"
