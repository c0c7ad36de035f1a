"""People sent by a crowd platform: who they are, how they prove that they are done, and what they are owed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from django.core import signing
from django.db import transaction
from django.db.models import Count, Exists, F, OuterRef, Q, Sum
from django.db.models.functions import Least

from accounts.models import User
from annotation.models import Annotation, Annotator, Campaign, Participation, TrainingAnswer
from annotation.models.annotations import Kind
from annotation.models.campaigns import CampaignState, Mode, PayUnit, Role
from annotation.models.slots import SlotState
from annotation.permissions import require_manager
from curation.errors import BadInput, Missing

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

SALT = "annotation.crowd"
PASS_SECONDS = 30 * 24 * 3600
LONGEST_LOOK = 60_000  # milliseconds; whoever leaves the page open is not paid for the night
PREVIEW = "ASSIGNMENT_ID_NOT_AVAILABLE"


@dataclass(frozen=True, slots=True)
class Platform:
    """How a platform names participant, study and session in its links."""

    name: str
    participant: tuple[str, ...]
    study: tuple[str, ...]
    session: tuple[str, ...]


PLATFORMS = (
    Platform("prolific", ("PROLIFIC_PID",), ("STUDY_ID",), ("SESSION_ID",)),
    Platform("mturk", ("workerId",), ("hitId",), ("assignmentId",)),
    Platform("toloka", ("worker_id", "user_id"), ("pool_id", "project_id"), ("assignment_id",)),
    Platform("crowd", ("participant", "participant_id"), ("study", "study_id"), ("session", "session_id")),
)


@dataclass(frozen=True, slots=True)
class Visitor:
    platform: str
    participant: str
    study: str
    session: str


def read_visitor(parameters: Mapping[str, str]) -> Visitor:
    """Who comes, from the parameters of the platform's link. Refuses a link that names nobody."""
    for platform in PLATFORMS:
        participant = _first(parameters, platform.participant)
        if participant:
            return Visitor(
                platform.name,
                participant[:120],
                _first(parameters, platform.study)[:120],
                _first(parameters, platform.session)[:120],
            )
    known = ", ".join(name for platform in PLATFORMS for name in platform.participant)
    raise BadInput(f"The link does not say who you are. Open it from your platform; it adds one of: {known}.")


def is_preview(parameters: Mapping[str, str]) -> bool:
    """MTurk shows a task before it is accepted; then nobody has come yet."""
    return parameters.get("assignmentId") == PREVIEW


@transaction.atomic
def enter(campaign: Campaign, visitor: Visitor) -> Participation:
    """Let somebody from a platform in, under a pseudonym. Coming again continues where they stopped.

    Refuses newcomers to a campaign that is not open; who took part may come for their code.
    """
    if campaign.state not in (CampaignState.OPEN, CampaignState.PAUSED):
        known = campaign.participations.filter(
            annotator__platform=visitor.platform, annotator__external_id=visitor.participant
        ).first()
        if known is None or campaign.state == CampaignState.DRAFT:
            raise Missing("This task is not open. Please return it on your platform.")
        return known
    annotator, _ = Annotator.objects.get_or_create(platform=visitor.platform, external_id=visitor.participant)
    # A link that names no study or session, as people keep it for later, does not take away what the first one named.
    named = {"study_id": visitor.study, "session_id": visitor.session}
    participation, _ = Participation.objects.update_or_create(
        campaign=campaign, annotator=annotator, defaults={name: value for name, value in named.items() if value}
    )
    return participation


def campaign_by_entry(entry_key: str) -> Campaign:
    """The campaign of a crowd link."""
    found = Campaign.objects.filter(entry_key=entry_key, mode=Mode.CROWD).select_related("language").first()
    if found is None:
        raise Missing("There is no such task. Check the link.")
    return found


def pass_for(participation: Participation) -> str:
    """What the visitor's browser carries instead of an account: signed, worthless elsewhere."""
    return signing.dumps({"annotator": participation.annotator_id, "campaign": participation.campaign.key}, salt=SALT)


def holder_of(cookies: Mapping[str, str], campaign_key: str) -> int | None:
    """Whose pass it is, as the annotator's number; None where it is forged, too old or for another campaign."""
    value = cookies.get(cookie_for(campaign_key))
    if not value:
        return None
    try:
        content = signing.loads(value, salt=SALT, max_age=PASS_SECONDS)
    except signing.BadSignature:
        return None
    return int(content["annotator"]) if content.get("campaign") == campaign_key else None


def cookie_for(campaign_key: str) -> str:
    """The name of the cookie that carries the pass; one per campaign, so that tasks can be done side by side."""
    return f"touchstone_visitor_{campaign_key}"


def lookup_of(campaign_key: str, *, user: User | AnonymousUser, cookies: Mapping[str, str]) -> dict[str, Any] | None:
    """How to find the participation behind a request: by the pass for this campaign, else by the signed-in person."""
    holder = holder_of(cookies, campaign_key)
    if holder is not None:
        return {"campaign__key": campaign_key, "annotator": holder}
    return {"campaign__key": campaign_key, "annotator__user": user.pk} if user.is_authenticated else None


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


def payments(campaign: Campaign, *, by: User) -> Iterator[Payment]:
    """What everybody did and is owed. Time is what the texts were on screen, a minute each at most."""
    require_manager(by)
    times = dict(
        Annotation.objects.filter(assignment__campaign=campaign, kind=Kind.LABEL)
        .values_list("annotator")
        # PostgreSQL's LEAST passes over NULL: a look that was not timed must not become the longest one.
        .annotate(total=Sum(Least("milliseconds", LONGEST_LOOK), filter=Q(milliseconds__isnull=False)))
    )
    is_done = Q(annotator__assignments__campaign=campaign, annotator__assignments__state=SlotState.DONE)
    is_check = Q(annotator__assignments__item__role=Role.CHECK)
    rows = campaign.participations.select_related("annotator").annotate(
        labels=Count("annotator__assignments", filter=is_done & ~is_check),
        checks=Count("annotator__assignments", filter=is_done & is_check),
    )
    failed = _failed_checks(campaign)
    for row in rows.order_by("id"):
        minutes = Decimal(times.get(row.annotator_id) or 0) / 60_000
        yield Payment(
            annotator=row.annotator.pseudonym,
            platform=row.annotator.platform,
            participant=row.annotator.external_id,
            study=row.study_id,
            session=row.session_id,
            state=row.state,
            reason=row.reason,
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


def _first(parameters: Mapping[str, str], names: tuple[str, ...]) -> str:
    return next((parameters[name] for name in names if parameters.get(name)), "")
