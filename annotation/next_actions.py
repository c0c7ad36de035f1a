"""What waits for annotators and for those who manage campaigns."""

from django.db.models import Count
from django.urls import reverse

from accounts.models import User
from annotation.campaigns.models import CampaignState
from annotation.campaigns.progress import count_labels
from annotation.labelling.models import SlotState
from annotation.models import Assignment, Campaign, Participation
from annotation.people.models import ParticipationState
from core.text import _, catalogue_name, ngettext
from ui.cards import Card

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
    cards = [_to_continue(one, given.get(one.campaign_id, 0)) for one in taking_part]
    if not cards and user.is_annotator:
        text = _("See which campaigns you can join. You can stop at any time.")
        cards.append(Card(_("Label cases"), text, reverse("annotation:my-work"), _("View campaigns")))
    return cards


def _to_continue(one: Participation, given: int) -> Card:
    text, action = _("Read short texts and label them. You can stop at any time."), _("Start labelling")
    if given:
        text = ngettext(
            "You have labelled %(count)s text so far. You can stop at any time.",
            "You have labelled %(count)s texts so far. You can stop at any time.",
            given,
        )
        action = _("Continue labelling")
    return Card(one.campaign.title, text, reverse("annotation:label", args=[one.campaign.key]), action)


def _running_campaigns(user: User) -> list[Card]:
    running = list(
        Campaign.objects.visible_to(user).running().select_related("suite", "language").order_by("-opened_at")[:MOST]
    )
    counts = count_labels(running)
    cards = []
    for one in running:
        done, total = counts.get(one.pk, (0, 0))
        suite, language = one.suite.name, one.language
        where = _("%(suite)s, %(language)s", suite=suite, language=catalogue_name(language.name)) if language else suite
        address = reverse("annotation:campaign", args=[one.key])
        cards.append(Card(one.title, where, address, _("View progress"), done, total))
    if not cards:
        text = _("Have the cases of a suite labelled by several annotators.")
        cards.append(Card(_("Start a campaign"), text, reverse("annotation:campaign-new"), _("New campaign")))
    return cards
