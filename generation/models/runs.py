"""A run: so many messages of one functionality about some groups, from one provider."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any, Self

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone

from curation.models import Functionality, Job, Language, Suite, TargetGroup
from curation.models.jobs import JobState
from generation.models.prompts import Prompt

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from accounts.models import User


class RunState(models.TextChoices):
    QUEUED = "queued", "Waiting"
    RUNNING = "running", "Running"
    DONE = "done", "Done"
    STOPPED = "stopped", "Stopped"
    FAILED = "failed", "Failed"


class RunKind(models.TextChoices):
    LLM = "llm", "Written by a language model"


def new_run_key() -> str:
    return f"run-{secrets.token_hex(5)}"


class GenerationRunQuerySet(models.QuerySet["GenerationRun"]):
    def visible_to(self, user: User | AnonymousUser) -> Self:
        """Experts and maintainers see the workshop, nobody else does."""
        if user.is_authenticated and (user.is_maintainer or user.is_expert):
            return self.all()
        return self.none()

    def matching(self, *, suite: str = "", language: str = "", state: str = "", q: str = "") -> Self:
        """What a page's filters leave; an empty filter leaves everything."""
        filters = {"suite__key": suite, "language__code": language, "state": state}
        found = self.filter(**{name: value for name, value in filters.items() if value})
        for word in q.split()[:8]:
            found = found.filter(
                models.Q(functionality__key__icontains=word)
                | models.Q(functionality__title__icontains=word)
                | models.Q(model__icontains=word)
                | models.Q(key__icontains=word)
            )
        return found

    def with_candidate_counts(self) -> Self:
        def count(state: str) -> models.Count:
            return models.Count("candidates", filter=models.Q(candidates__state=state))

        return self.annotate(
            proposed_count=count("proposed"), accepted_count=count("accepted"), rejected_count=count("rejected")
        )


class GenerationRun(models.Model):
    key = models.CharField(max_length=40, unique=True, default=new_run_key)
    kind = models.CharField(max_length=8, choices=RunKind, default=RunKind.LLM)
    suite = models.ForeignKey(Suite, on_delete=models.CASCADE, related_name="generation_runs")
    language = models.ForeignKey(Language, on_delete=models.PROTECT, related_name="+")
    functionality = models.ForeignKey(Functionality, on_delete=models.PROTECT, related_name="generation_runs")
    prompt = models.ForeignKey(Prompt, on_delete=models.PROTECT, related_name="runs")
    targets = models.ManyToManyField(TargetGroup, related_name="+", blank=True)
    provider = models.JSONField(help_text="The provider's settings; keys are named, never held.")
    model = models.CharField(max_length=300)
    wanted = models.PositiveIntegerField(help_text="Messages per group.")
    per_request = models.PositiveSmallIntegerField(default=10)
    seed = models.PositiveIntegerField(default=0)
    nli_model = models.CharField("inference model", max_length=300, blank=True)
    rule_set = models.CharField(max_length=40, default="touchstone")
    threshold = models.FloatField(default=0.5)
    thresholds = models.JSONField(default=dict, blank=True, help_text="Own thresholds of single hypotheses, by test.")
    state = models.CharField(max_length=8, choices=RunState, default=RunState.QUEUED)
    stopped_because = models.TextField(blank=True)
    counts = models.JSONField(default=dict, help_text="received, refusals, unreadable, failed, reused, cost ...")
    job = models.ForeignKey(Job, null=True, on_delete=models.SET_NULL, related_name="+")
    requested_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True)

    objects = GenerationRunQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-id"]
        indexes = [models.Index(fields=["suite", "functionality"])]
        constraints = [
            models.CheckConstraint(condition=models.Q(state__in=RunState.values), name="known_generation_state"),
            models.CheckConstraint(condition=models.Q(kind__in=RunKind.values), name="known_generation_kind"),
            models.CheckConstraint(
                condition=models.Q(threshold__gte=0) & models.Q(threshold__lte=1), name="threshold_is_a_share"
            ),
        ]

    def __str__(self) -> str:
        return self.key

    def get_absolute_url(self) -> str:
        return reverse("generation:run", args=[self.key])

    @property
    def can_go_on(self) -> bool:
        """Its job decides: a worker that died for good leaves the run's own state behind."""
        return self.job is not None and self.job.state in (JobState.FAILED, JobState.CANCELLED)

    @property
    def is_under_way(self) -> bool:
        return self.job is not None and not self.job.is_finished

    @property
    def scope(self) -> str:
        """Which server the answers come from: the same model name elsewhere is another model."""
        facts: dict[str, Any] = self.provider
        return scope_of(facts.get("kind", ""), facts.get("base_url", ""), facts.get("gguf_file", ""))


def scope_of(kind: str, base_url: str, gguf_file: str) -> str:
    """What tells equal questions to different servers apart."""
    return f"{kind} {base_url.rstrip('/')} {gguf_file}".strip()[:300]
