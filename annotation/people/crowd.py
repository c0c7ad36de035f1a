"""People sent by a crowd platform: who they are, how they prove that they are done, and what they are owed."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from django.db import transaction
from django.db.models import Count, Exists, F, OuterRef, Q, Sum
from django.db.models.functions import Least

from accounts.models import Action, User
from accounts.services import audit
from annotation.campaigns.models import NOT_YET, OVER, CampaignState, CrowdPlatform, Mode, PayUnit, Role
from annotation.campaigns.options import PlatformOptions
from annotation.errors import NotInThisState, OtherBrowser, OtherParticipant, WrongPlatform
from annotation.labelling.models import Kind, SlotState
from annotation.models import Annotation, Annotator, Campaign, Participation, TrainingAnswer
from annotation.people.crowd_binding import BrowserPass, bind_browser, may_be_bound, move_to_this_browser
from annotation.permissions import require_manager
from core.errors import BadInput, Missing
from core.text import _

LONGEST_LOOK = 60_000  # milliseconds; whoever leaves the page open is not paid for the night
PREVIEW = "ASSIGNMENT_ID_NOT_AVAILABLE"


@dataclass(frozen=True, slots=True)
class Platform:
    """How a platform names participant, study and session in its links."""

    name: CrowdPlatform
    participant: tuple[str, ...]
    study: tuple[str, ...]
    session: tuple[str, ...]


PLATFORMS = (
    Platform(CrowdPlatform.PROLIFIC, ("PROLIFIC_PID",), ("STUDY_ID",), ("SESSION_ID",)),
    Platform(CrowdPlatform.MTURK, ("workerId",), ("hitId",), ("assignmentId",)),
    Platform(CrowdPlatform.TOLOKA, ("worker_id", "user_id"), ("pool_id", "project_id"), ("assignment_id",)),
    Platform(CrowdPlatform.OTHER, ("participant", "participant_id"), ("study", "study_id"), ("session", "session_id")),
)


@dataclass(frozen=True, slots=True)
class Visitor:
    platform: str
    participant: str
    study: str
    session: str


@dataclass(frozen=True, slots=True)
class Entered:
    """Who came in, and what their browser's cookie should say from now on."""

    participation: Participation
    cookie: str


def platform_of(campaign: Campaign) -> Platform | None:
    """The one platform whose people a campaign takes; None where it takes people with an account only."""
    return next((one for one in PLATFORMS if one.name == campaign.platform), None)


def read_visitor(campaign: Campaign, parameters: Mapping[str, str]) -> Visitor:
    """Who comes, from the parameters of the platform's link.

    Refuses the parameters of another platform than the campaign's, and a link that names no participant.
    """
    own = platform_of(campaign)
    if own is None:
        raise WrongPlatform(_("This task is not open to people from a platform. Return it on your platform."))
    if participant := _first(parameters, own.participant):
        return Visitor(
            own.name,
            participant[:120],
            _first(parameters, own.study)[:120],
            _first(parameters, own.session)[:120],
        )
    if other := next((one for one in PLATFORMS if _first(parameters, one.participant)), None):
        raise WrongPlatform(
            _(
                "This task is for people from %(platform)s, but your link comes from %(other)s. "
                "Return the task on your platform, or open it from the right one.",
                platform=_called(own),
                other=_called(other),
            )
        )
    raise BadInput(
        _(
            "The link does not say who you are. Open the task from your platform: it adds %(parameter)s to the link.",
            parameter=own.participant[0],
        )
    )


def is_preview(campaign: Campaign, parameters: Mapping[str, str]) -> bool:
    """MTurk shows a task before it is accepted; then nobody has come yet."""
    return campaign.platform == CrowdPlatform.MTURK and parameters.get("assignmentId") == PREVIEW


@transaction.atomic
def enter(campaign: Campaign, visitor: Visitor, *, browser: BrowserPass | None = None, code: str = "") -> Entered:
    """Let a person from the campaign's platform in, under a pseudonym, or let them continue where they stopped.

    Who has begun continues in the same browser, or in another one with the return code. Refuses newcomers to a campaign
    that is not open (who took part may come for their code), a browser in which another participant takes part, and
    another browser than the one in which the person began.
    """
    _refuse_second_participant(campaign, visitor, browser)
    known = _known(campaign, visitor)
    if campaign.state not in (CampaignState.OPEN, CampaignState.PAUSED) and (
        known is None or campaign.state in NOT_YET
    ):
        raise Missing(_("This task is not open. Return it on your platform."))
    if known is None:
        annotator, _is_new = Annotator.objects.get_or_create(platform=visitor.platform, external_id=visitor.participant)
        known, _is_new = Participation.objects.get_or_create(campaign=campaign, annotator=annotator)
    if browser is not None and browser.opens(known):
        cookie = browser.cookie(campaign.key)
    elif may_be_bound(known):
        cookie = bind_browser(known)
    elif code:
        cookie = move_to_this_browser(known, code)
    else:
        raise OtherBrowser
    _note_link(known, visitor)
    return Entered(known, cookie)


def _known(campaign: Campaign, visitor: Visitor) -> Participation | None:
    rows = campaign.participations.select_related("annotator", "campaign")
    return rows.filter(annotator__platform=visitor.platform, annotator__external_id=visitor.participant).first()


def _refuse_second_participant(campaign: Campaign, visitor: Visitor, browser: BrowserPass | None) -> None:
    """One browser is one participant of a campaign; a second one would also take the first one's pass away."""
    if browser is None:
        return
    others = campaign.participations.filter(annotator=browser.annotator)
    other = others.exclude(annotator__platform=visitor.platform, annotator__external_id=visitor.participant).first()
    if other is not None and browser.opens(other):
        raise OtherParticipant


