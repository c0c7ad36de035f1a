"""Allowed moves of campaigns; the move itself is the floor's compare-and-set."""

from __future__ import annotations

from typing import Any

from annotation.models import Campaign
from annotation.models.campaigns import CampaignState
from curation.states import Moves, move

CAMPAIGN_MOVES: Moves = {
    CampaignState.DRAFT: {CampaignState.OPENING, CampaignState.CANCELLED},
    CampaignState.OPENING: {CampaignState.OPEN, CampaignState.DRAFT, CampaignState.CANCELLED},
    CampaignState.OPEN: {CampaignState.PAUSED, CampaignState.CLOSING, CampaignState.CANCELLED},
    CampaignState.PAUSED: {CampaignState.OPEN, CampaignState.CLOSING, CampaignState.CANCELLED},
    CampaignState.CLOSING: {CampaignState.CLOSED, CampaignState.PAUSED},
}


def lock_campaign(campaign: Campaign) -> None:
    """Read a campaign's state again and keep it until the transaction ends: another person may have moved it on."""
    # SQLite ignores the lock: there a transaction is the only one that writes from its beginning.
    campaign.refresh_from_db(fields=["state"], from_queryset=Campaign.objects.select_for_update(no_key=True))


def move_campaign(campaign: Campaign, to: CampaignState, **facts: Any) -> None:
    """Move a campaign on. Refuses a move the table does not allow, and one that somebody else made first."""
    move(campaign, to, CAMPAIGN_MOVES, **facts)
