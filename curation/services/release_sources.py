"""Cases of the workshop as a release takes them over."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from django.db.models import TextField
from django.db.models.functions import Cast

from curation.errors import BadInput
from curation.models import TestCase
from curation.publishing.blocks import Memo
from curation.publishing.values import FrozenCase
from curation.services.freeze_plan import FreezePlan, PlannedCase
from curation.services.frozen import extra_columns, provenance_text, target_names

FIELDS = (
    "id", "verdicts__id", "labels_json", "verdicts__majority", "key", "language__code", "functionality__key",
    "functionality__functionality_class__key", "text", "functionality__gold_label", "target__name", "direction",
    "focus_words", "focus_lemma", "refers_to", "template__key", "template__refers_to", "variant__text", "origin",
    "provenance_json", "extra_json", "template_id",
)  # fmt: skip
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
    """Some thousand cases in this order, as they become under a plan. Refuses when one was retired meanwhile."""
    # By their ids alone: asked for those of a suite, SQLite would go through the whole suite each time.
    rows = TestCase.objects.in_use().filter(pk__in=[case.id for case in planned])
    verdicts = dict(planned)
    found: dict[int, tuple[Any, ...]] = {}
    for row in rows.annotate(**_JSON).values_list(*FIELDS):
        case_id, verdict_id = row[:2]  # one row per verdict; that which the plan goes by counts
        if case_id not in found or verdict_id == verdicts[case_id]:
            found[case_id] = row
    if len(found) < len(planned):
        raise BadInput("Cases of the suite were taken away while the release was built. Build it again.")
    return [_case(found[case.id], case, plan) for case in planned]


def ids_about_identity(planned: Sequence[PlannedCase]) -> set[int]:
    """The ids of those of the cases that are about an identity."""
    cases = TestCase.objects.filter(pk__in=[case.id for case in planned], is_about_identity=True)
    return set(cases.values_list("id", flat=True))


def _case(row: tuple[Any, ...], planned: PlannedCase, plan: FreezePlan) -> FrozenCase:
    (_, _, labels, majority, key, language, functionality, functionality_class, text, label, target, direction,
     words, lemma, refers_to, template, refers_to_template, template_text, origin, provenance, extra,
     template_id) = row  # fmt: skip
    return FrozenCase(
        key=key,
        language=language,
        functionality=functionality,
        functionality_class=functionality_class,
        text=text,
        label=label,
        targets=_TARGETS[target],
        direction=direction,
        focus_words=words,
        focus_lemma=lemma,
        refers_to=refers_to,
        template=template or "",
        refers_to_template=refers_to_template or "",
        template_text=template_text or "",
        origin=origin,
        labels_given=_LABELS[labels] if planned.verdict else (),
        majority=majority if planned.verdict else "",
        disagreement_in_case=plan.disagreement_in_case(planned),
        disagreement_in_template=plan.disagreement_in_template(planned, template_id),
        provenance=_PROVENANCE[provenance],
        extra=_EXTRA[extra],
    )
