"""Deciding what goes into a release and what stays out, before anything is written."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from curation.errors import BadInput
from curation.models import Exclusion, Suite, Template, TestCase
from curation.models.cases import CaseState, ExclusionReason
from curation.models.releases import Cascade
from curation.models.suites import Policy
from curation.morphology.placeholders import has_identity
from curation.publishing.exclusion import explain_exclusions, is_disputed
from curation.services.verdicts import StandingVerdict, latest_verdicts


@dataclass(slots=True)
class LeftOut:
    reason: str
    because_of: str


@dataclass(slots=True)
class FreezePlan:
    """Which cases go in (ids in order) and which stay out, with what was known about each."""

    included: list[int] = field(default_factory=list)
    left_out: dict[int, LeftOut] = field(default_factory=dict)
    verdicts: dict[int, StandingVerdict] = field(default_factory=dict)
    disagreed: set[int] = field(default_factory=set)
    disagreed_templates: set[int] = field(default_factory=set)
    unlabelled: int = 0

    @property
    def excluded_by_reason(self) -> dict[str, int]:
        return dict(Counter(out.reason for out in self.left_out.values()).most_common())

    def disagreement_in_case(self, case_id: int) -> bool | None:
        """None where nobody labelled the case."""
        return case_id in self.disagreed if case_id in self.verdicts else None

    def disagreement_in_template(self, case_id: int, template_id: int | None) -> bool | None:
        """Whether a case of the same identity template is disputed. None where nobody labelled the case."""
        return template_id in self.disagreed_templates if case_id in self.verdicts else None


@dataclass(frozen=True, slots=True)
class FreezeSettings:
    """The rules by which a suite is frozen."""

    policy: str
    min_agree: int
    cascade: str


def freeze_settings(
    suite: Suite, *, policy: str | None = None, min_agree: int | None = None, cascade: str = Cascade.CLOSURE
) -> FreezeSettings:
    """The rules that were chosen, otherwise the suite's. Refuses unknown ones and an impossible threshold."""
    policy = policy or suite.policy
    if policy not in Policy.values or cascade not in Cascade.values:
        known = f"{', '.join(Policy.values)}; {', '.join(Cascade.values)}"
        raise BadInput(f"Unknown policy '{policy}' or cascade '{cascade}'. Known: {known}.")
    least = suite.threshold if min_agree is None else min_agree
    if least < 0 or least > max(suite.raters, 1):
        raise BadInput(f"At most {suite.raters} raters label a case of '{suite.key}', so {least} cannot have to agree.")
    return FreezeSettings(str(policy), least, str(cascade))


def plan_freeze(suite: Suite, *, policy: str, min_agree: int, cascade: str) -> FreezePlan:
    """Apply the suite's rules: too few labels equal to gold means out (or marked), and what hangs on it follows.

    Standing exclusions (by adjudication, by the author) are out under either policy. A case that an adjudicator keeps
    is in.
    """
    cases = list(
        TestCase.objects.of(suite)
        .in_use()
        .exclude(state=CaseState.DRAFT)
        .in_order()
        .values_list("id", "key", "template_id")
    )
    keys = {case_id: key for case_id, key, _ in cases}
    template_of = {case_id: template_id for case_id, _, template_id in cases}
    plan = FreezePlan(verdicts={k: v for k, v in latest_verdicts(suite).items() if k in keys})
    plan.unlabelled = sum(case_id not in plan.verdicts for case_id in keys)
    plan.disagreed = {
        case_id
        for case_id, verdict in plan.verdicts.items()
        if verdict.adjudicated != "keep"
        and is_disputed(verdict.agreeing, verdict.raters, at_least=min_agree, wanted=suite.raters)
    }
    plan.disagreed_templates = _identity_templates(suite, {t for c in plan.disagreed if (t := template_of[c])})
    _add_standing_exclusions(suite, plan, keys)
    if policy == Policy.EXCLUDE:
        explained = explain_exclusions(
            sorted(plan.disagreed - set(plan.left_out)),
            template_of=template_of,
            refers_to=_references(suite),
            cascade=Cascade(cascade).value,  # type: ignore[arg-type]
        )
        kept = {case_id for case_id, verdict in plan.verdicts.items() if verdict.adjudicated == "keep"}
        for case_id, out in explained.items():
            if case_id in kept:  # somebody looked at it and decided: what befalls its siblings does not change that
                continue
            plan.left_out.setdefault(case_id, LeftOut(out.reason, keys[out.because_of]))
    plan.included = [case_id for case_id in keys if case_id not in plan.left_out]
    return plan


def _references(suite: Suite) -> dict[int, int | None]:
    """Template id to the id of the template it refers to, within its language."""
    rows = list(Template.objects.of(suite).values_list("id", "language_id", "key", "refers_to"))
    by_key = {(language, key): template_id for template_id, language, key, _ in rows}
    return {template_id: by_key.get((language, origin)) for template_id, language, _, origin in rows if origin}


def _identity_templates(suite: Suite, template_ids: set[int]) -> set[int]:
    """Those of the templates that are filled with identity words (Multilingual HateCheck marks only these)."""
    found = set()
    rows = Template.objects.filter(pk__in=template_ids, versions__state="approved").values_list(
        "id", "versions__variants__text", "extra__gender_male", "extra__gender_female"
    )
    for template_id, *texts in rows:
        # Texts per gender that a faulty cell of the imported file hides still say what the template is about.
        if template_id not in found and any(has_identity(text) for text in texts if text):
            found.add(template_id)
    return found


def _add_standing_exclusions(suite: Suite, plan: FreezePlan, keys: dict[int, str]) -> None:
    derived = [ExclusionReason.DISAGREEMENT, ExclusionReason.TEMPLATE, ExclusionReason.REFERENCE]
    standing = Exclusion.objects.standing().filter(case__suite=suite).exclude(reason__in=derived)
    for case_id, reason, because_of in standing.values_list("case_id", "reason", "because_of"):
        if case_id in keys:
            plan.left_out[case_id] = LeftOut(reason, because_of)
