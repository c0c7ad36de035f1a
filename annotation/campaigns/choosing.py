"""Which cases a campaign is about: filters over the working set, and a seeded sample of what they leave."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef

from annotation.models import Campaign
from core.batches import in_batches
from core.text import _, catalogue_names, ngettext
from curation.cases.models import CaseState, Origin, TestCaseQuerySet
from curation.models import CaseVerdict, Functionality, Language, Suite, TargetGroup, TestCase


@dataclass(frozen=True, slots=True)
class Selection:
    """Filters by key; empty means all. `sample` cases are drawn evenly over functionalities; None takes everything."""

    functionalities: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    keys: tuple[str, ...] = field(default=())
    only_unlabelled: bool = False
    sample: int | None = None

    def as_json(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if value}

    def described(self) -> list[str]:
        """What was chosen, in words; empty where everything is."""
        found: list[str] = []
        if self.functionalities:
            titles = catalogue_names(
                Functionality.objects.filter(key__in=self.functionalities).values_list("key", "title")
            )
            named = [titles.get(key) or key for key in self.functionalities]
            found.append(_("Functionalities: %(names)s", names=named))
        if self.targets:
            found.append(_("Target groups: %(names)s", names=list(self.targets)))
        if self.origins:
            labels = dict(Origin.choices)
            found.append(_("Origins: %(names)s", names=[labels.get(origin, origin) for origin in self.origins]))
        if self.keys:
            found.append(ngettext("%(count)s single case", "%(count)s single cases", len(self.keys)))
        if self.only_unlabelled:
            found.append(_("Only cases without a verdict"))
        if self.sample:
            found.append(
                ngettext("A random sample of %(count)s case", "A random sample of %(count)s cases", self.sample)
            )
        return found

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> Selection:
        given: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in values.items()
        }
        return cls(**given)


def matching_cases(suite: Suite, language: Language | None, selection: Selection) -> TestCaseQuerySet:
    """The cases of the working set that the filters leave, before the sample is drawn."""
    cases = TestCase.objects.of(suite).filter(state__in=[CaseState.READY, CaseState.VALIDATED])
    if language is not None:
        cases = cases.filter(language=language)
    if selection.functionalities:
        cases = cases.filter(functionality__key__in=selection.functionalities)
    if selection.targets:
        cases = cases.filter(target__in=TargetGroup.objects.naming(selection.targets))
    if selection.origins:
        cases = cases.filter(origin__in=selection.origins)
    if selection.keys:
        cases = cases.filter(key__in=selection.keys)
    if selection.only_unlabelled:
        cases = cases.exclude(Exists(CaseVerdict.objects.counting().filter(case=OuterRef("pk"))))
    return cases


def choose_cases(
    suite: Suite, language: Language | None, selection: Selection, *, seed: int, without: Collection[int] = ()
) -> list[int]:
    """Ids of the chosen cases in the order of the working set. The same seed chooses the same cases.

    The sample is drawn after `without` is gone, so that it has its full size.
    """
    cases = matching_cases(suite, language, selection).exclude(pk__in=without).in_order()
    if selection.sample is None:
        return list(cases.values_list("id", flat=True))
    rows = list(cases.values_list("id", "functionality_id"))
    chosen = _spread_sample(rows, selection.sample, seed=seed)
    return [case for case, _functionality in rows if case in chosen]


def _spread_sample(rows: Sequence[tuple[int, int]], size: int, *, seed: int) -> set[int]:
    """One case of each functionality in turn, so that small ones are not drowned by large ones."""
    generator = random.Random(seed)
    by_functionality: dict[int, list[int]] = defaultdict(list)
    for case, functionality in rows:
        by_functionality[functionality].append(case)
    piles = [by_functionality[key] for key in sorted(by_functionality)]
    for pile in piles:
        generator.shuffle(pile)
    chosen: set[int] = set()
    while piles and len(chosen) < size:
        generator.shuffle(piles)
        for pile in piles:
            if len(chosen) == size:
                break
            chosen.add(pile.pop())
        piles = [pile for pile in piles if pile]
    return chosen


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
    for some in in_batches(ids, AT_ONCE):
        found = TestCase.objects.filter(pk__in=some).values_list(
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
