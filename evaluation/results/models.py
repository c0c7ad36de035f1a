"""Links to results for people without an account."""

import secrets
from typing import Self

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone

from curation.models import Release
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
