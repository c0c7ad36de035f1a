"""What the labels do to the suite: a look at what would go and why, then doing it; exclusions can be lifted again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import asdict, dataclass, field

from django.db import transaction
from django.utils import timezone

from accounts.models import Action, User
from accounts.services import audit
from annotation.permissions import require_manager
from curation.bulk import insert_rows
from curation.errors import BadInput, WrongState
from curation.models import CaseVerdict, Exclusion, Suite, TestCase
from curation.models.cases import FOLLOWS_FROM_LABELS, KEEP, CaseState
from curation.permissions import require_author
from curation.services.freeze_plan import LeftOut, plan_freeze
from curation.services.freeze_rules import FreezeSettings, freeze_settings, record_decision
from curation.services.verdicts import VerdictValue, record_verdicts
from curation.states import CASE_MOVES, move

AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class DecisionPreview:
    """What a decision would do; nothing has happened yet. Ids of cases, with the reason where they would go."""

    rules: FreezeSettings
    going: dict[int, LeftOut]
    stay_out: dict[int, LeftOut]
    returning: dict[int, str]
    validated: set[int]
    disputed: set[int]
    unlabelled: int
    kept_by_people: set[int] = field(default_factory=set)

    @property
    def going_by_reason(self) -> dict[str, int]:
        return dict(Counter(out.reason for out in self.going.values()).most_common())

    @property
    def out_by_reason(self) -> dict[str, int]:
        everything = [*self.going.values(), *self.stay_out.values()]
        return dict(Counter(out.reason for out in everything).most_common())


def preview_decision(
    suite: Suite, *, policy: str | None = None, min_agree: int | None = None, cascade: str | None = None
) -> DecisionPreview:
    """Which cases would go and why, which would come back, which would be validated. Changes nothing.

    Uses the same plan as a release, so that what is decided here is what a release will hold. A case that somebody
    decided to keep stays, whatever happens to its template. Rules that are not given are those of the standing
    decision, otherwise the suite's. Refuses a threshold that the raters cannot reach.
    """
    rules = freeze_settings(suite, policy=policy, min_agree=min_agree, cascade=cascade)
    plan = plan_freeze(suite, **asdict(rules))
    kept = plan.kept
    out = {
        case: left for case, left in plan.left_out.items() if case not in kept or left.reason not in FOLLOWS_FROM_LABELS
    }
    standing = dict(Exclusion.objects.standing().filter(case__suite=suite).values_list("case_id", "reason"))
    returning = {case: reason for case, reason in standing.items() if case not in out and reason in FOLLOWS_FROM_LABELS}
    return DecisionPreview(
        rules=rules,
        going={case: left for case, left in out.items() if case not in standing},
        stay_out={case: left for case, left in out.items() if case in standing},
        returning=returning,
        validated={case for case in plan.labelled() if case not in out},
        disputed=plan.disagreed,
        unlabelled=plan.unlabelled,
        kept_by_people=kept,
    )


@transaction.atomic
def apply_decision(
    suite: Suite,
    *,
    by: User,
    policy: str | None = None,
    min_agree: int | None = None,
    cascade: str | None = None,
    expected: int | None = None,
) -> DecisionPreview:
    """Do what the preview shows: exclusions with reasons, cases validated or left out. Doing it twice changes nothing.

    The rules are kept: the next release follows them unless it is told otherwise.
    Refuses people who do not manage, and, with `expected`, if by now another number of cases would go than was shown.
    """
    require_manager(by)
    Suite.objects.select_for_update().get(pk=suite.pk)
    found = preview_decision(suite, policy=policy, min_agree=min_agree, cascade=cascade)
    if expected is not None and expected != len(found.going):
        raise BadInput(
            f"By now {len(found.going)} cases would go, not {expected}. Look at the list again, then decide."
        )
    now = timezone.now()
    insert_rows(
        Exclusion,
        ("case", "reason", "because_of", "note", "created_at", "created_by", "lifted_because"),
        ((case, left.reason, left.because_of, "", now, by.pk, "") for case, left in found.going.items()),
    )
    for cases in _chunks(found.returning):
        Exclusion.objects.standing().filter(case__in=cases, reason__in=FOLLOWS_FROM_LABELS).update(
            lifted_at=now, lifted_by=by, lifted_because="It does not follow from the labels any more."
        )
    gone = set(found.going) | set(found.stay_out)
    _set_states(gone, CaseState.EXCLUDED, come_from=(CaseState.READY, CaseState.VALIDATED))
    _set_states(found.validated, CaseState.VALIDATED, come_from=(CaseState.READY, CaseState.EXCLUDED))
    _set_states(set(found.returning) - found.validated, CaseState.READY, come_from=(CaseState.EXCLUDED,))
    record_decision(suite, found.rules, by=by)
    audit.record(
        by,
        Action.VERDICTS_DECIDED,
        suite,
        **asdict(found.rules),
        going=found.going_by_reason,
        returning=len(found.returning),
    )
    return found


@transaction.atomic
def lift_exclusion(case: TestCase, *, reason: str, by: User) -> TestCase:
    """Bring a case back, with the reason. It is then kept by decision, so the labels do not take it out again.

    Refuses people without the role in the language, an empty reason, and a case that is not left out.
    """
    require_author(by, case.language.code)
    reason = reason.strip()
    if not reason:
        raise BadInput("Say why the case comes back; the reason is kept.", field="reason")
    lifted = (
        Exclusion.objects.standing()
        .filter(case=case)
        .update(lifted_at=timezone.now(), lifted_by=by, lifted_because=reason)
    )
    if not lifted:
        raise WrongState(f"Case {case}", now=case.state, wanted="brought back", known=())
    record_verdicts([verdict_with(case, decided=KEEP, reason=reason)], source=f"lifted:{case.key}"[:120])
    if case.state == CaseState.EXCLUDED:
        move(case, CaseState.VALIDATED if case.verdicts.exists() else CaseState.READY, CASE_MOVES)
    audit.record(by, Action.EXCLUSION_LIFTED, case, suite=case.suite.key, reason=reason[:500])
    return case


def verdict_with(case: TestCase, *, decided: str, reason: str) -> VerdictValue:
    """The verdict that counts now, with a person's decision on top: the labels stay what they were."""
    newest = CaseVerdict.objects.filter(case=case).order_by("-id").first()
    return VerdictValue(
        case_id=case.pk,
        labels=tuple(newest.labels) if newest else (),
        agreeing=newest.agreeing if newest else 0,
        majority=newest.majority if newest else "",
        flagged_unrealistic=newest.flagged_unrealistic if newest else 0,
        adjudicated=decided,
        reason=reason,
    )


def _set_states(cases: Collection[int], to: CaseState, *, come_from: tuple[CaseState, ...]) -> None:
    """Compare-and-set for many: only from the states named, whoever else is at work."""
    assert all(to in CASE_MOVES[state] for state in come_from)
    for chunk in _chunks(cases):
        TestCase.objects.filter(pk__in=chunk, state__in=come_from).update(state=to)


def _chunks(cases: Collection[int]) -> Iterator[list[int]]:
    ids = sorted(cases)
    for start in range(0, len(ids), AT_ONCE):
        yield ids[start : start + AT_ONCE]
