"""Cases people disagree on: found by the database, with votes, comments and the other cases of the template."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import reduce
from operator import or_
from typing import Any, Literal

from django.db.models import Aggregate, Case, Count, Exists, OuterRef, Q, QuerySet, When
from django.db.models.expressions import Combinable
from django.db.models.functions import Greatest

from annotation.campaigns.models import Role
from annotation.labelling.flags import reason_in_words
from annotation.labelling.models import Kind
from annotation.labels.labelled_cases import SHOWN_UNIDENTIFIED
from annotation.models import Adjudication, Annotation, Assignment, Campaign, CampaignItem
from annotation.questions import question_of
from curation.models import TestCase

GIVEN = Q(assignments__label__isnull=False)
Status = Literal["open", "decided", ""]
SIBLINGS = 60
SIMILAR = 10
MOST_COMPARED = 5_000


@dataclass(frozen=True, slots=True)
class Opinion:
    """One person's label on a case, under a pseudonym, with what they said about it."""

    annotator: str
    label: str
    comment: str = ""
    is_unrealistic: bool = False
    because: str = ""
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Disputed:
    """A case with its votes; `agreeing` of `given` labels are the wanted one."""

    item: CampaignItem
    given: int
    agreeing: int
    opinions: list[Opinion]
    decision: Adjudication | None = None
    flags: int = field(default=0)


def disputed_items(
    campaign: Campaign, *, functionality: str = "", language: str = "", status: Status = ""
) -> QuerySet[CampaignItem]:
    """Items with all their labels of which fewer than the threshold are the wanted one, worst first; each row also
    says how many labels were `given` and how many are `agreeing`."""
    items = CampaignItem.objects.filter(campaign=campaign, role=Role.LABEL, case__isnull=False)
    if functionality:
        items = items.filter(case__functionality__key=functionality)
    if language:
        items = items.filter(case__language__code=language)
    decided = Exists(Adjudication.objects.filter(campaign=campaign, case=OuterRef("case")))
    if status:
        items = items.filter(decided if status == "decided" else ~decided)
    counted: QuerySet[Any] = with_votes(campaign, items)
    counted = counted.filter(given__gte=campaign.raters, agreeing__lt=campaign.threshold)
    return counted.select_related("case__functionality", "case__language", "case__target").order_by("agreeing", "id")


def with_votes(campaign: Campaign, items: QuerySet[CampaignItem]) -> QuerySet[CampaignItem]:
    """The items with `given` and `agreeing`."""
    return items.annotate(given=Count("assignments", filter=GIVEN)).annotate(agreeing=_agreeing(campaign))


def _agreeing(campaign: Campaign) -> Aggregate | Combinable:
    agreeing = question_of(campaign).agreeing()
    named = [gold for gold in agreeing if gold is not None]
    other = ~Q(case__gold_label__in=named)
    right = [
        (other if gold is None else Q(case__gold_label=gold)) & Q(assignments__label__in=labels)
        for gold, labels in agreeing.items()
    ]
    wanted = Count("assignments", filter=reduce(or_, right))
    if None in agreeing:
        return wanted
    most = Greatest(*(Count("assignments", filter=Q(assignments__label=label)) for label in campaign.labels))
    return Case(When(case__gold_label__in=named, then=wanted), default=most)


def read_disputed(campaign: Campaign, items: Iterable[CampaignItem]) -> list[Disputed]:
    """The items of one page with everything people said: two queries."""
    found = list(items)
    opinions = opinions_on([item.pk for item in found])
    decisions = latest_decisions(campaign, [item.case_id for item in found if item.case_id])
    return [
        Disputed(
            item,
            item.given,  # type: ignore[attr-defined]
            item.agreeing,  # type: ignore[attr-defined]
            opinions[item.pk],
            decisions.get(item.case_id or 0),
            sum(opinion.is_unrealistic for opinion in opinions[item.pk]),
        )
        for item in found
    ]


