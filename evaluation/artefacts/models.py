"""What a person requests and a worker makes of a data set: the part that attacks, splits and experiments share."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Self, TypeVar

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone

from core.models import Job

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from accounts.models import User

Requested = TypeVar("Requested", bound="Artefact")


class ArtefactQuerySet(models.QuerySet[Requested]):
    def visible_to(self, user: User | AnonymousUser) -> Self:
        """Return what the person requested; everything for maintainers. It is as private as the data."""
        if not user.is_authenticated:
            return self.none()
        return self.all() if user.is_maintainer else self.filter(created_by=user)

    def built(self) -> Self:
        return self.exclude(sha256="")


class Artefact(models.Model):
    """A request with the job that fulfils it. Subclasses name the data set, and give the key its default."""

    key = models.CharField(max_length=40, unique=True)
    job = models.ForeignKey(Job, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        abstract = True
        ordering = ["-created_at", "-id"]

    def get_absolute_url(self) -> str:
        return reverse(f"evaluation:{self._meta.model_name}", args=[self.key])


class BuiltArtefact(Artefact):
    """An artefact made of files, which can be built again from its seed."""

    not_handed_out: ClassVar[tuple[str, ...]] = ()  # files that its archive leaves out

    title = models.CharField(max_length=160)
    seed = models.BigIntegerField()
    sha256 = models.CharField(max_length=64, blank=True, help_text="Over all files; empty until built.")

    class Meta(Artefact.Meta):
        abstract = True

    def __str__(self) -> str:
        return self.title

    @property
    def is_built(self) -> bool:
        return bool(self.sha256)
