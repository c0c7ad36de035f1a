"""What a hub holds of a release. Tokens are never among it: they come from the settings."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone

from core.states import Moves
from core.text import _
from curation.releases.models import Release


class Hub(models.TextChoices):
    HUGGING_FACE = "huggingface", "Hugging Face Hub"
    ZENODO = "zenodo", "Zenodo"


class EntryState(models.TextChoices):
    BEGUN = "begun", _("Begun")
    RESERVED = "reserved", _("DOI reserved")
    PUBLISHED = "published", _("Published")


ENTRY_MOVES: Moves = {
    EntryState.BEGUN: {EntryState.RESERVED, EntryState.PUBLISHED},
    EntryState.RESERVED: {EntryState.PUBLISHED},
}


class HubEntry(models.Model):
    """One release at one hub. The row is there before the hub is asked, so that a second try finds what the first did.

    `reference` is the data set or the number of the deposit; `marker` stands in the deposit itself, where a try that
    ended before the number was stored can be recognised by it.
    """

    release = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="hub_entries")
    hub = models.CharField(max_length=20, choices=Hub)
    server = models.CharField(max_length=200)
    reference = models.CharField(max_length=200, blank=True)
    marker = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    state = models.CharField(max_length=10, choices=EntryState, default=EntryState.BEGUN)
    doi = models.CharField(max_length=200, blank=True)
    url = models.CharField(max_length=400, blank=True)
    begun_at = models.DateTimeField(default=timezone.now)
    begun_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    published_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["hub"]
        verbose_name_plural = "hub entries"
        constraints = [
            models.UniqueConstraint(fields=["release", "hub"], name="one_entry_per_release_and_hub"),
            models.CheckConstraint(condition=models.Q(hub__in=Hub.values), name="known_hub"),
            models.CheckConstraint(condition=models.Q(state__in=EntryState.values), name="known_hub_entry_state"),
        ]

    def __str__(self) -> str:
        return f"{self.release} at {self.get_hub_display()}"
