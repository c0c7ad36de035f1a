"""What the search finds in annotation: campaigns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from django.db.models import Q

from annotation.models import Campaign
from core.search.finding import MOST, Hit, register_search
from core.text import _

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from accounts.models import User


def find_campaigns(user: User | AnonymousUser, words: str) -> Iterator[Hit]:
    """Find campaigns by title, key or suite."""
    fits = Q(title__icontains=words) | Q(key__icontains=words) | Q(suite__name__icontains=words)
    for campaign in Campaign.objects.visible_to(user).filter(fits).select_related("suite").order_by("-id")[:MOST]:
        detail = f"{campaign.suite.name} · {campaign.get_state_display()}"
        yield Hit(campaign.title, campaign.get_absolute_url(), detail)


def register() -> None:
    """Add campaigns to the search."""
    register_search(_("Campaigns"), find_campaigns, order=30)
