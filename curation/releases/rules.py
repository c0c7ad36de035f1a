"""The rules by which a suite is frozen: those of the standing decision, unless a caller asks for others."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any

from core.errors import BadInput
from core.text import _, ngettext, recall
from curation.cases.models import FOLLOWS_FROM_LABELS, ExclusionReason
from curation.catalogue.models import Policy
from curation.models import Decision, Exclusion, Release, Suite
from curation.releases.models import Cascade, ReleaseState, WithoutLabels

if TYPE_CHECKING:
    from accounts.models import User
    from curation.releases.planning import FreezePlan

TITLES: dict[str, dict[str, str]] = {
    "policy": dict(Policy.choices),
    "cascade": dict(Cascade.choices),
    "without_labels": dict(WithoutLabels.choices),
}


@dataclass(frozen=True, slots=True)
class FreezeSettings:
    """The rules by which a suite is frozen. `min_agree` 0 means that no agreement is asked for."""

    policy: str
    min_agree: int
    cascade: str
    without_labels: str = WithoutLabels.IMPORTED.value


def standing_decision(suite: Suite) -> Decision | None:
    """Return the decision about the suite that was applied last; None where nothing has been decided."""
    return Decision.objects.filter(suite=suite, release="").order_by("-id").first()


def standing_rules(suite: Suite) -> FreezeSettings:
    """Return the rules of the standing decision, otherwise the suite's own."""
    if decision := standing_decision(suite):
        return rules_of(decision)
    return FreezeSettings(suite.policy, suite.threshold, Cascade.CLOSURE.value, WithoutLabels.IMPORTED.value)


def freeze_settings(
    suite: Suite,
    *,
    policy: str | None = None,
    min_agree: int | None = None,
    cascade: str | None = None,
    without_labels: str | None = None,
) -> FreezeSettings:
    """Return the rules that were asked for; what is None or empty follows the standing rules.

    Refuses unknown rules and a threshold outside 0 (none) to the number of raters.
    """
    standing = standing_rules(suite)
    least = standing.min_agree if min_agree is None else min_agree
    chosen = FreezeSettings(
        str(policy or standing.policy),
        least,
        str(cascade or standing.cascade),
        str(without_labels or standing.without_labels),
    )
    for name, choices in (("policy", Policy), ("cascade", Cascade), ("without_labels", WithoutLabels)):
        if (value := getattr(chosen, name)) not in choices.values:
            raise BadInput(
                _("Unknown %(field)s '%(value)s'. Known: %(known)s.", field=name, value=value, known=choices.values),
                field=name,
            )
    # A standing threshold is not refused: the number of raters may have been lowered since.
    if min_agree is not None and not 0 <= least <= suite.raters:
        raise BadInput(
            ngettext(
                "'%(suite)s' has %(count)s annotator per case, so a minimum agreement of %(least)s is not possible. "
                "Use 1, or 0 for none.",
                "'%(suite)s' has %(count)s annotators per case, so a minimum agreement of %(least)s is not possible. "
                "Use 1 to %(count)s, or 0 for none.",
                suite.raters,
                suite=suite.key,
                least=least,
            ),
            field="min_agree",
        )
    return chosen


def record_decision(suite: Suite, rules: FreezeSettings, *, by: User | None, release: str = "") -> Decision:
    """Keep the rules that were applied; they stand from now on. The same rules again change nothing.

    With `release`, the version of one that is frozen, other rules than the standing ones are kept as its own.
    """
    standing = standing_decision(suite)
    if standing is not None and rules_of(standing) == rules:
        return standing
    return Decision.objects.create(suite=suite, release=release, decided_by=by, **asdict(rules))


def decision_values(suite: Suite, rules: FreezeSettings, decision: Decision | None) -> dict[str, Any]:
    """Return rules as plain JSON values, with when they were decided and how they differ from the standing decision.

    `is_standing` says whether they are the rules of the standing decision; `differs` is empty where nothing stands.
    """
    standing = standing_decision(suite)
    differs = {} if standing is None else _changed(rules_of(standing), rules)
    return {
        **asdict(rules),
        "decided_at": decision.decided_at.isoformat() if decision else None,
        "is_standing": standing is not None and not differs,
        "differs": {name: {"decided": before, "used": now} for name, (before, now) in differs.items()},
    }


