"""Who may label, who may manage, and what each may find. Pages, API and tests ask these."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import get_object_or_404

from accounts.models import RoleName, User
from annotation.campaigns.models import CampaignQuerySet, CampaignState
from annotation.models import Campaign, Participation
from annotation.people.models import ParticipationState
from core.errors import NotAllowed
from core.text import _
from curation.models import Suite

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    Person = User | AnonymousUser

# Labels are being given or counted: who labels must not see the results.
LABELLED_BLIND = (CampaignState.OPEN, CampaignState.PAUSED, CampaignState.CLOSING)


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
        raise NotAllowed(_("Only maintainers can manage campaigns. Ask one of them."))


def find_managed_campaign(user: User, key: str) -> Campaign:
    """Return the campaign, for those who may change it."""
    require_manager(user)
    return get_object_or_404(Campaign.objects.select_related("suite", "language", "guideline__language"), key=key)


def find_participation_of(campaign: Campaign, pseudonym: str) -> Participation:
    """Return an annotator's participation in a campaign."""
    return get_object_or_404(
        campaign.participations.select_related("annotator", "campaign"), annotator__pseudonym=pseudonym
    )


def find_campaign(user: User, key: str) -> Campaign:
    """The campaign, for experts and maintainers; for everybody else there is none.

    Refuses experts who label in it while it runs: they label blind, like everybody.
    """
    campaigns = Campaign.objects.visible_to(user).select_related("suite", "language", "guideline", "previous_round")
    campaign: Campaign = get_object_or_404(campaigns, key=key)
    if hidden_from(user).filter(pk=campaign.pk).exists():
        raise NotAllowed(_("You label in this campaign, so its results are hidden from you until it is closed."))
    return campaign


def hidden_from(user: User) -> CampaignQuerySet:
    """Running campaigns in which somebody labels, who therefore must not see their results; none for maintainers."""
    return Campaign.objects.none() if can_manage_campaigns(user) else labelled_blind_by(user)


def labelled_blind_by(user: Person) -> CampaignQuerySet:
    """Return the running campaigns in which a person takes part, whatever else their role lets them see."""
    mine = Participation.objects.filter(annotator__user=user.pk).exclude(state=ParticipationState.ENDED)
    return Campaign.objects.filter(state__in=LABELLED_BLIND, pk__in=mine.values("campaign"))


def find_suite(user: User, key: str) -> Suite:
    """The suite, for experts and maintainers."""
    suites = Suite.objects.all() if user.is_maintainer or user.is_expert else Suite.objects.none()
    return get_object_or_404(suites, key=key)
