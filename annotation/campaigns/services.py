"""Setting up a campaign: what is asked, of whom, about which cases, and what it will cost."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils.text import slugify

from accounts.models import Action, User
from accounts.services import audit
from annotation.campaigns.choosing import Selection, matching_cases
from annotation.campaigns.guidelines import newest_guideline
from annotation.campaigns.models import (
    NOT_YET,
    CampaignState,
    CrowdPlatform,
    Mode,
    PayUnit,
    Role,
    new_entry_key,
)
from annotation.labelling.quality_rules import read_rules
from annotation.models import Campaign, CampaignItem
from annotation.people.models import ParticipationState
from annotation.permissions import require_manager
from annotation.questions import KINDS, question_of
from annotation.states import lock_campaign
from core.errors import BadInput, WrongState
from curation.models import Language, Suite

LIMITS = {
    "raters": (1, 1000),
    "batch_size": (1, 50),
    "lease_minutes": (1, 1440),
    "check_every": (1, 10_000),
    "seconds_per_case": (1, 3600),
    "qualification_tries": (1, 100),
    "binarise_above": (1, 4),
}
# Addresses below /campaigns/ and /label/ that are pages of their own.
RESERVED_KEYS = {"new", "settings", "enter"}


@transaction.atomic
def create_campaign(
    suite: Suite,
    *,
    title: str,
    by: User,
    language: Language | None = None,
    selection: Selection | None = None,
    **settings: Any,
) -> Campaign:
    """Make a draft. Settings that are not given come from the suite and the newest guideline of the language.

    Refuses unknown settings, a threshold above the raters, fewer than two answers, and rules that cannot be read.
    """
    require_manager(by)
    campaign = Campaign(
        key=_free_key(suite, title, language),
        title=title,
        suite=suite,
        language=language,
        guideline=newest_guideline(language),
        raters=suite.raters,
        threshold=suite.threshold,
        seed=secrets.randbits(40),
        selection=(selection or Selection()).as_json(),
        entry_key=new_entry_key(),
        created_by=by,
    )
    _apply(campaign, settings)
    campaign.save()
    audit.record(by, Action.CAMPAIGN_CHANGED, campaign, created=True)
    return campaign


@transaction.atomic
def change_campaign(campaign: Campaign, *, by: User, selection: Selection | None = None, **settings: Any) -> Campaign:
    """Change a draft. Refuses once it is open: what people were asked must not change under their labels."""
    require_manager(by)
    require_draft(campaign)
    if selection is not None:
        campaign.selection = selection.as_json()
    _apply(campaign, settings)
    campaign.save()
    audit.record(by, Action.CAMPAIGN_CHANGED, campaign, settings=sorted(settings))
    return campaign


def require_draft(campaign: Campaign) -> None:
    """Refuse a campaign that is not a draft, and keep it a draft until the transaction ends."""
    lock_campaign(campaign)
    if campaign.state != CampaignState.DRAFT:
        raise WrongState(campaign, now=campaign.state, wanted="changed")


def _apply(campaign: Campaign, settings: Mapping[str, Any]) -> None:
    known = {field.attname for field in Campaign._meta.fields} | {field.name for field in Campaign._meta.fields}
    for name, value in settings.items():
        if name not in known:
            raise BadInput(f"A campaign has no setting '{name}'.", field=name)
        setattr(campaign, name, value)
    question = question_of(campaign)
    was_usual = campaign.prompt in ("", *(kind.usual_prompt(campaign.suite.labels) for kind in KINDS.values()))
    campaign.labels = question.labels_to_offer()
    if problem := question.why_refused(campaign.labels):
        raise BadInput(problem, field="labels")
    if was_usual:  # the words go with the question: nobody wrote them
        campaign.prompt = question.usual_prompt(campaign.labels)
    read_rules(campaign.quality_rules)
    _require_sensible_numbers(campaign)
    if not 1 <= campaign.threshold <= campaign.raters:
        raise BadInput(
            f"{campaign.threshold} of {campaign.raters} raters cannot agree. Set it to 1 … {campaign.raters}.",
            field="threshold",
        )
    require_platform(campaign.platform)
    if campaign.pass_mark is not None and not 0 < campaign.pass_mark <= 1:
        raise BadInput("The pass mark is a share above 0 and up to 1, for example 0.7.", field="pass_mark")


def require_platform(platform: str) -> None:
    """Refuse a platform whose links cannot be read; none at all is fine."""
    if platform not in CrowdPlatform.values:
        names = ", ".join(value for value in CrowdPlatform.values if value)
        raise BadInput(f"There is no platform '{platform}'. Use one of: {names}.", field="platform")


def _require_sensible_numbers(campaign: Campaign) -> None:
    """Refuses numbers with which nobody could work: no seconds for a case, a lease of no time, no try at the test."""
    for name, (least, most) in LIMITS.items():
        value = getattr(campaign, name)
        if not least <= value <= most:
            raise BadInput(f"{value} does not work here. Use {least} to {most:,}.", field=name)
    if campaign.pay_unit and (campaign.pay_amount is None or campaign.pay_amount <= 0):
        raise BadInput("Say how much is paid, above 0, or choose that nobody is paid here.", field="pay_amount")


def selection_of(campaign: Campaign) -> Selection:
    return Selection.from_json(campaign.selection)


def known_cases(campaign: Campaign) -> QuerySet[CampaignItem, int | None]:
    """Cases whose answer people are told or checked on here; they are not labelled in this campaign."""
    return campaign.items.exclude(role=Role.LABEL).exclude(case=None).values_list("case_id", flat=True)


def _free_key(suite: Suite, title: str, language: Language | None) -> str:
    stem = slugify(title)[:60] or f"{suite.key}-{language.code if language else 'all'}"
    taken = set(Campaign.objects.filter(key__startswith=stem).values_list("key", flat=True))
    number = 1
    while (key := stem if number == 1 else f"{stem}-{number}") in taken or key in RESERVED_KEYS:
        number += 1
    return key


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a campaign asks of people and of the budget; cost is None where nobody is paid here."""

    cases: int
    labels: int
    checks: int
    working_time: timedelta
    cost: Decimal | None
    currency: str
    cost_per_hour: Decimal | None

    @property
    def working_seconds(self) -> float:
        return self.working_time.total_seconds()


