"""What waits for annotators and for those who manage campaigns."""

from django.db.models import Count
from django.urls import reverse

from accounts.models import User
from annotation.campaigns.models import CampaignState
from annotation.campaigns.progress import count_labels
from annotation.labelling.models import SlotState
from annotation.models import Assignment, Campaign, Participation
from annotation.people.models import ParticipationState
from ui.cards import Card
from ui.numbers import format_number

MOST = 3


def next_actions(user: User) -> list[Card]:
    """Campaigns to label in, then campaigns to follow; in four queries, however many there are."""
    cards = _labelling(user)
    if user.is_maintainer:
        cards += _running_campaigns(user)
    return cards


def _labelling(user: User) -> list[Card]:
    taking_part = (
        Participation.objects.filter(annotator__user=user, campaign__state=CampaignState.OPEN)
        .exclude(state=ParticipationState.ENDED)
        .select_related("campaign")
        .order_by("-campaign__opened_at")[:MOST]
    )
    given = dict(
        Assignment.objects.filter(
            campaign__in=[one.campaign_id for one in taking_part], annotator__user=user, state=SlotState.DONE
        )
        .values_list("campaign")
        .annotate(Count("id"))
    )
    cards = [_going_on(one, given.get(one.campaign_id, 0)) for one in taking_part]
    if not cards and user.is_annotator:
        text = "See which campaigns are open to you. Stop whenever you like."
        cards.append(Card("Label cases", text, reverse("annotation:my-work"), "See the campaigns"))
    return cards


def _going_on(one: Participation, given: int) -> Card:
    text = "Read short texts and say what they are. Stop whenever you like."
    if given:
        text = f"You gave {format_number(given)} labels so far. Stop whenever you like."
    action = "Go on labelling" if given else "Start labelling"
    return Card(one.campaign.title, text, reverse("annotation:label", args=[one.campaign.key]), action)


def _running_campaigns(user: User) -> list[Card]:
    running = list(
        Campaign.objects.visible_to(user).running().select_related("suite", "language").order_by("-opened_at")[:MOST]
    )
    counts = count_labels(running)
    cards = []
    for one in running:
        done, total = counts.get(one.pk, (0, 0))
        where = f"{one.suite.name}, {one.language.name}" if one.language else one.suite.name
        cards.append(
            Card(one.title, where, reverse("annotation:campaign", args=[one.key]), "See how it goes", done, total)
        )
    if not cards:
        text = "Have the cases of a suite labelled by several people."
        cards.append(Card("Start a campaign", text, reverse("annotation:campaign-new"), "Set one up"))
    return cards
