"""Writing down what annotators say: labels, skips, and taking them back. Sending something twice changes nothing."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from accounts.models import Action
from accounts.services import audit
from annotation.campaigns.models import Mode, Role
from annotation.labelling import claiming, exchange_sql
from annotation.labelling.models import Kind, SlotState
from annotation.labelling.quality_rules import Rule, note_answer
from annotation.models import Annotation, Assignment, Participation, TrainingAnswer
from annotation.questions import question_of
from core.text import _, ngettext

UNDO_REACHES = 10
NOT_YOURS = _("This text is not assigned to you.")
OTHER_HAS_IT = _("Another annotator has this text now.")
NO_LONGER_YOURS = _("This text is no longer assigned to you.")
TOO_OLD = ngettext(
    "Only the last answer can be undone.", "Only the last %(count)s answers can be undone.", UNDO_REACHES
)
Status = Literal["stored", "late", "refused"]


@dataclass(frozen=True, slots=True)
class Event:
    """Something an annotator did with one text; `client_id` is made by the client and never used twice."""

    client_id: str
    assignment: str
    kind: str
    label: str = ""
    comment: str = ""
    is_unrealistic: bool = False
    unrealistic_because: str = ""
    milliseconds: int | None = None


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of an event. Late: another annotator has the text by now, and k labels are enough."""

    client_id: str
    status: Status
    reason: str = ""


