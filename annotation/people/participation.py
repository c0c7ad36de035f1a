"""Who takes part: joining, being added, leaving, being replaced."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.models import Action, RoleName, User
from accounts.services import audit
from annotation.campaigns import dealing
from annotation.campaigns.models import NOT_YET, CampaignState, Mode
from annotation.errors import NotInThisState, NotReady, NotTakingPart
from annotation.labelling import claiming
from annotation.models import Annotator, Assignment, Campaign, Participation
from annotation.people.models import ParticipationState
from annotation.permissions import can_annotate, can_join, require_manager
from annotation.states import lock_campaign, move_participation
from core.errors import BadInput
from core.text import Text, _, ngettext

RUNNING = (CampaignState.OPEN, CampaignState.PAUSED)
LONGEST_REASON = 300


def annotator_for(user: User) -> Annotator:
    """The pseudonym a person labels under; made on first use."""
    return Annotator.objects.get_or_create(user=user)[0]


def find_by(**lookup: Any) -> Participation:
    """The participation that matches. Refuses strangers, without saying whether there is such a campaign."""
    rows = Participation.objects.select_related(
        "campaign__language", "campaign__guideline__language", "campaign__suite", "annotator__user"
    )
    found = rows.filter(**lookup).first()
    if found is None:
        raise NotTakingPart
    return found


@transaction.atomic
def join_campaign(campaign: Campaign, user: User) -> Participation:
    """Take part by oneself, where no invitation is needed. Joining twice changes nothing."""
    annotator = annotator_for(user)
    found = Participation.objects.filter(campaign=campaign, annotator=annotator).first()
    if found is not None:
        return found
    if campaign.state not in RUNNING or not can_join(user, campaign) or campaign.mode != Mode.CROWD:
        raise NotTakingPart
    return Participation.objects.create(campaign=campaign, annotator=annotator)


@transaction.atomic
def add_annotator(campaign: Campaign, annotator: Annotator, *, by: User) -> Participation:
    """Add somebody. A newcomer to an open team gets open cases of the most loaded; adding twice changes nothing."""
    require_manager(by)
    _refuse_while_dealing(campaign)
    if campaign.state in (CampaignState.CLOSED, CampaignState.CANCELLED):
        raise NotInThisState(
            _("A campaign that is over takes no more annotators."), now=campaign.state, wanted="joined"
        )
    participation, is_new = Participation.objects.get_or_create(campaign=campaign, annotator=annotator)
    if is_new:
        moved = 0
        if campaign.mode == Mode.TEAM and campaign.state in RUNNING:
            moved = dealing.share_with_newcomer(campaign, annotator)
        audit.record(by, Action.ANNOTATOR_CHANGED, campaign, added=annotator.pseudonym, cases=moved)
    return participation


def _refuse_while_dealing(campaign: Campaign) -> None:
    """Refuse to change a team while cases are dealt to it: an annotator would get no cases, or cases no annotator."""
    if campaign.mode != Mode.TEAM or campaign.state not in NOT_YET:
        return
    lock_campaign(campaign)
    if campaign.state == CampaignState.OPENING:
        raise NotReady(_("The cases are being dealt to the team. Change the team once the campaign is open."))


def possible_annotators(campaign: Campaign) -> list[User]:
    """People with an account who may label in the campaign's language, by name."""
    people = User.objects.filter(is_active=True, grants__role=RoleName.ANNOTATOR).distinct().order_by("name", "email")
    return [user for user in people.prefetch_related("grants") if can_annotate(user, campaign)]


def find_annotator(campaign: Campaign, email: str) -> Annotator:
    """Somebody who may label here, by the address of their account. Refuses addresses it does not know."""
    return annotator_for(_people_with(campaign, [email])[0])


def _people_with(campaign: Campaign, emails: Sequence[str]) -> list[User]:
    wanted = {email.strip().lower() for email in emails}
    people = [user for user in possible_annotators(campaign) if user.email.lower() in wanted]
    if unknown := sorted(wanted - {user.email.lower() for user in people}):
        raise BadInput(
            ngettext(
                "No annotator of this language has the address %(addresses)s. Invite them, or add the role first.",
                "No annotators of this language have the addresses %(addresses)s. Invite them, or add the role first.",
                len(unknown),
                addresses=unknown,
            ),
            field="emails",
        )
    return people


@transaction.atomic
def add_people(campaign: Campaign, emails: Sequence[str], *, by: User) -> int:
    """Add people by the addresses of their accounts; returns how many are new. Refuses addresses it does not know."""
    require_manager(by)
    people = _people_with(campaign, emails)
    before = campaign.participations.count()
    for user in people:
        add_annotator(campaign, annotator_for(user), by=by)
    return campaign.participations.count() - before


@transaction.atomic
def leave_campaign(participation: Participation) -> int:
    """Stop for now: what one holds is given back at once. What was labelled stays; one may come back."""
    return claiming.release_slots(participation, now=timezone.now())


@transaction.atomic
def end_participation(
    participation: Participation, *, reason: str, by: User | None, replaced_by: Annotator | None = None
) -> int:
    """End somebody's work for good. Their open cases go to the others, or to a replacement. Returns how many."""
    if by is not None and by.pk != participation.annotator.user_id:
        require_manager(by)
    campaign, annotator = participation.campaign, participation.annotator
    _refuse_while_dealing(campaign)
    if (
        participation.state == ParticipationState.ENDED
        and not Assignment.objects.of(campaign).held_by(annotator).exists()
    ):
        raise NotInThisState(
            _("The annotator's work here has already ended."), now=participation.state, wanted=ParticipationState.ENDED
        )
    if replaced_by == annotator:
        raise BadInput(_("An annotator cannot replace themselves. Choose another person."))
    now = timezone.now()
    move_participation(participation, ParticipationState.ENDED, reason=_shortened(reason), left_at=now)
    if replaced_by is not None:
        Participation.objects.get_or_create(campaign=campaign, annotator=replaced_by)
    moved = claiming.release_slots(participation, now=now)
    if campaign.mode == Mode.TEAM and campaign.state in RUNNING:
        moved = dealing.pass_on(campaign, annotator, [replaced_by] if replaced_by else dealing.team_of(campaign))
    audit.record(by, Action.ANNOTATOR_CHANGED, campaign, ended=annotator.pseudonym, reason=reason, cases=moved)
    participation.refresh_from_db()
    return moved


@transaction.atomic
def resume_participation(participation: Participation, *, by: User) -> None:
    """Let somebody go on whose work was paused."""
    require_manager(by)
    cleared = {"reason": "", "skips_in_a_row": 0, "too_fast_in_a_row": 0, "failed_checks": 0}
    move_participation(participation, ParticipationState.ACTIVE, come_from=[ParticipationState.PAUSED], **cleared)
    audit.record(by, Action.ANNOTATOR_CHANGED, participation.campaign, resumed=participation.annotator.pseudonym)
    participation.refresh_from_db()


@transaction.atomic
def pause_participation(participation: Participation, *, reason: str, by: User) -> None:
    """Ask somebody to stop until a manager has looked."""
    require_manager(by)
    move_participation(participation, ParticipationState.PAUSED, reason=_shortened(reason))
    claiming.release_slots(participation, now=timezone.now())
    audit.record(by, Action.ANNOTATOR_CHANGED, participation.campaign, paused=participation.annotator.pseudonym)
    participation.refresh_from_db()


def _shortened(reason: str) -> str:
    """A reason that a manager typed may be too long; ours is kept as it is, so that it can be translated."""
    return reason if isinstance(reason, Text) else reason[:LONGEST_REASON]
