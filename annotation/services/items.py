"""Training, test and check items of a draft: own texts, examples of the catalogue, or cases drawn from the suite."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import NamedTuple

from django.db import transaction

from accounts.models import Action, User
from accounts.services import audit
from annotation.models import Campaign, CampaignItem
from annotation.models.campaigns import CampaignState, Question, Role
from annotation.permissions import require_manager
from annotation.services.campaigns import selection_of
from annotation.services.choosing import matching_cases
from curation.errors import BadInput, WrongState
from curation.models import Functionality, TestCase

KNOWN_ANSWER = (Role.TRAINING, Role.TEST, Role.CHECK)
EXAMPLES_ARE_IN = "en"


class KnownAnswer(NamedTuple):
    """A text with the answer it should get, and why."""

    text: str
    expected: str
    explanation: str = ""


@transaction.atomic
def add_own_items(campaign: Campaign, role: Role, answers: Iterable[KnownAnswer], *, by: User) -> int:
    """Add texts of one's own. Refuses an expected answer that nobody could give, with the number of the line."""
    _require_draft(campaign, role, by)
    if campaign.question == Question.CONSISTENCY:
        raise BadInput("This question asks about a case's functionality, which own texts have not. Draw cases instead.")
    possible = _possible_answers(campaign)
    start = campaign.items.filter(role=role).count()
    items = []
    for number, (text, expected, explanation) in enumerate(answers, 1):
        if not text.strip():
            raise BadInput(f"Line {number} has no text. Write text | expected answer | explanation.", line=number)
        if expected not in possible:
            raise BadInput(
                f"Line {number} expects '{expected}', which is no answer here. Use one of: {', '.join(possible)}.",
                line=number,
            )
        items.append(
            CampaignItem(
                campaign=campaign, role=role, text=text.strip(), expected=expected, explanation=explanation.strip(),
                position=start + number,
            )
        )  # fmt: skip
    CampaignItem.objects.bulk_create(items)
    audit.record(by, Action.CAMPAIGN_CHANGED, campaign, role=role, added=len(items))
    return len(items)


@transaction.atomic
def add_examples(campaign: Campaign, role: Role, number: int, *, by: User) -> int:
    """Take examples of the catalogue, each explained by its functionality's definition. They are English."""
    _require_draft(campaign, role, by)
    if campaign.question == Question.CHOICE and not set(campaign.suite.labels) <= set(campaign.labels):
        raise BadInput("The examples have the suite's labels, which are no answers to this question. Write own texts.")
    if campaign.language and campaign.language.code != EXAMPLES_ARE_IN:
        raise BadInput("The catalogue's examples are English. Write own texts, or draw cases from the suite.")
    functionalities = list(Functionality.objects.exclude(example="").filter(gold_label__in=campaign.suite.labels))
    used = set(campaign.items.exclude(text="").values_list("text", flat=True))
    fresh = [functionality for functionality in functionalities if functionality.example not in used]
    random.Random(f"{campaign.seed}:{role}").shuffle(fresh)
    return add_own_items(
        campaign,
        role,
        [KnownAnswer(one.example, _expected(campaign, one.gold_label), one.definition) for one in fresh[:number]],
        by=by,
    )


@transaction.atomic
def draw_items(campaign: Campaign, role: Role, number: int, *, by: User) -> int:
    """Draw chosen cases whose gold label is the expected answer. They are not labelled in this campaign any more."""
    _require_draft(campaign, role, by)
    golds = {_expected(campaign, label) for label in campaign.suite.labels}
    if not golds <= set(_possible_answers(campaign)):
        raise BadInput("The gold labels of the suite are no answers to this question. Write own texts instead.")
    used = campaign.items.exclude(case=None).values_list("case_id", flat=True)
    pool = list(
        matching_cases(campaign.suite, campaign.language, selection_of(campaign))
        .exclude(pk__in=used)
        .values_list("id", flat=True)
    )
    random.Random(f"{campaign.seed}:{role}").shuffle(pool)
    start = campaign.items.filter(role=role).count()
    drawn = TestCase.objects.select_related("functionality").in_bulk(pool[:number])
    items = [
        CampaignItem(
            campaign=campaign, role=role, case=case, expected=_expected(campaign, case.functionality.gold_label),
            explanation=case.functionality.definition, position=position,
        )
        for position, case in enumerate((drawn[pk] for pk in pool[:number]), start + 1)
    ]  # fmt: skip
    CampaignItem.objects.bulk_create(items)
    audit.record(by, Action.CAMPAIGN_CHANGED, campaign, role=role, drawn=len(items))
    return len(items)


@transaction.atomic
def remove_items(campaign: Campaign, role: Role, *, by: User) -> int:
    """Take all items of a role out of a draft."""
    _require_draft(campaign, role, by)
    removed, _ = campaign.items.filter(role=role).delete()
    audit.record(by, Action.CAMPAIGN_CHANGED, campaign, role=role, removed=removed)
    return removed


def parse_lines(lines: str) -> list[KnownAnswer]:
    """`text | expected answer | explanation`, one item per line; the explanation may be left out."""
    found = []
    for number, line in enumerate(lines.splitlines(), 1):
        if not line.strip():
            continue
        parts = [part.strip() for part in line.split("|")]
        if len(parts) < 2:
            raise BadInput(
                f"Line {number} has no expected answer. Write: text | expected answer | explanation.", line=number
            )
        found.append(KnownAnswer(parts[0], parts[1], " | ".join(parts[2:])))
    return found


def can_be_answered(campaign: Campaign, item: CampaignItem) -> bool:
    """Whether the expected answer can be given, and what is asked can be seen. A draft's question may have changed."""
    if campaign.question == Question.CONSISTENCY and item.case_id is None:
        return False
    return item.expected in _possible_answers(campaign)


def _possible_answers(campaign: Campaign) -> list[str]:
    if campaign.question == Question.SCALE:
        return [*campaign.labels, *campaign.suite.labels]
    return list(campaign.labels)


def _expected(campaign: Campaign, gold: str) -> str:
    return "yes" if campaign.question == Question.CONSISTENCY else gold


def _require_draft(campaign: Campaign, role: Role, by: User) -> None:
    require_manager(by)
    if role not in KNOWN_ANSWER:
        raise BadInput("Only training, test and check items have a known answer.")
    if campaign.state != CampaignState.DRAFT:
        raise WrongState(campaign, now=campaign.state, wanted="changed")
