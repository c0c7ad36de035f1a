"""Whom annotation tells what: campaigns that open and close, and notes of their managers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.urls import reverse

from accounts.models import RoleName, User
from core.notifications.models import Happening
from core.notifications.services import notify
from core.text import _

if TYPE_CHECKING:
    from accounts.models.people import UserQuerySet
    from annotation.models import Campaign, CampaignMessage


def tell_of_opening(campaign: Campaign, *, by: User | None) -> None:
    """Tell the invited people; where none is invited, every annotator of the language who may enter."""
    invited = _participants(campaign)
    language = campaign.language.code if campaign.language else None
    annotators = User.objects.holding(RoleName.ANNOTATOR, language)
    people = invited if campaign.invited_only or invited.exists() else annotators
    notify(
        Happening.CAMPAIGN_OPENED,
        people,
        key=f"{campaign.key}:{campaign.opened_at}",
        title=_("“%(campaign)s” is open for you", campaign=campaign.title),
        url=reverse("annotation:my-work"),
        by=by,
        facts={"campaign": campaign.key},
    )


def tell_of_closing(campaign: Campaign, *, by: User | None) -> None:
    """Tell the people who took part, and the maintainers."""
    people = [*_participants(campaign), *User.objects.holding(RoleName.MAINTAINER)]
    notify(
        Happening.CAMPAIGN_CLOSED,
        people,
        key=campaign.key,
        title=_("“%(campaign)s” is closed", campaign=campaign.title),
        text=_("Thank you for your work."),
        by=by,
        facts={"campaign": campaign.key},
    )


def tell_of_note(message: CampaignMessage) -> None:
    """Tell the person a note is for, or everyone who takes part."""
    people = _participants(message.campaign)
    if message.annotator_id:
        people = people.filter(annotator=message.annotator_id)
    notify(
        Happening.NOTE,
        people,
        key=f"note-{message.pk}",
        title=_("A note about “%(campaign)s”", campaign=message.campaign.title),
        text=message.text,
        url=reverse("annotation:my-work"),
        by=message.sent_by,
        facts={"campaign": message.campaign.key},
    )


def _participants(campaign: Campaign) -> UserQuerySet:
    found: UserQuerySet = User.objects.filter(annotator__participations__campaign=campaign).distinct()
    return found
