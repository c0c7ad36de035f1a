"""Invitations by link: they carry the role and the language the invited person will have."""

from typing import Self

from django.db import models
from django.utils import timezone

from accounts.models.people import EVERY_LANGUAGE, INSTANCE_WIDE, RoleName, User


class InvitationQuerySet(models.QuerySet["Invitation"]):
    def usable(self) -> Self:
        return self.filter(accepted_at=None, withdrawn_at=None, expires_at__gt=timezone.now())


class Invitation(models.Model):
    """One link for one person. Only a hash of the link's secret is stored."""

    email = models.EmailField(blank=True, help_text="If given, only this address can use the link.")
    role = models.CharField(max_length=12, choices=RoleName)
    language = models.CharField(max_length=20, blank=True)
    digest = models.CharField(max_length=64, unique=True)
    invited_by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="sent_invitations")
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True)
    accepted_by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    withdrawn_at = models.DateTimeField(null=True)

    objects = InvitationQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.CheckConstraint(condition=models.Q(role__in=RoleName.values), name="known_invited_role"),
            models.CheckConstraint(
                condition=~models.Q(role__in=INSTANCE_WIDE) | models.Q(language=EVERY_LANGUAGE),
                name="invited_maintainers_have_no_language",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_role_display()} for {self.email or 'anyone with the link'}"

    @property
    def standing(self) -> str:
        """One word for where it stands: accepted, withdrawn, expired or open."""
        if self.accepted_at:
            return "accepted"
        if self.withdrawn_at:
            return "withdrawn"
        return "open" if self.expires_at > timezone.now() else "expired"
