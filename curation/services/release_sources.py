"""Cases of the workshop as a release takes them over."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from django.db.models import TextField
from django.db.models.functions import Cast

from curation.errors import BadInput
from curation.models import Suite, TestCase
from curation.publishing.blocks import Memo
from curation.publishing.values import FrozenCase
from curation.services.freeze_plan import FreezePlan
from curation.services.frozen import extra_columns, provenance_text, target_names

FIELDS = (
    "id", "key", "language__code", "functionality__key", "functionality__functionality_class__key", "text",
    "functionality__gold_label", "target__name", "direction", "focus_words", "focus_lemma", "refers_to",
    "template__key", "template__refers_to", "variant__text", "origin", "provenance_json", "extra_json", "template_id",
)  # fmt: skip
_JSON = {"provenance_json": Cast("provenance", TextField()), "extra_json": Cast("extra", TextField())}
_PROVENANCE = Memo(lambda text: provenance_text(json.loads(text or "{}")))
_EXTRA = Memo(lambda text: extra_columns(json.loads(text or "null")))
_TARGETS = Memo(target_names)


def source_cases(suite: Suite, ids: Sequence[int], plan: FreezePlan) -> list[FrozenCase]:
    """The cases of these ids in this order, as they become under a plan. Refuses when one was retired meanwhile."""
    rows = TestCase.objects.of(suite).in_use().filter(pk__in=ids).annotate(**_JSON).values_list(*FIELDS)
    found = {row[0]: row for row in rows}
    if len(found) < len(ids):
        raise BadInput("Cases of the suite were taken away while the release was built. Build it again.")
    return [_case(found[case_id], plan) for case_id in ids]


def _case(row: tuple[Any, ...], plan: FreezePlan) -> FrozenCase:
    (case_id, key, language, functionality, functionality_class, text, label, target, direction, words, lemma,
     refers_to, template, refers_to_template, template_text, origin, provenance, extra, template_id) = row  # fmt: skip
    verdict = plan.verdicts.get(case_id)
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
        labels_given=verdict.labels if verdict else (),
        majority=verdict.majority if verdict else "",
        disagreement_in_case=plan.disagreement_in_case(case_id),
        disagreement_in_template=plan.disagreement_in_template(case_id, template_id),
        provenance=_PROVENANCE[provenance],
        extra=_EXTRA[extra],
    )