def _count_cases(campaign: Campaign) -> int:
    """A draft's cases are those that match now; once it is open they are fixed."""
    if campaign.state not in NOT_YET:
        return campaign.items.filter(role=Role.LABEL).count()
    selection = selection_of(campaign)
    found = matching_cases(campaign.suite, campaign.language, selection).exclude(pk__in=known_cases(campaign)).count()
    return found if selection.sample is None else min(found, selection.sample)


def _count_checks(campaign: Campaign, labels: int) -> int:
    """About how many checks come beside the labels: everybody gets each in a team; in a crowd their distance counts."""
    checks = campaign.items.filter(role=Role.CHECK).count()
    if campaign.mode == Mode.TEAM:
        return checks * campaign.participations.exclude(state=ParticipationState.ENDED).count()
    return labels // campaign.check_every if checks else 0


def estimate(campaign: Campaign) -> Estimate:
    """Labels, working time and cost, from the chosen cases and the seconds one case takes. Checks are work, too."""
    cases = _count_cases(campaign)
    labels = cases * campaign.raters
    checks = _count_checks(campaign, labels)
    seconds = (labels + checks) * campaign.seconds_per_case
    cost = per_hour = None
    if campaign.pay_unit and campaign.pay_amount is not None:
        by_case = campaign.pay_unit == PayUnit.CASE
        cost = campaign.pay_amount * (labels + checks if by_case else Decimal(seconds) / 3600)
        per_hour = campaign.pay_amount * 3600 / campaign.seconds_per_case if by_case else campaign.pay_amount
    cent = Decimal("0.01")
    return Estimate(
        cases=cases,
        labels=labels,
        checks=checks,
        working_time=timedelta(seconds=seconds),
        cost=cost.quantize(cent) if cost is not None else None,
        currency=campaign.pay_currency,
        cost_per_hour=per_hour.quantize(cent) if per_hour is not None else None,
    )
