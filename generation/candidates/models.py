"""Candidates: messages a model wrote, what was found out about them, and what people decided."""

from __future__ import annotations

from typing import Any, Self

from django.conf import settings
from django.db import models
from django.urls import reverse

from core.fields import SentenceField
from core.text import _, recall
from curation.models import TargetGroup, TestCase
from generation.runs.models import GenerationRun, ProviderRequest, WorkshopQuerySet


class CandidateState(models.TextChoices):
    PROPOSED = "proposed", _("Proposed")
    ACCEPTED = "accepted", _("Accepted")
    REJECTED = "rejected", _("Rejected")


class CandidateQuerySet(WorkshopQuerySet["Candidate"]):
    def proposed(self) -> Self:
        return self.filter(state=CandidateState.PROPOSED)

    def in_order(self) -> Self:
        return self.order_by("run", "number")

    def for_deciding(self) -> Self:
        """Fetch everything that services and pages read, in one query."""
        of_run = ("run__suite", "run__language", "run__functionality", "run__prompt")
        return self.select_related(*of_run, "target", "request", "case", "decided_by")


class Candidate(models.Model):
    run = models.ForeignKey(GenerationRun, on_delete=models.CASCADE, related_name="candidates")
    number = models.PositiveIntegerField(help_text="Its place in the run, from 1.")
    target = models.ForeignKey(TargetGroup, null=True, on_delete=models.PROTECT, related_name="+")
    request = models.ForeignKey(ProviderRequest, on_delete=models.PROTECT, related_name="candidates")
    position = models.PositiveSmallIntegerField(help_text="Its place in the answer, from 0.")
    text = models.TextField()
    original_text = models.TextField(help_text="As the model wrote it.")
    findings = models.JSONField(default=list, help_text="What screening found: check, problem, other.")
    checks = models.JSONField(default=dict, help_text="scores and rule_tests by test, model, rule_set; or a reason.")
    state = models.CharField(max_length=8, choices=CandidateState, default=CandidateState.PROPOSED)
    reason = SentenceField(blank=True)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    decided_at = models.DateTimeField(null=True)
    case = models.ForeignKey(TestCase, null=True, on_delete=models.SET_NULL, related_name="candidates")
    study_case = models.ForeignKey(
        TestCase,
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="Its copy in a validation study, which people label whether or not it was kept.",
    )

    objects = CandidateQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "number"], name="one_candidate_per_number"),
            models.UniqueConstraint(fields=["run", "request", "position"], name="one_candidate_per_place"),
            models.CheckConstraint(condition=models.Q(state__in=CandidateState.values), name="known_candidate_state"),
        ]
        indexes = [models.Index(fields=["run", "state"])]

    def __str__(self) -> str:
        return self.key

    def get_absolute_url(self) -> str:
        return reverse("generation:candidate", args=[self.run.key, self.number])

    @property
    def key(self) -> str:
        return f"{self.run.key}-{self.number}"

    @property
    def is_edited(self) -> bool:
        return self.text != self.original_text

    @property
    def is_clean(self) -> bool:
        return not self.findings

    @property
    def found(self) -> list[dict[str, str]]:
        """What screening found, for readers of any language."""
        return [recall(finding) for finding in self.findings]

    @property
    def why_unchecked(self) -> str:
        """Why no model checked it, for readers of any language; "" where one did, or none was asked."""
        reason: str = recall(self.checks.get("reason", ""))
        return reason

    @property
    def scores(self) -> dict[str, Any]:
        return dict(self.checks.get("scores", {}))
