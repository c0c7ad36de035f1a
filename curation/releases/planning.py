"""Deciding what goes into a release and what stays out, before anything is written."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from core.batches import in_batches
from curation.cases.models import FOLLOWS_FROM_LABELS, KEEP, ExclusionReason, Origin
from curation.cases.verdicts import standing_verdicts
from curation.catalogue.models import Policy
from curation.models import Exclusion, Suite, Template, TestCase
from curation.publishing.exclusion import Failed, LeftOut, close_over, is_disputed
from curation.publishing.labelling import Labelling
from curation.releases.models import Cascade, WithoutLabels
from curation.releases.rules import FreezeSettings

AT_ONCE = 5_000


class PlannedCase(NamedTuple):
    """A case and the verdict that counts for it, by their ids; 0 without a label."""

    id: int
    verdict: int


def _ids() -> array[int]:
    return array("q")


@dataclass(slots=True)
class FreezePlan:
    """Which cases go in and which stay out, decided at one moment.

    Of every case its id and that of its verdict are held, eight bytes each, because there may be a million; more only
    of those that are disputed, kept by a person, or left out.
    """

    rules: FreezeSettings
    cases: array[int] = field(default_factory=_ids)  # in order
    verdicts: array[int] = field(default_factory=_ids)  # that of each case; 0 without a label
    left_out: dict[int, LeftOut] = field(default_factory=dict)
    disagreed: set[int] = field(default_factory=set)
    too_few: set[int] = field(default_factory=set)  # not enough labels yet to be validated or disputed
    disagreed_templates: set[int] = field(default_factory=set)
    kept: set[int] = field(default_factory=set)  # a person decided about these

    @property
    def included(self) -> int:
        return len(self.cases) - len(self.left_out)

    @property
    def unlabelled(self) -> int:
        """How many of the cases that go in were never labelled."""
        return sum(1 for case in self.going_in() if not case.verdict)

    def labelling(self) -> Labelling:
        """Return what annotators said about the cases that go in."""
        return Labelling(**Counter(self._said_about(case) for case in self.going_in()))

    def _said_about(self, case: PlannedCase) -> str:
        """Return the name of the count in `Labelling` that a case belongs to."""
        if case.id in self.kept:
            return "kept_by_decision"
        if not case.verdict:
            return "never_labelled"
        if case.id in self.disagreed:
            return "disputed"
        if case.id in self.too_few:
            return "too_few_labels"
        return "validated" if self.rules.min_agree else "no_threshold"

    @property
    def excluded_by_reason(self) -> dict[str, int]:
        return dict(Counter(out.reason for out in self.left_out.values()).most_common())

    def planned(self) -> Iterator[PlannedCase]:
        """Yield all cases in order."""
        return map(PlannedCase, self.cases, self.verdicts)

    def going_in(self) -> Iterator[PlannedCase]:
        return (case for case in self.planned() if case.id not in self.left_out)

    def staying_out(self) -> Iterator[PlannedCase]:
        return (case for case in self.planned() if case.id in self.left_out)

    def labelled(self) -> Iterator[int]:
        """Return the ids of the cases that have labels."""
        return (case.id for case in self.planned() if case.verdict)

    def disagreement_in_case(self, case: PlannedCase) -> bool | None:
        """Tell whether annotators disagree on the case; None without labels."""
        return case.id in self.disagreed if case.verdict else None

    def disagreement_in_template(self, case: PlannedCase, template_id: int | None) -> bool | None:
        """Tell whether a case of the same template is disputed; None without labels."""
        return template_id in self.disagreed_templates if case.verdict else None


def plan_freeze(suite: Suite, rules: FreezeSettings) -> FreezePlan:
    """Apply rules to a suite: too few labels equal to gold means out (or marked), and what hangs on it follows.

    The one function that says what is in and out: previews, decisions, releases and the state in lists follow it.
    Standing exclusions (by adjudication, by the author) are out under either policy. A case that an adjudicator keeps
    is in.
    """
    plan, min_agree = FreezePlan(rules), rules.min_agree
    templates = _ids()  # that of each case; 0 where it has none
    failed: dict[int, Failed[int]] = {}
    for case_id, key, template_id, verdict_id, raters, agreeing, adjudicated in standing_verdicts(suite):
        plan.cases.append(case_id)
        plan.verdicts.append(verdict_id or 0)
        templates.append(template_id or 0)
        if adjudicated == KEEP:
            plan.kept.add(case_id)
        elif raters is not None and agreeing is not None and agreeing < min_agree:
            if is_disputed(agreeing, raters, at_least=min_agree, wanted=suite.raters):
                failed[case_id] = Failed(key, template_id)
            else:
                plan.too_few.add(case_id)
    plan.disagreed = set(failed)
    plan.disagreed_templates = _identity_templates(failed)
    _add_standing_exclusions(suite, plan)
    if rules.policy == Policy.EXCLUDE:
        out = close_over(
            zip(plan.cases, (template or None for template in templates), strict=True),
            {case: failed[case] for case in sorted(failed.keys() - plan.left_out.keys())},
            refers_to=_references(suite),
            cascade=Cascade(rules.cascade).value,  # type: ignore[arg-type]
            kept=plan.kept,
        )
        for case_id, left in out:
            plan.left_out.setdefault(case_id, left)
    if rules.without_labels != WithoutLabels.INCLUDE:
        unlabelled = LeftOut(ExclusionReason.UNLABELLED.value, "")
        for case_id in _waiting(suite, plan):
            plan.left_out.setdefault(case_id, unlabelled)
    return plan


def _waiting(suite: Suite, plan: FreezePlan) -> Iterable[int]:
    """Return the cases that stay out until they are labelled.

    A suite that was published elsewhere and imported without its labels keeps its contents under the rule "imported".
    Once a case of it is labelled here, the others wait like all cases.
    """
    if plan.rules.without_labels == WithoutLabels.IMPORTED and not any(plan.verdicts):
        written_here = TestCase.objects.of(suite).releasable().exclude(origin=Origin.IMPORT)
        return written_here.values_list("id", flat=True).iterator(chunk_size=AT_ONCE)
    return (case.id for case in plan.planned() if not case.verdict)


def _references(suite: Suite) -> dict[int, int | None]:
    """Template id to the id of the template it refers to, within its language."""
    rows = Template.objects.of(suite).values_list("id", "language_id", "key", "refers_to")
    referring = {row[0]: (row[1], row[3]) for row in rows.exclude(refers_to="").iterator(chunk_size=AT_ONCE)}
    wanted = set(referring.values())
    by_key = {row[1:3]: row[0] for row in rows.iterator(chunk_size=AT_ONCE) if row[1:3] in wanted}
    return {template_id: by_key.get(origin) for template_id, origin in referring.items()}


def _identity_templates(case_ids: Iterable[int]) -> set[int]:
    """The templates of those of the cases that are about an identity (Multilingual HateCheck marks only these)."""
    found: set[int] = set()
    for some in in_batches(case_ids, AT_ONCE):
        cases = TestCase.objects.filter(pk__in=some, is_about_identity=True, template__isnull=False)
        found.update(cases.values_list("template_id", flat=True))
    return found


def _add_standing_exclusions(suite: Suite, plan: FreezePlan) -> None:
    standing = Exclusion.objects.standing().filter(case__in=TestCase.objects.of(suite).releasable())
    decided = standing.exclude(reason__in=FOLLOWS_FROM_LABELS).values_list("case_id", "reason", "because_of")
    for case_id, reason, because_of in decided.iterator(chunk_size=AT_ONCE):
        plan.left_out[case_id] = LeftOut(reason, because_of)