def _note_link(participation: Participation, visitor: Visitor) -> None:
    """A link without study or session, as people keep it for later, takes nothing away of what the first one named."""
    named = {"study_id": visitor.study, "session_id": visitor.session}
    if given := {name: value for name, value in named.items() if value}:
        Participation.objects.filter(pk=participation.pk).update(**given)


@transaction.atomic
def choose_platform(campaign: Campaign, platform: str, *, by: User) -> None:
    """Choose the platform of a crowd, also after it was opened, as long as no participant has come from another one."""
    require_manager(by)
    platform = PlatformOptions.given({"platform": platform}).platform
    if campaign.mode != Mode.CROWD or campaign.state in OVER:
        raise NotInThisState(
            _("Only a crowd campaign that is not over can have a platform."),
            now=campaign.state,
            wanted="given a platform",
        )
    came = campaign.participations.filter(annotator__platform__in=[one.name for one in PLATFORMS])
    if came.exclude(annotator__platform=platform).exists():
        raise BadInput(_("People have already come from another platform. Create a new campaign for this one."))
    campaign.platform = platform
    campaign.save(update_fields=["platform"])
    audit.record(by, Action.CAMPAIGN_CHANGED, campaign, platform=platform)


def campaign_by_entry(entry_key: str) -> Campaign:
    """The campaign of a crowd link."""
    found = Campaign.objects.filter(entry_key=entry_key, mode=Mode.CROWD).select_related("language").first()
    if found is None:
        raise Missing(_("There is no such task. Check the link."))
    return found


def completion_link(campaign: Campaign) -> str:
    """Where the platform wants people to go when they are done; "" where it takes only the code."""
    if not campaign.completion_url:
        return ""
    parts = urlsplit(campaign.completion_url)
    query = dict(parse_qsl(parts.query))
    if campaign.completion_code and "cc" not in query:
        query["cc"] = campaign.completion_code
    return urlunsplit(parts._replace(query=urlencode(query)))


@dataclass(frozen=True, slots=True)
class Payment:
    """One line of the payment list."""

    annotator: str
    platform: str
    participant: str
    study: str
    session: str
    state: str
    reason: str
    labels: int
    checks: int
    checks_failed: int
    minutes: Decimal
    amount: Decimal | None
    currency: str
    name: str = ""
    email: str = ""


def payments(campaign: Campaign, *, by: User | None, with_names: bool = False) -> Iterator[Payment]:
    """What everybody did and is owed. Time is what the texts were on screen, a minute each at most.

    With names, annotators appear under those of their accounts and without their pseudonym: it stands beside their
    labels in releases, and nothing that leaves the instance joins the two.
    """
    if by is not None:
        require_manager(by)
    times = dict(
        Annotation.objects.filter(assignment__campaign=campaign, kind=Kind.LABEL)
        .values_list("annotator")
        # PostgreSQL's LEAST passes over NULL: a look that was not timed must not become the longest one.
        .annotate(total=Sum(Least("milliseconds", LONGEST_LOOK), filter=Q(milliseconds__isnull=False)))
    )
    is_done = Q(annotator__assignments__campaign=campaign, annotator__assignments__state=SlotState.DONE)
    is_check = Q(annotator__assignments__item__role=Role.CHECK)
    rows = campaign.participations.select_related("annotator__user").annotate(
        labels=Count("annotator__assignments", filter=is_done & ~is_check),
        checks=Count("annotator__assignments", filter=is_done & is_check),
    )
    failed = _failed_checks(campaign)
    for row in rows.order_by("id"):
        minutes = Decimal(times.get(row.annotator_id) or 0) / 60_000
        account = row.annotator.user if with_names else None
        yield Payment(
            annotator="" if with_names else row.annotator.pseudonym,
            name=account.name if account else "",
            email=account.email if account else "",
            platform=row.annotator.platform,
            participant=row.annotator.external_id,
            study=row.study_id,
            session=row.session_id,
            state=row.state,
            reason=str.__str__(row.reason),  # the list is for programs, in English whoever asks for it
            labels=row.labels,
            checks=row.checks,
            checks_failed=failed.get(row.annotator_id, 0),
            minutes=minutes.quantize(Decimal("0.1")),
            amount=_amount(campaign, row.labels + row.checks, minutes),
            currency=campaign.pay_currency,
        )


def _failed_checks(campaign: Campaign) -> dict[int, int]:
    """Checks whose answer that stays is not the expected one; what was taken back and corrected is forgiven."""
    answers = TrainingAnswer.objects.filter(
        participation__campaign=campaign, item__role=Role.CHECK, item__assignments__state=SlotState.DONE,
        item__assignments__annotator=F("participation__annotator"),
    )  # fmt: skip
    later = TrainingAnswer.objects.filter(
        participation=OuterRef("participation"), item=OuterRef("item"), attempt__gt=OuterRef("attempt")
    )
    wrong = answers.filter(~Exists(later), is_right=False)
    return dict(wrong.values_list("participation__annotator").annotate(Count("id")))


def _amount(campaign: Campaign, texts: int, minutes: Decimal) -> Decimal | None:
    if not campaign.pay_unit or campaign.pay_amount is None:
        return None
    amount = campaign.pay_amount * (texts if campaign.pay_unit == PayUnit.CASE else minutes / 60)
    return amount.quantize(Decimal("0.01"))


def _called(platform: Platform) -> str:
    return platform.name.label if platform.name != CrowdPlatform.OTHER else _("another platform")


def _first(parameters: Mapping[str, str], names: tuple[str, ...]) -> str:
    return next((parameters[name] for name in names if parameters.get(name)), "")
