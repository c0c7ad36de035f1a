"""Opening a campaign: its cases are fixed and every label that will be asked for becomes a row."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from accounts.models import Action, User
from accounts.services import audit
from annotation.agreement.ordering import spread_templates
from annotation.errors import CannotOpen
from annotation.models import Assignment, Campaign, CampaignItem
from annotation.models.campaigns import CampaignState, Mode, Role
from annotation.models.slots import SlotState, new_assignment_key
from annotation.permissions import require_manager
from annotation.services.campaigns import estimate, known_cases, selection_of
from annotation.services.choosing import choose_cases
from annotation.services.chosen import ChosenCase, read_chosen
from annotation.services.dealing import deal_to_team
from annotation.services.items import can_be_answered
from annotation.states import move_campaign
from curation.bulk import insert_rows

SLOT_FIELDS = ("key", "campaign", "item", "slot", "annotator", "state", "order")
# Slots for members of a group come after all others, so that everybody else meets them last.
RESERVED_FROM = 500_000_000
OPENS_AT_ONCE = 20_000
NO_CASES = "No case is chosen. Loosen the filters, generate cases, or use fewer of them for training, test and checks."


def opening_problems(campaign: Campaign) -> list[str]:
    """What stands in the way of opening, in sentences; empty when nothing does."""
    problems = []
    foreseen = estimate(campaign)
    if not foreseen.cases:
        problems.append(NO_CASES)
    people = campaign.participations.exclude(state="ended").count()
    if campaign.mode == Mode.TEAM and people < campaign.raters:
        problems.append(
            f"{campaign.raters} labels per case need a team of {campaign.raters} or more; there are {people}. Add some."
        )
    roles = set(campaign.items.values_list("role", flat=True))
    if campaign.pass_mark is not None and Role.TEST not in roles:
        problems.append("There is a pass mark but no test. Add test items, or leave the pass mark empty.")
    if campaign.guideline is None:
        problems.append("There is no guideline. Choose or write one, so that everybody decides by the same definition.")
    wrong = [item for item in campaign.items.exclude(role=Role.LABEL) if not can_be_answered(campaign, item)]
    if wrong:
        problems.append(
            f"{len(wrong)} texts for training, test or checks do not fit this question. Take them out and add others."
        )
    return problems


def opens_at_once(campaign: Campaign) -> bool:
    """Small campaigns open while the page waits; large ones are a job."""
    return estimate(campaign).labels <= OPENS_AT_ONCE


@transaction.atomic
def open_campaign(campaign: Campaign, *, by: User | None) -> Campaign:
    """Fix the cases, make k slots per case and let people in.

    Refuses what `opening_problems` names, and a team that cannot be dealt to (with the reason).
    """
    if by is not None:
        require_manager(by)
    if problems := opening_problems(campaign):
        raise CannotOpen(" ".join(problems), problems=problems)
    move_campaign(campaign, CampaignState.OPEN, opened_at=timezone.now())
    chosen = _fix_cases(campaign)
    if campaign.mode == Mode.TEAM:
        slots = insert_rows(Assignment, SLOT_FIELDS, list(deal_to_team(campaign, chosen)))
    else:
        slots = insert_rows(Assignment, SLOT_FIELDS, _open_slots(campaign, chosen))
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:  # the planner should know the new rows before the first annotator comes
            cursor.execute("ANALYZE annotation_assignment, annotation_campaignitem")
    audit.record(by, Action.CAMPAIGN_OPENED, campaign, cases=len(chosen), slots=slots)
    return campaign


def _fix_cases(campaign: Campaign) -> list[ChosenCase]:
    known = [case for case in known_cases(campaign) if case is not None]
    chosen = selection_of(campaign)
    ids = choose_cases(campaign.suite, campaign.language, chosen, seed=campaign.seed, without=known)
    if not ids:
        raise CannotOpen(NO_CASES)
    facts = read_chosen(campaign, ids)
    order = spread_templates(
        ids, template_of={case: fact.template_id for case, fact in facts.items()}, seed=campaign.seed
    )
    insert_rows(
        CampaignItem,
        ("campaign", "case", "text", "role", "expected", "explanation", "position", "is_reserved"),
        (
            (campaign.pk, case, "", Role.LABEL, "", "", position, facts[case].is_reserved)
            for position, case in enumerate(order, 1)
        ),
    )
    items = campaign.items.filter(role=Role.LABEL).order_by("position").values_list("case_id", "id")
    return [facts[case]._replace(item_id=item) for case, item in items if case is not None]


def _open_slots(campaign: Campaign, chosen: list[ChosenCase]) -> Iterator[tuple[Any, ...]]:
    """A crowd's slots: one pass over all cases per rater, each in an order of its own."""
    by_item = {case.item_id: case for case in chosen}
    template_of = {case.item_id: case.template_id for case in chosen}
    place = 0
    for slot in range(1, campaign.raters + 1):
        for item in spread_templates(list(by_item), template_of=template_of, seed=campaign.seed + slot):
            place += 1
            order = place + (RESERVED_FROM if by_item[item].is_reserved else 0)
            yield new_assignment_key(), campaign.pk, item, slot, None, SlotState.OPEN, order
