"""The labels of a suite or a campaign as a vote table, with what is known about each case: two or three queries."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from annotation.campaigns.models import NOT_YET, CampaignState
from annotation.labels.vote_counting import counts_by_item
from annotation.measures.votes import VoteTable
from annotation.models import Assignment, Campaign, CampaignItem
from annotation.questions import KINDS
from core.text import _
from curation.models import Suite, TargetGroup

NOT_COUNTED = (*NOT_YET, CampaignState.CANCELLED)


class CaseFacts(NamedTuple):
    """What agreement is broken down by. A row of the database, because there are tens of thousands."""

    key: str
    functionality: str
    gold: str
    language: str
    target_id: int | None
    template_id: int | None


@dataclass(frozen=True, slots=True)
class LabelledCases:
    """Votes per case and what the cases are.

    `table` holds all labels of a case, also those of several rounds. `standing` holds what decides: the newest round in
    which the case has all its labels.
    """

    table: VoteTable[int]
    standing: VoteTable[int]
    facts: dict[int, CaseFacts]
    items: dict[int, int]

    @property
    def templates(self) -> dict[int, int | None]:
        return {case: facts.template_id for case, facts in self.facts.items()}

    @property
    def gold(self) -> dict[int, str]:
        return {case: facts.gold for case, facts in self.facts.items()}


def campaigns_about(suite: Suite) -> list[Campaign]:
    """The campaigns whose labels say what a case is, oldest first; called-off ones do not count."""
    about_labels = [kind.key for kind in KINDS.values() if kind.is_about_labels]
    found = Campaign.objects.filter(suite=suite, question__in=about_labels).exclude(state__in=NOT_COUNTED)
    return list(found.order_by("created_at", "id"))


def read_labelled(campaigns: Sequence[Campaign], labels: Sequence[str], *, least: int = 1) -> LabelledCases:
    """Count the labels of these campaigns (oldest first) case by case. A round with fewer than `least` labels on a case
    does not overturn what an earlier one with more has said."""
    ids = [campaign.pk for campaign in campaigns]
    facts: dict[int, CaseFacts] = {}
    items: dict[int, int] = {}
    if not ids:
        empty: VoteTable[int] = VoteTable((), tuple(labels), np.zeros((0, len(labels)), dtype=np.int64))
        return LabelledCases(empty, empty, facts, items)
    found, counts = counts_by_item(ids, labels)
    rows = CampaignItem.objects.filter(campaign__in=ids, case__isnull=False).values_list(
        "id", "campaign_id", "case_id", "case__key", "case__functionality__key", "case__gold_label",
        "case__language__code", "case__target_id", "case__template_id",
    )  # fmt: skip
    campaign_of: dict[int, int] = {}
    for item, campaign, case, *about in rows.iterator(chunk_size=5000):
        campaign_of[item], items[item] = campaign, case
        facts[case] = CaseFacts._make(about)
    known = [place for place, item in enumerate(found) if item in items]
    cases = [items[found[place]] for place in known]
    kept = counts[known]
    age = {campaign.pk: number for number, campaign in enumerate(campaigns)}
    raters = {campaign.pk: campaign.raters for campaign in campaigns}
    totals = kept.sum(axis=1)
    newest: dict[int, tuple[bool, int, int]] = {}
    for row, case in enumerate(cases):
        campaign = campaign_of[found[known[row]]]
        round_ = (bool(totals[row] >= least), age[campaign], row)
        if totals[row] >= raters[campaign] and (case not in newest or newest[case] < round_):
            newest[case] = round_
    standing = VoteTable(tuple(newest), tuple(labels), kept[[row for *_, row in newest.values()]])
    return LabelledCases(_added_up(cases, kept, labels), standing, facts, items)


def _added_up(cases: list[int], counts: np.ndarray, labels: Sequence[str]) -> VoteTable[int]:
    """One row per case: rounds are added."""
    numbers: dict[int, int] = {}
    rows = np.fromiter((numbers.setdefault(case, len(numbers)) for case in cases), np.int64, len(cases))
    summed = np.zeros((len(numbers), len(labels)), dtype=np.int64)
    np.add.at(summed, rows, counts)
    return VoteTable(tuple(numbers), tuple(labels), summed)


def groups_of_cases(labelled: LabelledCases) -> dict[int, tuple[str, ...]]:
    """The protected groups a case is about (by its target's own name where nobody mapped it); none is legal."""
    targets: defaultdict[int, list[str]] = defaultdict(list)
    wanted = {facts.target_id for facts in labelled.facts.values() if facts.target_id is not None}
    rows = TargetGroup.objects.filter(pk__in=wanted).order_by("groups__name").values_list("id", "name", "groups__name")
    for target, name, group in rows:
        targets[target].append(group or name)
    return {
        case: tuple(dict.fromkeys(targets[facts.target_id]))
        for case, facts in labelled.facts.items()
        if facts.target_id is not None
    }


def annotators_of_cases(campaigns: Iterable[Campaign], labelled: LabelledCases) -> dict[int, tuple[str, ...]]:
    """Return the pseudonyms of a case's annotators, without those whom the source does not name."""
    found: defaultdict[int, list[str]] = defaultdict(list)
    rows = Assignment.objects.filter(
        campaign__in=[one.pk for one in campaigns], label__isnull=False, annotator__is_identified=True
    )
    for item, pseudonym in rows.values_list("item_id", "annotator__pseudonym").iterator(chunk_size=5000):
        if item in labelled.items and pseudonym:
            found[labelled.items[item]].append(pseudonym)
    return {case: tuple(dict.fromkeys(names)) for case, names in found.items()}


UNIDENTIFIED = "unidentified"  # part of pseudonyms and a key of facts
SHOWN_UNIDENTIFIED = _("unidentified")  # shown where a pseudonym would stand
WHY_NO_PEOPLE = _(
    "The source of these labels does not say who gave which one, so annotators cannot be told apart, rated or weighed."
)


def has_unidentified(campaigns: Sequence[Campaign]) -> bool:
    """Whether any label of these campaigns was given by an annotator whom its source does not identify."""
    labels = Assignment.objects.filter(campaign__in=[one.pk for one in campaigns], label__isnull=False)
    return labels.filter(annotator__is_identified=False).exists()
