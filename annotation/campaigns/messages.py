"""Notes from the managers to one annotator, or to everybody in a campaign."""

from django.db import transaction
from django.db.models import Q, QuerySet

from accounts.models import Action, User
from accounts.services import audit
from annotation.models import Annotator, Campaign, CampaignMessage, Participation
from annotation.notifications import tell_of_note
from annotation.permissions import require_manager
from core.errors import BadInput
from core.text import _

LONGEST = 2_000
NOTES_SHOWN = 3


@transaction.atomic
def send_message(campaign: Campaign, *, text: str, by: User, annotator: Annotator | None = None) -> CampaignMessage:
    """Leave a note for somebody, or for all. Refuses an empty or very long text, and people who do not take part."""
    require_manager(by)
    text = text.strip()
    if not text or len(text) > LONGEST:
        raise BadInput(_("Write a message of 1 to %(most)s characters.", most=LONGEST), field="text")
    if annotator is not None and not Participation.objects.filter(campaign=campaign, annotator=annotator).exists():
        raise BadInput(
            _("%(annotator)s does not take part in “%(campaign)s”.", annotator=str(annotator), campaign=campaign.title),
            field="annotator",
        )
    message = CampaignMessage.objects.create(campaign=campaign, annotator=annotator, text=text, sent_by=by)
    audit.record(by, Action.CAMPAIGN_CHANGED, campaign, message_to=annotator.pseudonym if annotator else "all")
    tell_of_note(message)
    return message


def messages_for(participation: Participation) -> QuerySet[CampaignMessage]:
    """What one annotator reads, newest first: notes to all and notes to them, never those to others."""
    mine = Q(annotator=None) | Q(annotator=participation.annotator_id)
    return CampaignMessage.objects.filter(mine, campaign=participation.campaign_id)


def notes_for(participation: Participation) -> list[dict[str, str]]:
    """The newest notes as the labelling screen shows them."""
    newest = messages_for(participation)[:NOTES_SHOWN]
    return [{"sent_at": note.sent_at.isoformat(), "text": note.text} for note in newest]
