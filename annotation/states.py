"""Allowed moves of campaigns and of people's participation; `core.states` makes them."""

from collections.abc import Collection
from typing import Any

from annotation.campaigns.models import CampaignState
from annotation.errors import NotInThisState
from annotation.models import Campaign, Participation
from annotation.people.models import ParticipationState
from core.states import Moves, move, move_rows
from core.text import _

CAMPAIGN_MOVES: Moves = {
    CampaignState.DRAFT: {CampaignState.OPENING, CampaignState.CANCELLED},
    CampaignState.OPENING: {CampaignState.OPEN, CampaignState.DRAFT, CampaignState.CANCELLED},
    CampaignState.OPEN: {CampaignState.PAUSED, CampaignState.CLOSING, CampaignState.CANCELLED},
    CampaignState.PAUSED: {CampaignState.OPEN, CampaignState.CLOSING, CampaignState.CANCELLED},
    CampaignState.CLOSING: {CampaignState.CLOSED, CampaignState.PAUSED},
}
PARTICIPATION_MOVES: Moves = {
    ParticipationState.INVITED: {ParticipationState.ACTIVE, ParticipationState.PAUSED, ParticipationState.ENDED},
    ParticipationState.ACTIVE: {ParticipationState.PAUSED, ParticipationState.ENDED},
    ParticipationState.PAUSED: {ParticipationState.ACTIVE, ParticipationState.ENDED},
    # Ending it again passes on what was given to the person meanwhile; another try at the test brings a person back.
    ParticipationState.ENDED: {ParticipationState.ENDED, ParticipationState.ACTIVE},
}


def lock_campaign(campaign: Campaign) -> None:
    """Read a campaign's state again and keep it until the transaction ends: another person may have moved it on."""
    # SQLite ignores the lock: there a transaction is the only one that writes from its beginning.
    campaign.refresh_from_db(fields=["state"], from_queryset=Campaign.objects.select_for_update(no_key=True))


def move_campaign(campaign: Campaign, to: CampaignState, **facts: Any) -> None:
    """Move a campaign on. Refuses a move the table does not allow, and one that somebody else made first."""
    move(campaign, to, CAMPAIGN_MOVES, **facts)


def move_participation(
    participation: Participation, to: ParticipationState, *, come_from: Collection[str] | None = None, **facts: Any
) -> None:
    """Move a person's participation on, whatever state was seen before. Refuses a move the table does not allow."""
    rows = Participation.objects.filter(pk=participation.pk)
    if not move_rows(rows, to, PARTICIPATION_MOVES, come_from=come_from, **facts):
        raise NotInThisState(
            _(
                "This is not possible: the annotator's work here is in the state “%(state)s”.",
                state=ParticipationState(participation.state).label,
            ),
            now=participation.state,
            wanted=to,
        )
