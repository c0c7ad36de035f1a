"""Asking again: a new campaign over the cases annotators disagree on."""

from dataclasses import asdict

from django.db import transaction

from accounts.models import Action, User
from accounts.services import audit
from annotation.agreement.disputes import disputed_items
from annotation.campaigns.choosing import Selection
from annotation.campaigns.known_answers import copy_items
from annotation.campaigns.models import CampaignState
from annotation.campaigns.services import create_campaign, settings_of
from annotation.errors import NotInThisState
from annotation.models import Campaign
from annotation.permissions import require_manager
from core.errors import BadInput
from core.text import _
from curation.cases.models import CaseState

# What belongs to one round only.
NOT_KEPT = {"per_annotator": None, "completion_code": "", "completion_url": ""}


def cases_to_ask_again(campaign: Campaign) -> tuple[str, ...]:
    """Keys of the disagreements without a decision whose cases are not left out."""
    labelable = (CaseState.READY, CaseState.VALIDATED)
    waiting = disputed_items(campaign, status="open").filter(case__state__in=labelable)
    return tuple(waiting.values_list("case__key", flat=True))


@transaction.atomic
def start_round(campaign: Campaign, *, by: User, title: str = "") -> Campaign:
    """Make a draft of a follow-up campaign over the disagreements without a decision, with the settings of this one.

    It has no annotators yet: those who label again should be chosen on purpose. Refuses a campaign that is not closed,
    and one without such cases.
    """
    require_manager(by)
    if campaign.state != CampaignState.CLOSED:
        raise NotInThisState(
            _("Only disagreements of a closed campaign can be labelled again. Close this campaign first."),
            now=campaign.state,
            wanted="asked again",
        )
    keys = cases_to_ask_again(campaign)
    if not keys:
        raise BadInput(
            _("No disagreement is open: all are decided or left out. To have a case labelled again, restore it first.")
        )
    rounds = 2
    earlier = campaign.previous_round
    while earlier is not None and rounds < 100:
        rounds, earlier = rounds + 1, earlier.previous_round
    title = title.strip() or f"{campaign.title[:140].removesuffix(f' ({rounds - 1})')} ({rounds})"
    settings = {**settings_of(campaign), **NOT_KEPT, **asdict(Selection(keys=keys)), "title": title}
    new = create_campaign(campaign.suite, by=by, previous_round=campaign, **settings)
    copy_items(new, campaign, by=by)
    audit.record(by, Action.CAMPAIGN_CHANGED, campaign, next_round=new.key, cases=len(keys))
    return new
