"""Every answer a provider gave, kept before anything is read from it. Append-only: an answer is paid for once."""

from __future__ import annotations

from typing import Self

from django.db import models
from django.utils import timezone


class ProviderRequestQuerySet(models.QuerySet["ProviderRequest"]):
    def paid_by(self, run: str) -> Self:
        return self.filter(run=run)

    def spent(self) -> float:
        """Money over all of them; where a provider has no price, 0."""
        return float(self.aggregate(total=models.Sum("cost"))["total"] or 0.0)


class ProviderRequest(models.Model):
    scope = models.CharField(max_length=300, help_text="The server that was asked.")
    key = models.CharField(max_length=64, help_text="Hash of prompt, model, parameters and number.")
    # A key and not a link: what was paid outlives the run that paid it.
    run = models.CharField(max_length=40, blank=True, db_index=True, help_text="Key of the run that paid for it.")
    prompt_sha256 = models.CharField(max_length=64)
    system = models.TextField()
    user = models.TextField()
    model = models.CharField(max_length=300)
    parameters = models.JSONField()
    seed = models.BigIntegerField()
    attempts = models.PositiveSmallIntegerField()
    seconds = models.FloatField()
    text = models.TextField(blank=True)
    raw = models.TextField(blank=True)
    finish_reason = models.CharField(max_length=40, blank=True)
    refusal = models.TextField(blank=True)
    prompt_tokens = models.PositiveIntegerField(null=True)
    completion_tokens = models.PositiveIntegerField(null=True)
    cost = models.FloatField(null=True)
    created_at = models.DateTimeField(default=timezone.now)

    objects = ProviderRequestQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["scope", "key"], name="one_answer_per_request")]

    def __str__(self) -> str:
        return self.key
