"""Attempts to sign in, kept for as long as they count towards a limit."""

from datetime import datetime
from typing import Self

from django.db import models
from django.utils import timezone

from core.text import _


class Secret(models.TextChoices):
    PASSWORD = "password", _("password")
    CODE = "code", _("code of the second factor")
    RESET = "reset", _("password reset")
    INVITATION = "invitation", _("invitation")


class SignInAttemptQuerySet(models.QuerySet["SignInAttempt"]):
    def failed(self) -> Self:
        """Every attempt counts as failed until the secret proved right."""
        return self.filter(succeeded=False)

    def newest(self, number: int) -> list[datetime]:
        """When the last attempts were made, the newest first."""
        return list(self.order_by("-at").values_list("at", flat=True)[:number])


class SignInAttempt(models.Model):
    """One guess. The account is a keyed hash of what was typed, so no address of a person outlives the person."""

    at = models.DateTimeField(default=timezone.now, db_index=True)
    secret = models.CharField(max_length=10, choices=Secret)
    account = models.CharField(max_length=64)
    address = models.CharField(max_length=64, blank=True, help_text="IPv4 address or IPv6 network (/64).")
    succeeded = models.BooleanField(default=False)

    objects = SignInAttemptQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["secret", "account", "at"]),
            models.Index(fields=["secret", "address", "at"]),
        ]
        constraints = [models.CheckConstraint(condition=models.Q(secret__in=Secret.values), name="known_secret")]

    def __str__(self) -> str:
        return f"{self.get_secret_display()} from {self.address or 'an unknown address'} at {self.at:%Y-%m-%d %H:%M}"
