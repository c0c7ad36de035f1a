"""Requests with an `Idempotency-Key`, and what was answered."""

from __future__ import annotations

from datetime import timedelta
from typing import Self

from django.conf import settings
from django.db import models
from django.utils import timezone

KEPT_FOR = timedelta(hours=24)
LONGEST_REQUEST = timedelta(minutes=10)  # after that, its process is taken for dead


class KeyedRequestQuerySet(models.QuerySet["KeyedRequest"]):
    def outdated(self) -> Self:
        return self.filter(started_at__lt=timezone.now() - KEPT_FOR)


class KeyedRequest(models.Model):
    """One request of one person. Without a status it is being carried out, or its process died."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    credential = models.CharField(max_length=40, help_text="The session or the token that sent it.")
    key = models.CharField(max_length=200)
    fingerprint = models.CharField(max_length=64, help_text="SHA-256 of method, address and body.")
    started_at = models.DateTimeField(default=timezone.now, db_index=True)
    status = models.PositiveSmallIntegerField(null=True)
    content_type = models.CharField(max_length=100, default="")
    # Null where the answer held a secret, which is shown once.
    body = models.BinaryField(null=True)

    objects = KeyedRequestQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint("user", "credential", "key", name="idempotency_key_once")]

    def __str__(self) -> str:
        return f"{self.user_id} {self.key}"

    @property
    def is_abandoned(self) -> bool:
        return self.status is None and self.started_at < timezone.now() - LONGEST_REQUEST
