"""Labels made elsewhere: kept as a closed campaign, with one pseudonymous annotator per column of the source."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.models import Action, User
from accounts.services import audit
from annotation.models import Annotation, Annotator, Assignment, Campaign, CampaignItem, Participation
from annotation.models.annotations import Kind
from annotation.models.campaigns import CampaignState, Mode, Role
from annotation.models.participation import ParticipationState
from annotation.models.slots import SlotState, new_assignment_key
from annotation.services.verdicts import verdict_of
from curation.bulk import insert_rows
from curation.formats.values import LabelValue
from curation.models import Suite, TestCase
from curation.services.verdicts import record_verdicts

PLATFORM = "import"


@transaction.atomic
def take_in_labels(suite: Suite, labels: Sequence[LabelValue], *, case_ids: Mapping[str, int], by: User | None) -> int:
    """Store labels that came with a suite and the verdicts they make. Labels that are there already are left alone."""
    campaign, _ = Campaign.objects.get_or_create(
        key=f"{suite.key}-imported"[:80],
        defaults={
            "title": f"Labels imported with {suite.name}"[:160],
            "suite": suite,
            "labels": suite.labels,
            "raters": suite.raters,
            "threshold": suite.threshold,
            "mode": Mode.TEAM,
            "state": CampaignState.CLOSED,
            "created_by": by,
            "opened_at": timezone.now(),
            "closed_at": timezone.now(),
        },
    )
    known = set(CampaignItem.objects.filter(campaign=campaign).values_list("case_id", flat=True))
    fresh: dict[int, list[LabelValue]] = defaultdict(list)
    for label in labels:
        case_id = case_ids[label.case]
        if case_id not in known:
            fresh[case_id].append(label)
    if not fresh:
        return 0
    written = _store(
        campaign, fresh, _annotators(suite, {label.annotator for given in fresh.values() for label in given})
    )
    gold = dict(TestCase.objects.filter(pk__in=fresh).values_list("id", "functionality__gold_label"))
    record_verdicts(
        (verdict_of(case_id, [label.label for label in given], gold[case_id]) for case_id, given in fresh.items()),
        source=f"campaign:{campaign.key}",
    )
    audit.record(by, Action.LABELS_IMPORTED, campaign, labels=written)
    return written


def _annotators(suite: Suite, names: set[str]) -> dict[str, int]:
    external = {name: f"{suite.key}:{name}" for name in names}
    found = dict(
        Annotator.objects.filter(platform=PLATFORM, external_id__in=external.values()).values_list("external_id", "id")
    )
    for name in sorted(names, key=lambda name: (len(name), name)):
        if external[name] not in found:
            annotator = Annotator.objects.create(
                pseudonym=f"{suite.key}-{name}"[:80], platform=PLATFORM, external_id=external[name]
            )
            found[external[name]] = annotator.pk
    return {name: found[external[name]] for name in names}


def _store(campaign: Campaign, fresh: Mapping[int, Sequence[LabelValue]], annotators: Mapping[str, int]) -> int:
    first = CampaignItem.objects.filter(campaign=campaign).count()
    Participation.objects.bulk_create(
        [
            Participation(campaign=campaign, annotator_id=annotator, state=ParticipationState.ENDED)
            for annotator in sorted(annotators.values())
        ],
        ignore_conflicts=True,
    )
    insert_rows(
        CampaignItem,
        ("campaign", "case", "text", "role", "expected", "explanation", "position"),
        ((campaign.pk, case_id, "", Role.LABEL, "", "", position) for position, case_id in enumerate(fresh, first)),
    )
    items = dict(CampaignItem.objects.filter(campaign=campaign).values_list("case_id", "id"))
    now = timezone.now()

    def assignments() -> Iterator[tuple[Any, ...]]:
        for order, (case_id, given) in enumerate(fresh.items(), first):
            for slot, label in enumerate(given, 1):
                yield (
                    new_assignment_key(), campaign.pk, items[case_id], slot, annotators[label.annotator],
                    SlotState.DONE, order, label.label, now,
                )  # fmt: skip

    insert_rows(
        Assignment,
        ("key", "campaign", "item", "slot", "annotator", "state", "order", "label", "done_at"),
        assignments(),
    )
    new_items = {items[case_id] for case_id in fresh}
    rows = Assignment.objects.filter(campaign=campaign).values_list("id", "item_id", "annotator_id", "label")
    return insert_rows(
        Annotation,
        (
            "assignment", "annotator", "client_id", "revision", "kind", "label", "comment", "is_unrealistic",
            "unrealistic_because", "created_at",
        ),
        (
            (assignment_id, annotator_id, f"import-{assignment_id}", 1, Kind.LABEL, label, "", False, "", now)
            for assignment_id, item_id, annotator_id, label in rows.iterator(chunk_size=5000)
            if item_id in new_items
        ),
    )  # fmt: skip


def imported_labels(suite: Suite) -> Iterator[LabelValue]:
    """The labels that came with a suite, under the names their source gave the annotators."""
    rows = (
        Assignment.objects.filter(campaign__suite=suite, annotator__platform=PLATFORM, label__isnull=False)
        .order_by("item__case__language", "item__case__position", "item_id", "slot")
        .values_list("item__case__key", "annotator__external_id", "label")
    )
    for case, annotator, label in rows.iterator(chunk_size=5000):
        yield LabelValue(case, annotator.removeprefix(f"{suite.key}:"), label or "")