class Recorder:
    """Takes the events of one request in the order they happened. Lives inside the caller's transaction."""

    def __init__(self, participation: Participation, rules: tuple[Rule, ...], *, now: datetime) -> None:
        self.participation = participation
        self.annotator = participation.annotator
        self.campaign = participation.campaign
        self.rules = rules
        self.now = now
        self._slots: dict[str, Assignment] = {}
        self._revisions: defaultdict[int, int] = defaultdict(int)
        self._known: set[str] = set()

    def record(self, events: Sequence[Event]) -> list[Receipt]:
        """Store the events; each gets a receipt, and the same one when it comes again."""
        if not events:
            return []
        for slot, revision in exchange_sql.slots_with_keys(self.campaign.pk, {event.assignment for event in events}):
            self._slots[slot.key], self._revisions[slot.pk] = slot, revision
        self._known = exchange_sql.known_client_ids(self.annotator.pk, [event.client_id for event in events])
        return [self._record(event) for event in events]

    def _record(self, event: Event) -> Receipt:
        if event.client_id in self._known:
            return Receipt(event.client_id, "stored")
        slot = self._slots.get(event.assignment)
        if slot is None:
            return Receipt(event.client_id, "refused", NOT_YOURS)
        if not self._is_mine(slot):
            slot = self._mine_instead_of(slot) or slot
        if event.kind == Kind.LABEL:
            return self._label(event, slot)
        if event.kind == Kind.SKIP:
            return self._skip(event, slot)
        return self._undo(event, slot)

    def _label(self, event: Event, slot: Assignment) -> Receipt:
        if event.label not in self.campaign.labels:
            return Receipt(event.client_id, "refused", _("'%(label)s' is not one of the answers.", label=event.label))
        if not self._is_mine(slot):
            if not self._had(slot):
                return Receipt(event.client_id, "refused", NOT_YOURS)
            slot = self._slot_instead_of(slot) or slot
            if not self._is_mine(slot):
                return Receipt(event.client_id, "late", OTHER_HAS_IT)
        is_check = slot.item.role == Role.CHECK
        label = None if is_check else event.label
        if not exchange_sql.finish_slot(slot.pk, self.annotator.pk, label=label, now=self.now):
            return Receipt(event.client_id, "late", OTHER_HAS_IT)
        slot.state, slot.label = SlotState.DONE, event.label
        note_answer(self.participation, self.rules, milliseconds=event.milliseconds)
        receipt = self._write(event, slot, Kind.LABEL)
        if is_check:
            self._note_check(event, slot)
        return receipt

    def _note_check(self, event: Event, slot: Assignment) -> None:
        right = question_of(self.campaign).is_right(event.label, expected=slot.item.expected)
        TrainingAnswer.objects.create(
            participation=self.participation, item=slot.item, attempt=self._revisions[slot.pk], label=event.label,
            is_right=right, created_at=self.now,
        )  # fmt: skip
        if not right:
            self.participation.failed_checks += 1

    def _forget_check(self, slot: Assignment) -> None:
        """Whoever takes a wrong answer back has not failed: only the answer that stays counts."""
        newest = self.participation.training_answers.filter(item=slot.item_id).order_by("-attempt").first()
        if newest is not None and newest.attempt == self._revisions[slot.pk] and not newest.is_right:
            self.participation.failed_checks = max(self.participation.failed_checks - 1, 0)

    def _skip(self, event: Event, slot: Assignment) -> Receipt:
        if not self._is_mine(slot) or slot.state == SlotState.DONE:
            return Receipt(event.client_id, "late", NO_LONGER_YOURS)
        self.participation.skips += 1
        self.participation.skips_in_a_row += 1
        receipt = self._write(event, slot, Kind.SKIP)
        if self.campaign.mode == Mode.CROWD:
            claiming.release_slot(self.participation, slot, now=self.now)
            slot.state = SlotState.OPEN
            if slot.item.role != Role.CHECK:  # a check was made for one person and stays theirs
                slot.annotator_id = None
        else:
            # A team's case has no other taker: it comes back after everything else.
            Assignment.objects.filter(pk=slot.pk).update(order=claiming.come_back_order(self.campaign, self.now))
        return receipt

    def _undo(self, event: Event, slot: Assignment) -> Receipt:
        recent = (
            Annotation.objects.filter(annotator=self.annotator, assignment__campaign=self.campaign)
            .exclude(kind=Kind.UNDO)
            .order_by("-created_at", "-id")
            .values_list("assignment_id", flat=True)[:UNDO_REACHES]
        )
        if slot.pk not in set(recent):
            return Receipt(event.client_id, "refused", TOO_OLD)
        if self._is_mine(slot):
            lease = claiming.lease_end(self.campaign, self.now) if self.campaign.mode == Mode.CROWD else None
            state = SlotState.CLAIMED if lease else SlotState.OPEN
            Assignment.objects.filter(pk=slot.pk, annotator=self.annotator).update(
                state=state, label=None, done_at=None, lease_until=lease, order=0 if lease is None else slot.order
            )
            slot.state = state
        elif claiming.claim_again(self.participation, slot, now=self.now):
            slot.annotator_id, slot.state = self.annotator.pk, SlotState.CLAIMED
        else:
            return Receipt(event.client_id, "late", OTHER_HAS_IT)
        if slot.item.role == Role.CHECK:
            self._forget_check(slot)
        receipt = self._write(event, slot, Kind.UNDO)
        # The log names the slot, never the label: people may change their minds unwatched.
        audit.record(self.annotator.user, Action.LABEL_UNDONE, slot, campaign=self.campaign.key)
        return receipt

    def _is_mine(self, slot: Assignment) -> bool:
        return slot.annotator_id == self.annotator.pk

    def _had(self, slot: Assignment) -> bool:
        """A key is worth something only to those who were given it: random as it is, it may have been passed on."""
        return self.campaign.mode == Mode.CROWD and claiming.held_before(self.participation, slot)

    def _mine_instead_of(self, slot: Assignment) -> Assignment | None:
        """A late label went to another slot of the case; whoever takes it back still names the slot they were shown."""
        others = Assignment.objects.filter(campaign=self.campaign, item=slot.item_id, annotator=self.annotator)
        found = others.select_related("item").first()
        return self._known_slot(found, of=slot.key) if found else None

    def _slot_instead_of(self, slot: Assignment) -> Assignment | None:
        """The lease ended while the label was on its way: the same slot if it is free, else another one of the case."""
        if self.campaign.mode != Mode.CROWD or slot.item.role != Role.LABEL:
            return None
        others = Assignment.objects.filter(item=slot.item_id, state=SlotState.OPEN, annotator=None).select_related(
            "item"
        )
        candidates: list[Assignment] = [slot, *others.exclude(pk=slot.pk)]
        for candidate in candidates:
            if claiming.claim_again(self.participation, candidate, now=self.now):
                candidate.annotator_id, candidate.state = self.annotator.pk, SlotState.CLAIMED
                return self._known_slot(candidate, of=slot.key)
        return None

    def _known_slot(self, slot: Assignment, *, of: str) -> Assignment:
        """From now on events that name the key `of` mean this slot."""
        self._slots[of] = self._slots[slot.key] = slot
        newest = slot.annotations.order_by("-revision").values_list("revision", flat=True).first()
        self._revisions[slot.pk] = newest or 0
        return slot

    def _write(self, event: Event, slot: Assignment, kind: Kind) -> Receipt:
        self._revisions[slot.pk] += 1
        self._known.add(event.client_id)
        exchange_sql.add_annotation(
            {
                "assignment_id": slot.pk,
                "annotator_id": self.annotator.pk,
                "client_id": event.client_id,
                "revision": self._revisions[slot.pk],
                "kind": kind.value,
                "label": event.label if kind == Kind.LABEL else "",
                "comment": event.comment,
                "is_unrealistic": event.is_unrealistic,
                "unrealistic_because": event.unrealistic_because,
                "milliseconds": event.milliseconds,
                "created_at": self.now,
            }
        )
        return Receipt(event.client_id, "stored")
