"""Setting up a campaign: what is asked, of whom, about which cases, and what it will cost."""

import secrets
from dataclasses import asdict, dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils.text import slugify

from accounts.models import Action, User
from accounts.services import audit
from annotation.campaigns.choosing import Selection, matching_cases
from annotation.campaigns.guidelines import guideline_of, newest_guideline
from annotation.campaigns.models import NOT_YET, CampaignState, Mode, PayUnit, Role, new_entry_key
from annotation.campaigns.options import CampaignOptions, rule_options
from annotation.errors import NotInThisState
from annotation.models import Campaign, CampaignItem
from annotation.people.models import ParticipationState
from annotation.permissions import require_manager
from annotation.questions import KINDS, question_of
from annotation.states import lock_campaign
from core.errors import BadInput
from core.options.declaring import renamed
from core.text import _
from curation.models import Language, Suite

# Addresses below /campaigns/ and /label/ that are pages of their own.
RESERVED_KEYS = {"new", "settings", "enter"}


@transaction.atomic
def create_campaign(
    suite: Suite, *, by: User | None, key: str = "", seed: int | None = None, previous_round: Campaign | None = None,
    **settings: Any,
) -> Campaign:  # fmt: skip
    """Make a draft with these settings, the options of a campaign.

    Refuses what the options refuse, a threshold above the raters, fewer than two answers, and an unknown language or
    version of its guideline.
    """
    if by is not None:
        require_manager(by)
    options = CampaignOptions(**settings)
    campaign = Campaign(
        key=key or _free_key(suite, options.title, options.language),
        suite=suite,
        seed=secrets.randbits(40) if seed is None else seed,
        entry_key=new_entry_key(),
        previous_round=previous_round,
        created_by=by,
    )
    _apply(campaign, options)
    campaign.save()
    audit.record(by, Action.CAMPAIGN_CHANGED, campaign, created=True)
    return campaign


@transaction.atomic
def change_campaign(campaign: Campaign, *, by: User, **settings: Any) -> Campaign:
    """Change these settings of a draft. Another language brings its own guideline, unless a version is named.

    Refuses once it is open: what people were asked must not change under their labels.
    """
    require_manager(by)
    require_draft(campaign)
    before = settings_of(campaign)
    values = before | renamed(CampaignOptions, settings)
    if values["language"] not in (before["language"], None) and values["guideline"] == before["guideline"]:
        values["guideline"] = None
    _apply(campaign, CampaignOptions(**values))
    campaign.save()
    audit.record(by, Action.CAMPAIGN_CHANGED, campaign, settings=sorted(settings))
    return campaign


def require_draft(campaign: Campaign) -> None:
    """Refuse a campaign that is not a draft, and keep it a draft until the transaction ends."""
    lock_campaign(campaign)
    if campaign.state != CampaignState.DRAFT:
        raise NotInThisState(
            _("Only a draft can be changed. This campaign is no longer a draft."), now=campaign.state, wanted="changed"
        )


COLUMNS = {field.name for field in Campaign._meta.fields} - {"language", "guideline"}


def settings_of(campaign: Campaign) -> dict[str, Any]:
    """Return the settings of a campaign as its options."""
    return {
        **{name: getattr(campaign, name) for name in CampaignOptions.model_fields if name in COLUMNS},
        **rule_options(campaign.quality_rules),
        **asdict(selection_of(campaign)),
        "labels": tuple(campaign.labels),
        "language": campaign.language.code if campaign.language else None,
        "guideline": campaign.guideline.key if campaign.guideline else None,
    }


def _apply(campaign: Campaign, options: CampaignOptions) -> None:
    for name in COLUMNS.intersection(CampaignOptions.model_fields):
        setattr(campaign, name, getattr(options, name))
    suite = campaign.suite
    campaign.labels = list(options.labels)
    campaign.raters, campaign.threshold = options.raters or suite.raters, options.threshold or suite.threshold
    campaign.language = language = find_language(options.language) if options.language else None
    chosen = options.guideline
    campaign.guideline = guideline_of(language, chosen) if chosen else newest_guideline(language)
    campaign.selection, campaign.quality_rules = options.selection().as_json(), options.quality_rules()
    question = question_of(campaign)
    was_usual = campaign.prompt in ("", *(kind.usual_prompt(suite.labels) for kind in KINDS.values()))
    campaign.labels = question.labels_to_offer()
    if problem := question.why_refused(campaign.labels):
        raise BadInput(problem, field="labels")
    if was_usual:  # the words go with the question: nobody wrote them
        campaign.prompt = question.usual_prompt(campaign.labels)
    if campaign.threshold > campaign.raters:
        raise BadInput(
            _(
                "The minimum agreement is %(threshold)s, but each case gets only %(raters)s. Use a number from 1 to "
                "%(raters)s.",
                threshold=campaign.threshold,
                raters=campaign.raters,
            ),
            field="threshold",
        )


def find_language(code: str) -> Language:
    """Return a language. Refuses an unknown code and names those there are."""
    found = Language.objects.filter(code=code).first()
    if found is None:
        known = list(Language.objects.order_by("code").values_list("code", flat=True))
        raise BadInput(
            _("There is no language '%(code)s'. Known: %(known)s.", code=code, known=known)
            if known
            else _("There is no language yet. Add one first."),
            field="language",
        )
    return found


def selection_of(campaign: Campaign) -> Selection:
    return Selection.from_json(campaign.selection)


def known_cases(campaign: Campaign) -> QuerySet[CampaignItem, int | None]:
    """Cases whose answer people are told or checked on here; they are not labelled in this campaign."""
    return campaign.items.exclude(role=Role.LABEL).exclude(case=None).values_list("case_id", flat=True)


def _free_key(suite: Suite, title: str, language: str | None) -> str:
    stem = slugify(title)[:60] or f"{suite.key}-{language or 'all'}"
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
