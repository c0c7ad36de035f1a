"""Finding campaigns and suites for people who may look at them; for everybody else there are none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import get_object_or_404

from accounts.models import User
from annotation.models import Campaign, Participation
from annotation.models.campaigns import CampaignQuerySet, CampaignState
from annotation.models.participation import ParticipationState
from annotation.permissions import can_manage_campaigns
from curation.errors import NotAllowed
from curation.models import Suite

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

RUNNING = (CampaignState.OPEN, CampaignState.PAUSED, CampaignState.CLOSING)


def find_campaign(user: User, key: str) -> Campaign:
    """The campaign, for experts and maintainers; for everybody else there is none.

    Refuses experts who label in it while it runs: they label blind, like everybody.
    """
    campaigns = Campaign.objects.visible_to(user).select_related("suite", "language", "guideline", "previous_round")
    campaign: Campaign = get_object_or_404(campaigns, key=key)
    if hidden_from(user).filter(pk=campaign.pk).exists():
        raise NotAllowed("You label in this campaign, so its results are hidden from you until it is closed.")
    return campaign


def hidden_from(user: User) -> CampaignQuerySet:
    """Running campaigns in which somebody labels, who therefore must not see their results; none for maintainers."""
    return Campaign.objects.none() if can_manage_campaigns(user) else labelled_blind_by(user)


def labelled_blind_by(user: User | AnonymousUser) -> CampaignQuerySet:
    """Return the running campaigns in which a person takes part, whatever else their role lets them see."""
    mine = Participation.objects.filter(annotator__user=user.pk).exclude(state=ParticipationState.ENDED)
    return Campaign.objects.filter(state__in=RUNNING, pk__in=mine.values("campaign"))


def find_suite(user: User, key: str) -> Suite:
    """The suite, for experts and maintainers."""
    suites = Suite.objects.all() if user.is_maintainer or user.is_expert else Suite.objects.none()
    return get_object_or_404(suites, key=key)
