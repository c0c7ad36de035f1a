"""Who may label and who may manage. Pages, API and tests ask these."""

from __future__ import annotations

from typing import TYPE_CHECKING

from accounts.errors import NotAllowed
from accounts.models import RoleName, User
from annotation.models import Campaign, Participation
from annotation.models.participation import ParticipationState

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    Person = User | AnonymousUser


def can_manage_campaigns(user: Person) -> bool:
    """Maintainers set up, open and close campaigns."""
    return user.is_authenticated and user.is_maintainer


def can_annotate(user: Person, campaign: Campaign) -> bool:
    """Annotators of the campaign's language; of any language where the campaign has several."""
    if not user.is_authenticated:
        return False
    return user.has_role(RoleName.ANNOTATOR, campaign.language.code if campaign.language else None)


def can_join(user: Person, campaign: Campaign) -> bool:
    """Annotators may come by themselves where the campaign does not ask for an invitation."""
    return not campaign.invited_only and can_annotate(user, campaign)


def may_send_labels(participation: Participation) -> bool:
    """Labels on their way are taken from people who take part or are paused, never from those who were sent away."""
    return participation.state in (ParticipationState.ACTIVE, ParticipationState.PAUSED)


def require_manager(user: Person) -> None:
    if not can_manage_campaigns(user):
        raise NotAllowed("Campaigns are managed by maintainers. Ask one of them.")
