"""Links to results for people without an account, and results that other people measured."""

import secrets
from typing import Any, Self

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone

from curation.models import Release
from evaluation.registry.models import ModelVersion
from evaluation.runs.models import EvaluationRun


def new_token() -> str:
    return secrets.token_urlsafe(24)


class SharedReportQuerySet(models.QuerySet["SharedReport"]):
    def usable(self) -> Self:
        return self.filter(withdrawn_at=None)


class SharedReport(models.Model):
    """Anyone who knows the token sees the measures of these runs; never the texts of a release that is not public."""

    token = models.CharField(max_length=40, unique=True, default=new_token)
    release = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="shared_reports")
    runs = models.ManyToManyField(EvaluationRun, related_name="shared_reports")
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    withdrawn_at = models.DateTimeField(null=True)

    objects = SharedReportQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"shared results on {self.release}"

    def get_absolute_url(self) -> str:
        return reverse("evaluation:shared", args=[self.token])


def new_result_key() -> str:
    return f"result-{secrets.token_hex(6)}"


class ReportedResult(models.Model):
    """Figures of a model on exactly this release, as somebody reports them: nobody here can recompute them."""

    key = models.CharField(max_length=40, unique=True, default=new_result_key)
    release = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="reported_results")
    model_version = models.ForeignKey(ModelVersion, on_delete=models.PROTECT, related_name="reported_results")
    seal = models.CharField(max_length=64, help_text="Of what was handed in.")
    figures = models.JSONField()
    environment = models.JSONField(default=dict, help_text="What the model was run with, as it was reported.")
    finished_at = models.CharField(max_length=40, blank=True, help_text="When it was measured, as it was reported.")
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        ordering = ["-created_at"]
        constraints = [models.UniqueConstraint(fields=["release", "seal"], name="one_reported_result_per_seal")]

    def __str__(self) -> str:
        return f"{self.model_version.model} on {self.release}, self-reported"

    @property
    def overall(self) -> dict[str, Any]:
        return dict(self.figures["overall"])
