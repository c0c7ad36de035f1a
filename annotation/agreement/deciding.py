"""Deciding about a suite: a look at what would go and why, then doing it; exclusions can be lifted again."""

from dataclasses import asdict
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.models import Action, User
from accounts.services import audit
from annotation.errors import NotInThisState
from annotation.permissions import require_manager
from core.errors import BadInput
from core.permissions import require_author
from core.states import move
from core.text import _, ngettext
from curation.cases.models import KEEP, CaseState
from curation.cases.verdicts import VerdictValue, record_verdicts
from curation.models import CaseVerdict, Exclusion, Suite, TestCase
from curation.releases.following import DecisionEffect, carry_out, effect_of, follow_decision
from curation.releases.planning import plan_freeze
from curation.releases.rules import freeze_settings, record_decision
from curation.states import CASE_MOVES


def preview_decision(suite: Suite, **rules: Any) -> DecisionEffect:
    """Return which cases would go and why, which would come back, and how many would be validated. Changes nothing.

    Rules (see `freeze_settings`) that are not given are those of the standing decision, otherwise the suite's.
    Refuses a threshold that the raters cannot reach.
    """
    return effect_of(suite, plan_freeze(suite, freeze_settings(suite, **rules)))


@transaction.atomic
def apply_decision(suite: Suite, *, by: User, expected: int | None = None, **rules: Any) -> DecisionEffect:
    """Do what the preview shows: exclusions with reasons, cases validated or left out. Doing it twice changes nothing.

    The rules are kept: lists and releases follow them until another decision is applied. Refuses people who do not
    manage, and, with `expected`, if by now another number of cases would go than was shown.
    """
    require_manager(by)
    Suite.objects.select_for_update().get(pk=suite.pk)
    found = preview_decision(suite, **rules)
    if expected is not None and expected != len(found.going):
        raise BadInput(
            ngettext(
                "The list has changed: %(count)s case would now be left out, not %(expected)s. Check it again.",
                "The list has changed: %(count)s cases would now be left out, not %(expected)s. Check it again.",
                len(found.going),
                expected=expected,
            )
        )
    record_decision(suite, found.rules, by=by)
    carry_out(found, by=by)
    counts = {"going": found.going_by_reason, "returning": len(found.returning)}
    audit.record(by, Action.VERDICTS_DECIDED, suite, **asdict(found.rules), **counts)
    return found


@transaction.atomic
def lift_exclusion(case: TestCase, *, reason: str, by: User) -> TestCase:
    """Bring a case back, with the reason. It is then kept by decision, so the labels do not take it out again.

    Refuses people without the role in the language, an empty reason, and a case that is not left out.
    """
    require_author(by, case.language.code)
    reason = reason.strip()
    if not reason:
        raise BadInput(_("Give a reason for restoring the case. It is kept."), field="reason")
    lifted = (
        Exclusion.objects.standing()
        .filter(case=case)
        .update(lifted_at=timezone.now(), lifted_by=by, lifted_because=reason)
    )
    if not lifted:
        raise NotInThisState(
            _("Case %(case)s is not left out, so there is nothing to restore.", case=case.key),
            now=case.state,
            wanted="brought back",
        )
    record_verdicts([verdict_with(case, decided=KEEP, reason=reason)], source=f"lifted:{case.key}"[:120])
    if case.state == CaseState.EXCLUDED:
        move(case, CaseState.VALIDATED, CASE_MOVES)
    follow_decision(case.suite, by=by)
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
