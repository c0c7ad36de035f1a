"""People and what they may do: annotators and experts in which language, others in the whole instance."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Self

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.db import models
from django.db.models import Q
from django.utils import timezone

from core.text import _

EVERY_LANGUAGE = ""


class RoleName(models.TextChoices):
    ANNOTATOR = "annotator", _("Annotator")
    EXPERT = "expert", _("Language expert")
    EVALUATOR = "evaluator", _("Evaluator")
    MAINTAINER = "maintainer", _("Maintainer")


# Roles that are not given for a language: they act on the whole instance.
INSTANCE_WIDE = (RoleName.EVALUATOR, RoleName.MAINTAINER)
WHOLE_INSTANCE = _("whole instance")


class UserQuerySet(models.QuerySet["User"]):
    def matching(self, words: str) -> Self:
        """Whose name or address contains the words."""
        words = words.strip()
        return self.filter(Q(name__icontains=words) | Q(email__icontains=words)) if words else self

    def holding(self, role: str, language: str | None = None) -> Self:
        """Return active people with the role: in this language or in every one; in any where none is named."""
        grants = RoleGrant.objects.filter(role=role)
        if language is not None:
            grants = grants.filter(language__in=[language, EVERY_LANGUAGE])
        return self.filter(pk__in=grants.values("user"), is_active=True)

    def with_role(self, role: str) -> Self:
        """Those with a role, with none ("none"), or the administrators ("administrator"); "" is everybody."""
        if role == "administrator":
            return self.filter(is_superuser=True)
        if role == "none":
            return self.filter(is_superuser=False, grants=None)
        return self.filter(pk__in=RoleGrant.objects.filter(role=role).values("user")) if role else self


class UserManager(BaseUserManager.from_queryset(UserQuerySet)):  # type: ignore[misc]
    def create_user(self, email: str, password: str | None = None, **facts: Any) -> User:
        user = User(email=self.normalize_email(email).lower(), **facts)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **facts: Any) -> User:
        return self.create_user(email, password, is_staff=True, is_superuser=True, **facts)


class User(AbstractBaseUser, PermissionsMixin):
    """A person, known by e-mail. An administrator (`is_superuser`) invites people and sees everything."""

    email = models.EmailField("e-mail", unique=True)
    name = models.CharField(max_length=150, blank=True)
    is_active = models.BooleanField(default=True)
    is_staff = models.BooleanField("administrator", default=False)
    joined_at = models.DateTimeField(default=timezone.now)
    language = models.CharField(max_length=20, blank=True, help_text="Of pages and mails; empty follows the browser.")
    session_number = models.PositiveIntegerField(default=0, help_text="Sessions that began under a lower one are over.")

    objects = UserManager()
    USERNAME_FIELD = "email"
    REQUIRED_FIELDS = []

    class Meta:
        ordering = ["email"]

    def __str__(self) -> str:
        return self.name or self.email

    def get_full_name(self) -> str:
        return str(self)

    @property
    def pseudonym(self) -> str:
        """Return what stays of the person in the audit log."""
        return f"person-{self.pk}"

    def _get_session_auth_hash(self, secret: str | None = None) -> str:
        """Return what a session is checked against: it ends with the password, and when sessions are ended."""
        found: str = super()._get_session_auth_hash(secret=secret)  # type: ignore[misc]
        return f"{found}:{self.session_number}" if self.session_number else found

    @cached_property
    def role_grants(self) -> frozenset[tuple[str, str]]:
        """(role, language) pairs, read once per request."""
        return frozenset(self.grants.values_list("role", "language"))

    def has_role(self, role: str, language: str | None = None) -> bool:
        """Whether the person has the role: in this language, or in any where none is named."""
        if self.is_superuser:
            return True
        held = {lang for name, lang in self.role_grants if name == role}
        return bool(held) if language is None else bool(held & {language, EVERY_LANGUAGE})

    def languages_as(self, role: str) -> set[str] | None:
        """The languages in which the person has the role; None means every language."""
        if self.is_superuser:
            return None
        held = {lang for name, lang in self.role_grants if name == role}
        return None if EVERY_LANGUAGE in held else held

    @property
    def is_maintainer(self) -> bool:
        return self.has_role(RoleName.MAINTAINER)

    @property
    def is_expert(self) -> bool:
        return self.has_role(RoleName.EXPERT)

    @property
    def is_evaluator(self) -> bool:
        return self.has_role(RoleName.EVALUATOR)

    @property
    def is_annotator(self) -> bool:
        return self.has_role(RoleName.ANNOTATOR)


class RoleGrant(models.Model):
    """A role in one language, or in every language where the code is empty. Roles of the instance have no language."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="grants")
    role = models.CharField(max_length=12, choices=RoleName)
    language = models.CharField(max_length=20, blank=True, help_text="Language code; empty for every language.")
    granted_by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    granted_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "role", "language"], name="one_grant_per_role_and_language"),
            models.CheckConstraint(condition=models.Q(role__in=RoleName.values), name="known_role"),
            models.CheckConstraint(
                condition=~models.Q(role__in=INSTANCE_WIDE) | models.Q(language=EVERY_LANGUAGE),
                name="maintainers_have_no_language",
            ),
        ]

    def __str__(self) -> str:
        scope = WHOLE_INSTANCE if self.role in INSTANCE_WIDE else self.language or "every language"
        return f"{self.get_role_display()} ({scope})"
