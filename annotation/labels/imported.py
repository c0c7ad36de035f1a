"""Labels made elsewhere: kept as a closed campaign, with one pseudonymous annotator per column of the source.

Where the source lists labels without saying whose they are, there is one unidentified annotator per place in the list.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.models import Action, User
from accounts.services import audit
from annotation.agreement.verdicts import source_of, verdict_of
from annotation.campaigns.models import CampaignState, Mode, Role
from annotation.labelling.models import Kind, SlotState, new_assignment_key
from annotation.labels.files import GivenLabel
from annotation.labels.labelled_cases import UNIDENTIFIED
from annotation.models import Annotation, Annotator, Assignment, Campaign, CampaignItem, Participation
from annotation.people.models import ParticipationState
from core.bulk import insert_rows
from curation.cases.verdicts import record_verdicts
from curation.formats.values import LabelValue
from curation.models import Suite, TestCase

PLATFORM = "import"
PLACE = "place "

LabelsByCase = Mapping[int, Sequence[GivenLabel]]


# Part of the import's transaction, without a savepoint of its own. While one is open, SQLite copies each page that
# leaves its cache and walks through all copies after every row: 36,667 cases took 136 s of processor time, not 14 s.
@transaction.atomic(savepoint=False)
def take_in_labels(suite: Suite, labels: Sequence[LabelValue], *, case_ids: Mapping[str, int], by: User | None) -> int:
    """Store labels that came with a suite and the verdicts they make. Labels that are there already are left alone."""
    campaign, _is_new = Campaign.objects.get_or_create(
        suite=suite,
        key=free_key(f"{suite.key}-imported"),
        defaults={
            "title": f"Labels imported with {suite.name}"[:160],
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
    fresh: defaultdict[int, list[GivenLabel]] = defaultdict(list)
    for label in labels:
        case_id = case_ids[label.case]
        if case_id not in known:
            fresh[case_id].append(
                GivenLabel(label.case, label.annotator, label.label, is_identified=label.is_identified)
            )
    if not fresh:
        return 0
    written = write_labels(campaign, fresh, annotators_of(suite, fresh, has_public_names=True))
    gold = dict(TestCase.objects.filter(pk__in=fresh).values_list("id", "gold_label"))
    record_verdicts(
        (verdict_of(case_id, [label.label for label in given], gold[case_id]) for case_id, given in fresh.items()),
        source=source_of(campaign),
    )
    audit.record(by, Action.LABELS_IMPORTED, campaign, labels=written)
    return written


def free_key(stem: str) -> str:
    """Return the key of an import: another one after the campaign of that key was taken back."""
    taken_back = set(Campaign.objects.taken_back().filter(key__startswith=stem[:70]).values_list("key", flat=True))
    number = 1
    while (key := stem[:80] if number == 1 else f"{stem[:70]}-{number}") in taken_back:
        number += 1
    return key


def external_id(suite: Suite, name: str, *, is_identified: bool) -> str:
    """What an imported annotator is found by again. A person called 1 is not the first place in a list."""
    return f"{suite.key}:{'' if is_identified else PLACE}{name}"[:120]


def annotators_of(suite: Suite, by_case: LabelsByCase, *, has_public_names: bool) -> dict[tuple[str, bool], int]:
    """Ids of the annotators of these labels, by what the source calls them and whether that is a person.

    Names that came with a published suite become part of the pseudonym. A file may name people by e-mail address, and
    that must not be published.
    """
    names = {(label.annotator, label.is_identified) for given in by_case.values() for label in given}
    external = {who: external_id(suite, who[0], is_identified=who[1]) for who in names}
    known = Annotator.objects.filter(platform=PLATFORM, external_id__in=external.values())
    found = dict(known.values_list("external_id", "id"))
    for name, is_identified in sorted(names, key=lambda who: (len(who[0]), who)):
        one = external[name, is_identified]
        if one not in found:
            annotator = Annotator(platform=PLATFORM, external_id=one, is_identified=is_identified)
            if has_public_names:
                annotator.pseudonym = f"{suite.key}-{'' if is_identified else UNIDENTIFIED + '-'}{name}"[:80]
            annotator.save()
            found[one] = annotator.pk
    return {who: found[external[who]] for who in names}


def write_labels(campaign: Campaign, by_case: LabelsByCase, annotators: Mapping[tuple[str, bool], int]) -> int:
    """Write labels on cases that are new in the campaign, as done assignments. Returns how many labels there are."""
    first = CampaignItem.objects.filter(campaign=campaign).count()
    Participation.objects.bulk_create(
        [
            Participation(campaign=campaign, annotator_id=annotator, state=ParticipationState.ENDED)
            for annotator in sorted({pk for (_, is_identified), pk in annotators.items() if is_identified})
        ],
        ignore_conflicts=True,
    )
    insert_rows(
        CampaignItem,
        ("campaign", "case", "text", "role", "expected", "explanation", "position"),
        ((campaign.pk, case_id, "", Role.LABEL, "", "", position) for position, case_id in enumerate(by_case, first)),
    )
    items = dict(CampaignItem.objects.filter(campaign=campaign).values_list("case_id", "id"))
    now = timezone.now()
    given_at: dict[tuple[int, int], GivenLabel] = {}

    def assignments() -> Iterator[tuple[Any, ...]]:
        for order, (case_id, given) in enumerate(by_case.items(), first):
            for slot, label in enumerate(given, 1):
                item, who = items[case_id], annotators[label.annotator, label.is_identified]
                given_at[item, who] = label
                yield (
                    new_assignment_key(), campaign.pk, item, slot, who, SlotState.DONE, order, label.label,
                    label.time or now,
                )  # fmt: skip

    fields = ("key", "campaign", "item", "slot", "annotator", "state", "order", "label", "done_at")
    insert_rows(Assignment, fields, assignments())
    rows = Assignment.objects.filter(campaign=campaign).values_list("id", "item_id", "annotator_id")
    return insert_rows(
        Annotation,
        ("assignment", "annotator", "client_id", "revision", "kind", "label", "comment", "is_unrealistic",
         "unrealistic_because", "created_at"),
        (
            (pk, who, f"import-{pk}", 1, Kind.LABEL, label.label, label.comment, label.is_unrealistic,
             label.unrealistic_because, label.time or now)
            for pk, item, who in list(rows)
            if (label := given_at.get((item, who or 0)))
        ),
    )  # fmt: skip


def imported_labels(suite: Suite) -> Iterator[LabelValue]:
    """The labels that came with a suite, under the names their source gave the annotators."""
    rows = (
        Assignment.objects.filter(campaign__suite=suite, annotator__platform=PLATFORM, label__isnull=False)
        .exclude(campaign__in=Campaign.objects.taken_back())
        .order_by("item__case__language", "item__case__position", "item_id", "slot")
        .values_list("item__case__key", "annotator__external_id", "annotator__is_identified", "label")
    )
    for case, annotator, is_identified, label in rows.iterator(chunk_size=5000):
        name = annotator.removeprefix(external_id(suite, "", is_identified=is_identified))
        yield LabelValue(case, name, label or "", is_identified)
