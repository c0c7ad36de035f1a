"""API tokens: only a hash is stored; the token itself is shown once."""

from typing import Self

from django.db import models
from django.utils import timezone

from accounts.models.people import User
from core.text import _


class Scope(models.TextChoices):
    READ = "read", _("Read")
    WRITE = "write", _("Read and change")


class ApiTokenQuerySet(models.QuerySet["ApiToken"]):
    def usable(self) -> Self:
        still_valid = models.Q(expires_at=None) | models.Q(expires_at__gt=timezone.now())
        return self.filter(still_valid, revoked_at=None, user__is_active=True)

    def owned_by(self, user: User) -> Self:
        return self.filter(user=user)


class ApiToken(models.Model):
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=100)
    scope = models.CharField(max_length=8, choices=Scope, default=Scope.READ)
    start = models.CharField(max_length=12, help_text="The first characters, to recognise it by.")
    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(default=timezone.now)
    last_used_at = models.DateTimeField(null=True)
    expires_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    objects = ApiTokenQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at"]
        constraints = [models.CheckConstraint(condition=models.Q(scope__in=Scope.values), name="known_scope")]

    def __str__(self) -> str:
        return f"{self.name} ({self.start}…)"

    @property
    def standing(self) -> str:
        """One word for where it stands: revoked, expired or usable."""
        if self.revoked_at:
            return "revoked"
        return "expired" if self.expires_at and self.expires_at <= timezone.now() else "usable"