def rule_warnings(suite: Suite, plan: FreezePlan) -> list[str]:
    """Where a plan differs from what was decided about the suite, in sentences; empty where it does not."""
    decision = standing_decision(suite)
    changed = [] if decision is None else _differences(rules_of(decision), plan.rules)
    left_out = set(
        Exclusion.objects.standing()
        .filter(case__suite=suite, reason__in=FOLLOWS_FROM_LABELS)
        .values_list("case_id", flat=True)
    )
    found: list[str] = []
    if decision is not None and changed:
        found.append(
            _(
                "These rules differ from the decision of %(date)s: %(changes)s. Use the rules of the decision, which "
                "are the default, or apply a new decision to the suite.",
                date=decision.decided_at.date(),
                changes=changed,
            )
        )
    moved: list[str] = []
    if back := len(left_out.intersection(plan.cases) - plan.left_out.keys()):
        moved.append(
            ngettext(
                "%(count)s case that is shown as excluded goes into the release.",
                "%(count)s cases that are shown as excluded go into the release.",
                back,
            )
        )
    if decision is not None:
        # Cases that wait for labels are not shown as kept.
        derived = set(FOLLOWS_FROM_LABELS) - {ExclusionReason.UNLABELLED}
        follows = {case for case, out in plan.left_out.items() if out.reason in derived}
        if gone := len(follows - left_out):
            moved.append(
                ngettext(
                    "%(count)s case that is not shown as excluded stays out of the release.",
                    "%(count)s cases that are not shown as excluded stay out of the release.",
                    gone,
                )
            )
    return found + (moved if changed else [_apply_again(sentence) for sentence in moved])


def _apply_again(sentence: str) -> str:
    return _("%(warning)s The suite changed since the decision: apply a decision again.", warning=sentence)


def release_warnings(release: Release) -> list[str]:
    """Where a release differs from what was decided about its suite; of a candidate, as things stand now.

    A candidate waits to be published, and meanwhile another decision may be applied. Building it again keeps its rules.
    """
    said: list[str] = recall(release.facts.get("warnings", []))
    decision = standing_decision(release.suite) if release.state == ReleaseState.CANDIDATE else None
    if decision is None or release.built_at is None or decision.decided_at <= release.built_at:
        return said
    changed = _differences(rules_of(decision), rules_of(release))
    if not changed:
        return []
    return [
        _(
            "These rules differ from the decision of %(date)s, which was applied after this release was built: "
            "%(changes)s. To follow it, delete this candidate and freeze the suite again.",
            date=decision.decided_at.date(),
            changes=changed,
        )
    ]


def _differences(decided: FreezeSettings, used: FreezeSettings) -> list[str]:
    return [_difference(name, before, now) for name, (before, now) in _changed(decided, used).items()]


def _difference(name: str, before: Any, now: Any) -> str:
    titles = TITLES.get(name, {})
    values = {"before": titles.get(before, before), "now": titles.get(now, now)}
    if name == "policy":
        return _("policy “%(now)s” instead of “%(before)s”", **values)
    if name == "cascade":
        return _("cascade “%(now)s” instead of “%(before)s”", **values)
    if name == "without_labels":
        return _("cases without labels “%(now)s” instead of “%(before)s”", **values)
    return _("minimum agreement %(now)s instead of %(before)s", **values)


def _changed(decided: FreezeSettings, used: FreezeSettings) -> dict[str, tuple[Any, Any]]:
    pairs = {one.name: (getattr(decided, one.name), getattr(used, one.name)) for one in fields(decided)}
    return {name: (before, now) for name, (before, now) in pairs.items() if before != now}


def rules_of(row: Decision | Release) -> FreezeSettings:
    """Return the rules of a decision, or those a release was frozen with."""
    return FreezeSettings(row.policy, row.min_agree, row.cascade, row.without_labels or WithoutLabels.INCLUDE.value)
