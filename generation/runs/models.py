"""Generation runs, and every answer a provider gave: append-only, because an answer is paid for once."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone

from core.fields import SentenceField
from core.inference.descriptions import Source, current_spelling
from core.jobs.models import JobState
from core.models import Job
from core.permissions import can_see_workshop
from core.text import _, recall
from curation.models import Functionality, Language, Suite, TargetGroup
from generation.checks.models import RuleSetName
from generation.prompts.models import Prompt
from generation.runs.algorithm.config import ProviderConfig

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from accounts.models import User

Row = TypeVar("Row", bound=models.Model, covariant=True)


class ProviderRequestQuerySet(models.QuerySet["ProviderRequest"]):
    def paid_by(self, *runs: str) -> Self:
        return self.filter(run__in=runs)

    def spent(self) -> float:
        """Return the cost of all of them; 0 where a provider has no price."""
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


class RunState(models.TextChoices):
    QUEUED = "queued", _("Waiting")
    RUNNING = "running", _("Running")
    DONE = "done", _("Done")
    STOPPED = "stopped", _("Stopped")
    FAILED = "failed", _("Failed")


def new_run_key() -> str:
    return f"run-{secrets.token_hex(5)}"


def new_plan_key() -> str:
    return f"plan-{secrets.token_hex(5)}"


class WorkshopQuerySet(models.QuerySet[Row]):
    def visible_to(self, user: User | AnonymousUser) -> Self:
        """Return everything to experts and maintainers, and nothing to anyone else."""
        return self.all() if can_see_workshop(user) else self.none()


class GenerationPlan(models.Model):
    """Runs that were started together: one job, one provider, one budget."""

    key = models.CharField(max_length=40, unique=True, default=new_plan_key)
    suite = models.ForeignKey(Suite, on_delete=models.CASCADE, related_name="generation_plans")
    skipped = models.JSONField(default=list, help_text="Which runs could not be planned, and why.")
    requested_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)

    objects = WorkshopQuerySet["GenerationPlan"].as_manager()

    class Meta:
        ordering = ["-created_at", "-id"]

    def __str__(self) -> str:
        return self.key

    def get_absolute_url(self) -> str:
        return reverse("generation:plan", args=[self.key])

    @property
    def skipped_reasons(self) -> list[str]:
        """Which runs could not be planned, and why, for readers of any language."""
        return [recall(reason) for reason in self.skipped]


class GenerationRunQuerySet(WorkshopQuerySet["GenerationRun"]):
    def with_names(self) -> Self:
        """Fetch everything that services and pages name, in one query."""
        return self.select_related("suite", "language", "functionality", "prompt", "job", "plan", "requested_by")

    def in_order(self) -> Self:
        return self.order_by("language__code", "functionality__position", "functionality__key", "pk")

    def matching(self, *, suite: str = "", language: str = "", state: str = "", q: str = "") -> Self:
        """Return what the filters of a page leave; an empty filter leaves everything."""
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
    plan = models.ForeignKey(GenerationPlan, null=True, on_delete=models.CASCADE, related_name="runs")
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
    rule_set = models.CharField("hypotheses", max_length=40, choices=RuleSetName, default=RuleSetName.TOUCHSTONE)
    threshold = models.FloatField(default=0.5)
    thresholds = models.JSONField(default=dict, blank=True, help_text="Own thresholds of single hypotheses, by test.")
    state = models.CharField(max_length=8, choices=RunState, default=RunState.QUEUED)
    stopped_because = SentenceField(blank=True)
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
            models.CheckConstraint(
                condition=models.Q(threshold__gte=0) & models.Q(threshold__lte=1), name="threshold_is_a_share"
            ),
        ]

    def __str__(self) -> str:
        return self.key

    def get_absolute_url(self) -> str:
        return reverse("generation:run", args=[self.key])

    @property
    def can_resume(self) -> bool:
        """Whether it can be resumed. Its job decides: a worker that died for good leaves the run's state behind."""
        return self.job is not None and self.job.state in (JobState.FAILED, JobState.CANCELLED)

    @property
    def is_under_way(self) -> bool:
        return self.job is not None and not self.job.is_finished

    @property
    def scope(self) -> str:
        """The server that the answers come from: the same model name elsewhere is another model."""
        return scope_of(self.server)

    @property
    def server(self) -> dict[str, Any]:
        """The provider in the current spelling. It may be refused today: rules about secrets became stricter."""
        return current_spelling(Source(dict(self.provider), warns=False), ProviderConfig.renames)[0].values


# Answers are found again by these words, so they stay as they were when the first ones were paid for.
SCOPES = {"chat": "openai_compatible", "local": "transformers_local"}


def scope_of(server: Mapping[str, Any]) -> str:
    """Return what tells equal questions to different servers apart."""
    extra = json.dumps(server["extra"], sort_keys=True) if server.get("extra") else ""
    kind = SCOPES.get(server.get("kind", ""), "")
    return f"{kind} {server.get('url', '').rstrip('/')} {server.get('gguf_file', '')} {extra}".strip()[:300]
