"""What all managers' pages share: the tabs, and drawings that are kept."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.core.cache import cache
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from annotation.models import Campaign
from annotation.models.campaigns import CampaignState
from annotation.permissions import can_manage_campaigns
from annotation.views.requests import SignedInRequest
from curation.views.templates_shared import texts_are_covered

KEEP_DRAWINGS_FOR = 24 * 60 * 60


@dataclass(frozen=True, slots=True)
class Tab:
    title: str
    url: str
    is_current: bool
    count: int | None = None


def frame(request: SignedInRequest, campaign: Campaign, current: str, *, disputed: int | None = None) -> dict[str, Any]:
    """The context every page of a campaign needs."""
    names = {"campaign": "Overview", "campaign_agreement": "Agreement", "campaign_disputes": "Disagreements"}
    tabs = [
        Tab(
            title,
            reverse(f"annotation:{name}", args=[campaign.key]),
            name == current,
            disputed if name == "campaign_disputes" else None,
        )
        for name, title in names.items()
    ]
    return {
        "campaign": campaign,
        "covered": texts_are_covered(request),
        "tabs": tabs,
        "may_manage": can_manage_campaigns(request.user),
        "is_running": campaign.state in (CampaignState.OPEN, CampaignState.PAUSED),
        "is_closed": campaign.state == CampaignState.CLOSED,
    }


def drawn(draw: Callable[..., str], *values: Any) -> SafeString:
    """A drawing, made once for the same values. What we drew ourselves from escaped values is safe to show."""
    told = json.dumps([draw.__name__, *values], default=str, sort_keys=True)
    key = "drawing:" + hashlib.sha256(told.encode()).hexdigest()
    found: str | None = cache.get(key)
    if found is None:
        found = draw(*values)
        cache.set(key, found, KEEP_DRAWINGS_FOR)
    return mark_safe(found)  # noqa: S308
