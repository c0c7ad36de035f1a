"""The rules by which a suite is frozen: those of the standing decision, unless a caller asks for others."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any

from curation.errors import BadInput
from curation.models import Decision, Exclusion, Release, Suite
from curation.models.cases import FOLLOWS_FROM_LABELS
from curation.models.releases import Cascade, ReleaseState
from curation.models.suites import Policy

if TYPE_CHECKING:
    from accounts.models import User
    from curation.services.freeze_plan import FreezePlan

NAMES = {"policy": "policy", "min_agree": "minimum agreement", "cascade": "cascade"}


@dataclass(frozen=True, slots=True)
class FreezeSettings:
    """The rules by which a suite is frozen. `min_agree` 0 means that no agreement is asked for."""

    policy: str
    min_agree: int
    cascade: str


def standing_decision(suite: Suite) -> Decision | None:
    """The decision that was applied last; None where nothing has been decided."""
    return Decision.objects.filter(suite=suite).order_by("-id").first()


def standing_rules(suite: Suite) -> FreezeSettings:
    """The rules of the standing decision, otherwise the suite's own."""
    if decision := standing_decision(suite):
        return _rules_of(decision)
    return FreezeSettings(suite.policy, suite.threshold, Cascade.CLOSURE.value)


def freeze_settings(
    suite: Suite, *, policy: str | None = None, min_agree: int | None = None, cascade: str | None = None
) -> FreezeSettings:
    """The rules that were asked for; what is None or empty follows the standing rules.

    Refuses unknown rules and a threshold outside 0 (none) to the number of raters.
    """
    standing = standing_rules(suite)
    least = standing.min_agree if min_agree is None else min_agree
    chosen = FreezeSettings(str(policy or standing.policy), least, str(cascade or standing.cascade))
    if chosen.policy not in Policy.values or chosen.cascade not in Cascade.values:
        known = f"{', '.join(Policy.values)}; {', '.join(Cascade.values)}"
        raise BadInput(f"Unknown policy '{chosen.policy}' or cascade '{chosen.cascade}'. Known: {known}.")
    # A standing threshold is not refused: the number of raters may have been lowered since.
    if min_agree is not None and not 0 <= least <= suite.raters:
        raise BadInput(
            f"{least} of {suite.raters} raters of '{suite.key}' cannot agree. "
            f"Use 1 to {suite.raters}, or 0 for no threshold.",
            field="min_agree",
        )
    return chosen


def record_decision(suite: Suite, rules: FreezeSettings, *, by: User | None) -> Decision:
    """Keep the rules that were applied; they stand from now on. The same rules again change nothing."""
    standing = standing_decision(suite)
    if standing is not None and _rules_of(standing) == rules:
        return standing
    return Decision.objects.create(suite=suite, decided_by=by, **asdict(rules))


def decision_values(suite: Suite) -> dict[str, Any] | None:
    """The standing decision as plain JSON values; None where nothing has been decided."""
    decision = standing_decision(suite)
    if decision is None:
        return None
    return {**asdict(_rules_of(decision)), "decided_at": decision.decided_at.isoformat()}


def rule_warnings(suite: Suite, plan: FreezePlan) -> list[str]:
    """Where a plan differs from what was decided about the suite, in sentences; empty where it does not."""
    decision = standing_decision(suite)
    changed = [] if decision is None else _differences(_rules_of(decision), plan.rules)
    left_out = set(
        Exclusion.objects.standing()
        .filter(case__suite=suite, reason__in=FOLLOWS_FROM_LABELS)
        .values_list("case_id", flat=True)
    )
    found = []
    if decision is not None and changed:
        found.append(
            f"These rules differ from the decision of {decision.decided_at:%Y-%m-%d}: {'; '.join(changed)}. "
            "Use the rules of the decision, which are the default, or apply a new decision to the suite."
        )
    again = "" if changed else " The suite changed since the decision: apply a decision again."
    if back := len(left_out.intersection(plan.cases) - plan.left_out.keys()):
        subject = "1 case that is shown as left out goes" if back == 1 else f"{back:,} cases shown as left out go"
        found.append(f"{subject} into the release.{again}")
    if decision is not None:
        follows = {case for case, out in plan.left_out.items() if out.reason in FOLLOWS_FROM_LABELS}
        if gone := len(follows - left_out):
            subject = "1 case that is shown as kept stays" if gone == 1 else f"{gone:,} cases shown as kept stay"
            found.append(f"{subject} out of the release.{again}")
    return found


def release_warnings(release: Release) -> list[str]:
    """Where a release differs from what was decided about its suite; of a candidate, as things stand now.

    A candidate waits to be published, and meanwhile another decision may be applied. Building it again keeps its rules.
    """
    said: list[str] = release.facts.get("warnings", [])
    decision = standing_decision(release.suite) if release.state == ReleaseState.CANDIDATE else None
    if decision is None or release.built_at is None or decision.decided_at <= release.built_at:
        return said
    changed = _differences(_rules_of(decision), FreezeSettings(release.policy, release.min_agree, release.cascade))
    if not changed:
        return []
    return [
        f"These rules differ from the decision of {decision.decided_at:%Y-%m-%d}, which was applied after this release "
        f"was built: {'; '.join(changed)}. To follow it, delete this candidate and freeze the suite again."
    ]


def _differences(decided: FreezeSettings, used: FreezeSettings) -> list[str]:
    pairs = ((one.name, getattr(decided, one.name), getattr(used, one.name)) for one in fields(decided))
    return [f"{NAMES[name]} {now} instead of {before}" for name, before, now in pairs if now != before]


def _rules_of(decision: Decision) -> FreezeSettings:
    return FreezeSettings(decision.policy, decision.min_agree, decision.cascade)
