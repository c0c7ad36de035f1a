"""What a decision does to the cases of a suite: which go and why, which come back, and doing it.

Lists show the state of each case, so the state follows the standing decision whenever labels or cases change.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from core.batches import in_batches
from core.bulk import insert_rows
from core.states import AT_ONCE, move_by_id
from core.text import _
from curation.cases.models import FOLLOWS_FROM_LABELS, CaseState, ExclusionReason
from curation.models import CaseVerdict, Exclusion, Suite, TestCase
from curation.publishing.exclusion import LeftOut
from curation.releases.planning import FreezePlan, plan_freeze
from curation.releases.rules import FreezeSettings, rules_of, standing_decision
from curation.states import CASE_MOVES

if TYPE_CHECKING:
    from accounts.models import User


@dataclass(frozen=True, slots=True)
class DecisionEffect:
    """What rules would do to a suite as it is now, by the ids of cases; nothing has happened yet.

    Cases that wait for labels are not listed: they stay as they are, whether or not a release may hold them.
    """

    suite: Suite
    rules: FreezeSettings
    going: dict[int, LeftOut]
    stay_out: dict[int, LeftOut]
    returning: dict[int, str]
    validated: int
    disputed: set[int]
    unlabelled: int

    @property
    def going_by_reason(self) -> dict[str, int]:
        return dict(Counter(out.reason for out in self.going.values()).most_common())


def effect_of(suite: Suite, plan: FreezePlan) -> DecisionEffect:
    """Compare a plan with the exclusions that stand. Changes nothing."""
    out = {case: left for case, left in plan.left_out.items() if left.reason != ExclusionReason.UNLABELLED}
    standing = dict(Exclusion.objects.standing().filter(case__suite=suite).values_list("case_id", "reason"))
    return DecisionEffect(
        suite=suite,
        rules=plan.rules,
        going={case: left for case, left in out.items() if case not in standing},
        stay_out={case: left for case, left in out.items() if case in standing},
        returning={
            case: reason for case, reason in standing.items() if case not in out and reason in FOLLOWS_FROM_LABELS
        },
        validated=sum(case not in out for case in plan.labelled()),
        disputed=plan.disagreed,
        unlabelled=sum(not case.verdict and case.id not in out for case in plan.planned()),
    )


@transaction.atomic
def carry_out(effect: DecisionEffect, *, by: User | None) -> None:
    """Write exclusions with their reasons, lift those that no longer follow, and move the cases accordingly."""
    now = timezone.now()
    insert_rows(
        Exclusion,
        ("case", "reason", "because_of", "note", "created_at", "created_by", "lifted_because"),
        (
            (case, left.reason, left.because_of, "", now, by.pk if by else None, "")
            for case, left in effect.going.items()
        ),
    )
    for back in in_batches(sorted(effect.returning), AT_ONCE):
        lifted = Exclusion.objects.standing().filter(case__in=back, reason__in=FOLLOWS_FROM_LABELS)
        lifted.update(lifted_at=now, lifted_by=by, lifted_because=_("The labels no longer exclude it."))
    gone = effect.going.keys() | effect.stay_out.keys()
    shown_in = (CaseState.READY, CaseState.VALIDATED)
    move_by_id(TestCase, gone, CaseState.EXCLUDED, CASE_MOVES, come_from=shown_in)
    for is_labelled, to in ((True, CaseState.VALIDATED), (False, CaseState.READY)):
        move_by_id(TestCase, _ids_to_move(effect.suite, to, is_labelled=is_labelled) - gone, to, CASE_MOVES)


def _ids_to_move(suite: Suite, to: CaseState, *, is_labelled: bool) -> set[int]:
    """Return the cases that are in use and not yet in the state that fits their having labels."""
    labelled = Exists(CaseVerdict.objects.counting().filter(case=OuterRef("pk")))
    cases = TestCase.objects.of(suite).filter(state__in=[CaseState.READY, CaseState.EXCLUDED]).exclude(state=to)
    return set(cases.filter(labelled if is_labelled else ~labelled).values_list("id", flat=True))


@transaction.atomic
def follow_decision(suite: Suite, *, by: User | None = None) -> None:
    """Bring exclusions and states in line with the standing decision; where nothing was decided, nothing changes.

    Called by everything that changes labels, cases or the references of templates.
    """
    if decision := standing_decision(suite):
        Suite.objects.select_for_update().get(pk=suite.pk)  # two at once would write the same exclusions
        carry_out(effect_of(suite, plan_freeze(suite, rules_of(decision))), by=by)
