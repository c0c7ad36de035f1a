"""Deciding what goes into a release and what stays out, before anything is written."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from curation.models import Exclusion, Suite, Template, TestCase
from curation.models.cases import FOLLOWS_FROM_LABELS, KEEP, ExclusionReason
from curation.models.releases import Cascade
from curation.models.suites import Policy
from curation.publishing.exclusion import close_over_templates, is_disputed
from curation.publishing.labelling import Labelling
from curation.services.freeze_rules import FreezeSettings
from curation.services.verdicts import standing_verdicts

AT_ONCE = 5_000


@dataclass(frozen=True, slots=True)
class LeftOut:
    reason: str
    because_of: str


class PlannedCase(NamedTuple):
    """A case and the verdict that counts for it, by their ids; 0 where nobody labelled it."""

    id: int
    verdict: int


def _ids() -> array[int]:
    return array("q")


@dataclass(slots=True)
class FreezePlan:
    """Which cases go in and which stay out, decided at one moment.

    Of every case its id and that of its verdict are held, eight bytes each, because there may be a million; more only
    of those that are disputed, kept by somebody, or left out.
    """

    rules: FreezeSettings
    cases: array[int] = field(default_factory=_ids)  # in order
    verdicts: array[int] = field(default_factory=_ids)  # that of each case; 0 where nobody labelled it
    left_out: dict[int, LeftOut] = field(default_factory=dict)
    disagreed: set[int] = field(default_factory=set)
    too_few: set[int] = field(default_factory=set)  # not enough labels yet to be validated or disputed
    disagreed_templates: set[int] = field(default_factory=set)
    kept: set[int] = field(default_factory=set)  # somebody looked at these and decided

    @property
    def included(self) -> int:
        return len(self.cases) - len(self.left_out)

    @property
    def unlabelled(self) -> int:
        """How many of the cases that go in were never labelled."""
        return sum(1 for case in self.going_in() if not case.verdict)

    def labelling(self) -> Labelling:
        """What annotators said about the cases that go in."""
        return Labelling(**Counter(self._said_about(case) for case in self.going_in()))

    def _said_about(self, case: PlannedCase) -> str:
        """The name of the count in `Labelling` that a case belongs to."""
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
        """All cases in order."""
        return map(PlannedCase, self.cases, self.verdicts)

    def going_in(self) -> Iterator[PlannedCase]:
        return (case for case in self.planned() if case.id not in self.left_out)

    def staying_out(self) -> Iterator[PlannedCase]:
        return (case for case in self.planned() if case.id in self.left_out)

    def labelled(self) -> Iterator[int]:
        """Ids of the cases that somebody labelled."""
        return (case.id for case in self.planned() if case.verdict)

    def disagreement_in_case(self, case: PlannedCase) -> bool | None:
        """None where nobody labelled the case."""
        return case.id in self.disagreed if case.verdict else None

    def disagreement_in_template(self, case: PlannedCase, template_id: int | None) -> bool | None:
        """Whether a case of the same identity template is disputed. None where nobody labelled the case."""
        return template_id in self.disagreed_templates if case.verdict else None


def plan_freeze(suite: Suite, *, policy: str, min_agree: int, cascade: str) -> FreezePlan:
    """Apply the suite's rules: too few labels equal to gold means out (or marked), and what hangs on it follows.

    Standing exclusions (by adjudication, by the author) are out under either policy. A case that an adjudicator keeps
    is in.
    """
    plan = FreezePlan(FreezeSettings(policy, min_agree, cascade))
    templates = _ids()  # that of each case; 0 where it has none
    failed: dict[int, _Failed] = {}
    for case_id, key, template_id, verdict_id, raters, agreeing, adjudicated in standing_verdicts(suite):
        plan.cases.append(case_id)
        plan.verdicts.append(verdict_id or 0)
        templates.append(template_id or 0)
        if adjudicated == KEEP:
            plan.kept.add(case_id)
        elif raters is not None and agreeing is not None and agreeing < min_agree:
            if is_disputed(agreeing, raters, at_least=min_agree, wanted=suite.raters):
                failed[case_id] = _Failed(key, template_id)
            else:
                plan.too_few.add(case_id)
    plan.disagreed = set(failed)
    plan.disagreed_templates = _identity_templates(failed)
    _add_standing_exclusions(suite, plan)
    if policy == Policy.EXCLUDE:
        _add_what_follows(suite, plan, failed, templates, cascade)
    return plan


class _Failed(NamedTuple):
    """A case on which too few agree with gold."""

    key: str
    template_id: int | None


def _add_what_follows(
    suite: Suite, plan: FreezePlan, failed: dict[int, _Failed], templates: array[int], cascade: str
) -> None:
    """Leave out what failed, and what hangs on it. `templates` are those of the plan's cases."""
    failed_now = {case_id: failed[case_id] for case_id in sorted(failed.keys() - plan.left_out.keys())}
    befallen = close_over_templates(
        {case_id: one.template_id for case_id, one in failed_now.items()},
        refers_to=_references(suite),
        cascade=Cascade(cascade).value,  # type: ignore[arg-type]
    )
    for case_id, one in failed_now.items():
        plan.left_out[case_id] = LeftOut(ExclusionReason.DISAGREEMENT.value, one.key)
    # One object for all cases of a template.
    reasons = {template: LeftOut(out.reason, failed[out.because_of].key) for template, out in befallen.items()}
    for case_id, template_id in zip(plan.cases, templates, strict=True):
        # Somebody looked at those that are kept and decided: what befalls their siblings does not change that.
        if template_id in reasons and case_id not in plan.kept:
            plan.left_out.setdefault(case_id, reasons[template_id])


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
    waiting = iter(case_ids)
    while some := list(islice(waiting, AT_ONCE)):
        cases = TestCase.objects.filter(pk__in=some, is_about_identity=True, template__isnull=False)
        found.update(cases.values_list("template_id", flat=True))
    return found


def _add_standing_exclusions(suite: Suite, plan: FreezePlan) -> None:
    standing = Exclusion.objects.standing().filter(case__in=TestCase.objects.of(suite).releasable())
    decided = standing.exclude(reason__in=FOLLOWS_FROM_LABELS).values_list("case_id", "reason", "because_of")
    for case_id, reason, because_of in decided.iterator(chunk_size=AT_ONCE):
        plan.left_out[case_id] = LeftOut(reason, because_of)
