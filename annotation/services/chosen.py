"""What dealing and ordering need to know about the chosen cases, read in one query."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from annotation.models import Campaign
from curation.models import TargetGroup, TestCase

RECLAIMED = "reclaimed"
AT_ONCE = 10_000


class ChosenCase(NamedTuple):
    case_id: int
    template_id: int | None
    authors: frozenset[int]
    is_reserved: bool
    groups: frozenset[str]
    item_id: int = 0


def read_chosen(campaign: Campaign, ids: Sequence[int]) -> dict[int, ChosenCase]:
    """Template, authors (of the case and of its template's wording) and groups of each case."""
    groups = _groups_of_targets(campaign) if campaign.group_members_first else {}
    rows = {}
    for start in range(0, len(ids), AT_ONCE):
        found = TestCase.objects.filter(pk__in=ids[start : start + AT_ONCE]).values_list(
            "id", "template_id", "author_id", "variant__version__author_id", "functionality__key", "target_id"
        )
        for case, template, author, writer, functionality, target in found:
            about = groups.get(target, frozenset())
            reserved = bool(about) and RECLAIMED in functionality
            authors = frozenset(person for person in (author, writer) if person is not None)
            rows[case] = ChosenCase(case, template, authors, reserved, about)
    return {case: rows[case] for case in ids}


def _groups_of_targets(campaign: Campaign) -> dict[int | None, frozenset[str]]:
    """Only where it matters: reading targets of every language would be wasted otherwise."""
    found: defaultdict[int | None, set[str]] = defaultdict(set)
    targets = TargetGroup.objects.filter(cases__suite=campaign.suite).values_list("id", "groups__key").distinct()
    for target, group in targets:
        if group:
            found[target].add(group)
    return {target: frozenset(keys) for target, keys in found.items()}
