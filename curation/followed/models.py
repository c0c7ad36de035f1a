"""Followed indexes: where they are, the key they are signed with, and what they said last."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from core.fields import SentenceField
from curation.indexes.stores import KnownIndex


class FollowedIndex(models.Model):
    address = models.CharField(max_length=500, unique=True)
    name = models.CharField(max_length=200, blank=True)
    place = models.CharField(max_length=600, blank=True, help_text="Where exactly the index was found.")
    content = models.TextField(blank=True, help_text="The index as it was read and checked last.")
    public_key = models.CharField(max_length=200, blank=True, help_text="Another key is refused.")
    fetched_at = models.DateTimeField(null=True)
    tried_at = models.DateTimeField(null=True)
    error = SentenceField(blank=True, help_text="Why it could not be read the last time.")
    added_at = models.DateTimeField(default=timezone.now)
    added_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        ordering = ["address"]

    def __str__(self) -> str:
        return self.name or self.address

    @property
    def known(self) -> KnownIndex | None:
        """What was read last; None where it was never read."""
        if not self.content:
            return None
        fetched_at = self.fetched_at.isoformat(timespec="seconds") if self.fetched_at else ""
        return KnownIndex(self.address, self.place, self.content, self.public_key, fetched_at)
