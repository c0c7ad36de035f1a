"""Cases of the workshop as a release takes them over."""

import json
from collections.abc import Sequence
from typing import Any

from django.db.models import TextField
from django.db.models.functions import Cast

from core.errors import BadInput
from core.text import _
from curation.fields import FIELDS
from curation.models import TestCase
from curation.morphology.realised import target_names
from curation.publishing.blocks import Memo
from curation.publishing.values import FrozenCase
from curation.releases.frozen import extra_columns, provenance_text
from curation.releases.planning import FreezePlan, PlannedCase

BESIDE = ("id", "verdicts__id", "labels_json", "verdicts__majority", "template_id")
# The lookup of each field of the working set; JSON is read as text and decoded here, equal values once.
LOOKUPS = {field.name: field.lookup for field in FIELDS if field.lookup} | {
    "provenance": "provenance_json",
    "extra": "extra_json",
}
_JSON = {
    "labels_json": Cast("verdicts__labels", TextField()),
    "provenance_json": Cast("provenance", TextField()),
    "extra_json": Cast("extra", TextField()),
}
_LABELS = Memo(lambda text: tuple(json.loads(text)))
_PROVENANCE = Memo(lambda text: provenance_text(json.loads(text or "{}")))
_EXTRA = Memo(lambda text: extra_columns(json.loads(text or "null")))
_TARGETS = Memo(target_names)


def source_cases(planned: Sequence[PlannedCase], plan: FreezePlan) -> list[FrozenCase]:
    """Return some thousand cases in this order, as they become under a plan. Refuses when one was retired meanwhile."""
    # By their ids alone: asked for those of a suite, SQLite would go through the whole suite each time.
    rows = TestCase.objects.in_use().filter(pk__in=[case.id for case in planned])
    verdicts = dict(planned)
    found: dict[int, tuple[Any, ...]] = {}
    for row in rows.annotate(**_JSON).values_list(*BESIDE, *LOOKUPS.values()):
        case_id, verdict_id = row[:2]  # one row per verdict; that which the plan goes by counts
        if case_id not in found or verdict_id == verdicts[case_id]:
            found[case_id] = row
    if len(found) < len(planned):
        raise BadInput(_("Cases of the suite were removed while the release was built. Build it again."))
    return [_case(found[case.id], case, plan) for case in planned]


def ids_about_identity(planned: Sequence[PlannedCase]) -> set[int]:
    """Return the ids of those of the cases that are about an identity."""
    cases = TestCase.objects.filter(pk__in=[case.id for case in planned], is_about_identity=True)
    return set(cases.values_list("id", flat=True))


def _case(row: tuple[Any, ...], planned: PlannedCase, plan: FreezePlan) -> FrozenCase:
    _, _, labels, majority, template_id, *found = row
    values: dict[str, Any] = {name: value or "" for name, value in zip(LOOKUPS, found, strict=True)}
    return FrozenCase(
        **values
        | {
            "targets": _TARGETS[values["targets"]],
            "provenance": _PROVENANCE[values["provenance"]],
            "extra": _EXTRA[values["extra"]],
            "labels_given": _LABELS[labels] if planned.verdict else (),
            "majority": majority if planned.verdict else "",
            "disagreement_in_case": plan.disagreement_in_case(planned),
            "disagreement_in_template": plan.disagreement_in_template(planned, template_id),
        }
    )