def opinions_on(items: Iterable[int]) -> defaultdict[int, list[Opinion]]:
    """What people said about each item, by their last word; in the order of the slots."""
    rows = (
        Annotation.objects.newest()
        .filter(kind=Kind.LABEL, assignment__item__in=list(items))
        .exclude(assignment__label=None)
        .order_by("assignment__item", "assignment__slot")
        .values_list("assignment__item", "annotator__pseudonym", "annotator__is_identified", "label", "comment",
                     "is_unrealistic", "unrealistic_because", "milliseconds")
    )  # fmt: skip
    found: defaultdict[int, list[Opinion]] = defaultdict(list)
    for item, annotator, is_identified, label, comment, is_unrealistic, because, milliseconds in rows:
        seconds = None if milliseconds is None else milliseconds / 1000
        who = annotator if is_identified else SHOWN_UNIDENTIFIED
        found[item].append(Opinion(who, label, comment, is_unrealistic, reason_in_words(because), seconds))
    return found


def latest_decisions(campaign: Campaign, cases: Iterable[int]) -> dict[int, Adjudication]:
    """The newest decision on each case."""
    rows = Adjudication.objects.filter(campaign=campaign, case__in=list(cases)).select_related("decided_by", "new_case")
    return {row.case_id: row for row in rows.order_by("id")}


@dataclass(frozen=True, slots=True)
class Sibling:
    """Another case of the same template, or a similar one, and how people labelled it."""

    case: TestCase
    votes: dict[str, int]
    agreeing: int | None
    given: int


def siblings_of(campaign: Campaign, case: TestCase) -> list[Sibling]:
    """The other cases of the template with their votes in this campaign, those with the fewest right ones first."""
    if case.template_id is None:
        return []
    cases = (
        TestCase.objects.filter(template=case.template_id)
        .exclude(pk=case.pk)
        .in_use()
        .select_related("language", "functionality", "target")
        .in_order()[:SIBLINGS]
    )
    found = _with_votes_here(campaign, list(cases))
    return sorted(found, key=lambda sibling: (sibling.given == 0, (sibling.agreeing or 0) - sibling.given))


def similar_cases(campaign: Campaign, case: TestCase) -> list[Sibling]:
    """The cases of the campaign whose texts are most like this one, of its functionality and language, likest first."""
    others = TestCase.objects.filter(
        campaign_items__campaign=campaign, campaign_items__role=Role.LABEL, functionality=case.functionality_id,
        language=case.language_id,
    ).exclude(pk=case.pk)  # fmt: skip
    texts = others.order_by("id").values_list("id", "text")[:MOST_COMPARED]
    own = _pairs_of_letters(case.text)
    alike = {pk: _overlap(own, _pairs_of_letters(text)) for pk, text in texts}
    chosen = [pk for pk in sorted(alike, key=lambda pk: -alike[pk])[:SIMILAR] if alike[pk]]
    cases = TestCase.objects.select_related("language", "functionality", "target").in_bulk(chosen)
    return _with_votes_here(campaign, [cases[pk] for pk in chosen])


def _pairs_of_letters(text: str) -> set[str]:
    """Neighbouring letters rather than words: they are there in every script."""
    lowered = text.lower()
    return {lowered[place : place + 2] for place in range(len(lowered) - 1)}


def _overlap(one: set[str], other: set[str]) -> float:
    return len(one & other) / len(one | other) if one or other else 0.0


def _with_votes_here(campaign: Campaign, cases: list[TestCase]) -> list[Sibling]:
    rows: QuerySet[Assignment, Any] = (
        Assignment.objects.filter(campaign=campaign, item__case__in=[one.pk for one in cases], label__isnull=False)
        .values_list("item__case_id", "label")
        .annotate(people=Count("id"))
    )
    votes: defaultdict[int, dict[str, int]] = defaultdict(dict)
    for case, label, people in rows:
        votes[case][label] = people
    return [_sibling(campaign, one, votes[one.pk]) for one in cases]


def _sibling(campaign: Campaign, case: TestCase, votes: dict[str, int]) -> Sibling:
    question, gold = question_of(campaign), case.gold_label
    agreeing = None
    if (wanted := question.wanted(gold)) is not None:
        agreeing = sum(people for label, people in votes.items() if question.counted(label) == wanted)
    return Sibling(case, dict(sorted(votes.items())), agreeing, sum(votes.values()))
