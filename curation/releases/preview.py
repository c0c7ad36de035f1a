"""What a release would hold, before anything is written."""

from collections import Counter
from dataclasses import asdict
from typing import Any

from curation.catalogue.group_names import group_names
from curation.models import Suite, TestCase
from curation.morphology.realised import target_names
from curation.publishing.groups import groups_of
from curation.publishing.statement import missing_sections
from curation.publishing.values import Author
from curation.releases.extensions import collect_facts
from curation.releases.frozen import author_values
from curation.releases.planning import FreezePlan
from curation.releases.records import records_from
from curation.releases.rules import decision_values, rule_warnings, standing_decision

BY = ("functionality", "label", "language")


def preview(suite: Suite, plan: FreezePlan) -> dict[str, Any]:
    """Count by functionality, label, group and language, balance of groups, what stays out, what is missing."""
    by: dict[str, Counter[str]] = {name: Counter() for name in (*BY, "target")}
    groups: dict[str, Counter[str]] = {}
    names = group_names(suite)
    rows = (
        TestCase.objects.of(suite)
        .releasable()
        .values_list("id", "functionality__key", "gold_label", "target__name", "language__code")
    )
    for case_id, functionality, label, target, language in rows.iterator(chunk_size=5000):
        if case_id not in plan.left_out:
            for name, value in zip(BY, (functionality, label, language), strict=True):
                by[name][value] += 1
            named = groups_of(target_names(target), language, names)
            by["target"].update(named or ("",))
            groups.setdefault(language, Counter()).update(named)
    facts, labelling = collect_facts(suite), plan.labelling()
    return {
        "included": plan.included,
        "excluded": len(plan.left_out),
        "excluded_by_reason": plan.excluded_by_reason,
        "unlabelled": labelling.never_labelled,
        "labelling": asdict(labelling),
        "disagreed": len(plan.disagreed),
        **{f"by_{name}": dict(sorted(counts.items())) for name, counts in by.items()},
        "group_balance": {language: balance(counts) for language, counts in sorted(groups.items())},
        "agreement": list(facts.get("annotation", {}).get("agreement", ())),
        "missing_documentation": missing_sections(records_from(facts, {})),
        "licence": suite.licence,
        "authors": [Author(**author_values(author)).full_name for author in suite.authors],
        "rules": asdict(plan.rules),
        "decision": decision_values(suite, plan.rules, standing_decision(suite)),
        "warnings": rule_warnings(suite, plan),
    }


def balance(counts: Counter[str]) -> float | None:
    """The smallest group's count over the largest one's: 1 is even. None where there are fewer than two groups."""
    return min(counts.values()) / max(counts.values()) if len(counts) > 1 else None
