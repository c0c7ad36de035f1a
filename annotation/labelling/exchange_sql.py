"""The statements of an exchange, in plain SQL.

One exchange runs about ten statements. Building them with the ORM takes five times as long as running them
(`benchmarks/labelling.py`), so those that every label needs are written out here, alike for SQLite and PostgreSQL.
Whatever is rare stays with the ORM. All run inside the caller's transaction.
"""

# ruff: noqa: S608 (only names written in this file become part of a statement; values are always parameters)

import json
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Model

from annotation.models import Annotator, Assignment, Campaign, CampaignItem, Participation
from core.fields import SentenceField
from core.text import Text

MOMENTS = {"consented_at", "guidelines_read_at", "trained_at", "qualified_at", "opened_at"}
DOCUMENTS = {"labels", "quality_rules", "member_of"}
SENTENCES = {"reason"}


SENTENCE = SentenceField()


class _Columns:
    """Some columns of a table, and how a row of them becomes an instance; what is not named is fetched when asked."""

    def __init__(self, model: type[Model], *names: str) -> None:
        self.model = model
        # In the order of the model, as `from_db` wants them.
        self.names = [field.attname for field in model._meta.concrete_fields if field.attname in names]
        if len(self.names) != len(names):
            raise ValueError(f"{model.__name__} has not all of {', '.join(names)}")
        self.moments = [place for place, name in enumerate(self.names) if name in MOMENTS]
        self.documents = [place for place, name in enumerate(self.names) if name in DOCUMENTS]
        self.sentences = [place for place, name in enumerate(self.names) if name in SENTENCES]

    def __len__(self) -> int:
        return len(self.names)

    def of(self, alias: str) -> str:
        return ", ".join(f'{alias}."{name}"' for name in self.names)

    def instance(self, row: Sequence[Any]) -> Any:
        values = list(row)
        for place in self.moments:
            if values[place] is not None and values[place].tzinfo is None:  # SQLite keeps UTC without saying so
                values[place] = values[place].replace(tzinfo=UTC)
        for place in self.documents:
            values[place] = json.loads(values[place])
        for place in self.sentences:
            values[place] = SENTENCE.from_db_value(values[place], None, connection)
        return self.model.from_db(connection.alias, self.names, values)


PERSON = _Columns(
    Participation,
    "id", "campaign_id", "annotator_id", "state", "reason", "skips", "skips_in_a_row", "too_fast_in_a_row",
    "failed_checks", "warnings", "scanned_to", "last_template", "since_check", "consented_at", "guidelines_read_at",
    "trained_at", "qualified_at", "demographics_given", "session_digest",
)  # fmt: skip
CAMPAIGN = _Columns(
    Campaign,
    "id", "key", "state", "mode", "question", "batch_size", "lease_minutes", "per_annotator", "check_every",
    "group_members_first", "asks_demographics", "suite_id", "language_id", "raters", "opened_at", "labels",
    "quality_rules",
)  # fmt: skip
ANNOTATOR = _Columns(Annotator, "id", "pseudonym", "user_id", "daily_limit", "member_of")
SLOT = _Columns(Assignment, "id", "key", "campaign_id", "item_id", "annotator_id", "state", "order")
ITEM = _Columns(CampaignItem, "id", "campaign_id", "role", "expected")


_PARTICIPATION = f"""
    SELECT {PERSON.of("p")}, {CAMPAIGN.of("c")}, {ANNOTATOR.of("r")}
    FROM annotation_participation p
    JOIN annotation_campaign c ON c.id = p.campaign_id
    JOIN annotation_annotator r ON r.id = p.annotator_id
    WHERE {{where}}"""
WHOSE = {
    "pk": "p.id = %s",
    "campaign__key": "c.key = %s",
    "annotator": "p.annotator_id = %s",
    "annotator__user": "r.user_id = %s",
}


def lock_participation(whose: Mapping[str, Any]) -> Participation | None:
    """Somebody's part in a campaign with what an exchange needs to know of it; held until the transaction ends."""
    sql = _PARTICIPATION.format(where=" AND ".join(WHOSE[name] for name in whose))
    if connection.vendor == "postgresql":
        # The campaign, too: whoever closes it waits for labels on their way, and counts none that come afterwards.
        sql += " FOR UPDATE OF p FOR SHARE OF c"
    with connection.cursor() as cursor:
        cursor.execute(sql, list(whose.values()))
        row = cursor.fetchone()
    if row is None:
        return None
    second, third = len(PERSON), len(PERSON) + len(CAMPAIGN)
    person: Participation = PERSON.instance(row[:second])
    person.campaign = CAMPAIGN.instance(row[second:third])
    person.annotator = ANNOTATOR.instance(row[third:])
    return person


def slots_with_keys(campaign_id: int, keys: Collection[str]) -> list[tuple[Assignment, int]]:
    """The slots behind keys, each with the newest revision of its label (0 for none)."""
    sql = f"""
        SELECT {SLOT.of("a")}, {ITEM.of("i")},
            (SELECT max(n.revision) FROM annotation_annotation n WHERE n.assignment_id = a.id)
        FROM annotation_assignment a JOIN annotation_campaignitem i ON i.id = a.item_id
        WHERE a.campaign_id = %s AND a.key IN ({_marks(keys)})"""
    found = []
    for row in _rows(sql, [campaign_id, *keys]):
        slot: Assignment = SLOT.instance(row[: len(SLOT)])
        slot.item = ITEM.instance(row[len(SLOT) : -1])
        found.append((slot, row[-1] or 0))
    return found


def known_client_ids(annotator_id: int, client_ids: Collection[str]) -> set[str]:
    """Which of these answers were sent before."""
    sql = f"""
        SELECT client_id FROM annotation_annotation WHERE annotator_id = %s AND client_id IN ({_marks(client_ids)})"""
    return {client_id for (client_id,) in _rows(sql, [annotator_id, *client_ids])}


def finish_slot(slot_id: int, annotator_id: int, *, label: str | None, now: datetime) -> bool:
    """Compare-and-set: between reading and writing the lease may have ended and the slot be somebody else's."""
    sql = """
        UPDATE annotation_assignment SET state = 'done', label = %s, done_at = %s, lease_until = NULL
        WHERE id = %s AND annotator_id = %s"""
    with connection.cursor() as cursor:
        cursor.execute(sql, [label, _moment(now), slot_id, annotator_id])
        return bool(cursor.rowcount)


def add_annotation(values: Mapping[str, Any]) -> None:
    """One row of the labels as they were given."""
    sql = f"INSERT INTO annotation_annotation ({', '.join(values)}) VALUES ({_marks(values)})"
    with connection.cursor() as cursor:
        cursor.execute(sql, [_moment(value) if isinstance(value, datetime) else value for value in values.values()])


class Held(NamedTuple):
    """A slot somebody is to label next."""

    id: int
    key: str
    order: int
    ends_soon: bool = False


def held_slots(
    participation: Participation, *, state: str, renew_before: datetime, at_most: int | None = None
) -> list[Held]:
    """What somebody holds, in the order in which they see it."""
    sql = """
        SELECT id, key, "order", coalesce(lease_until < %s, TRUE) FROM annotation_assignment
        WHERE campaign_id = %s AND annotator_id = %s AND state = %s ORDER BY "order", id """
    values: list[Any] = [_moment(renew_before), participation.campaign_id, participation.annotator_id, state]
    if at_most is not None:
        sql, values = f"{sql} LIMIT %s", [*values, at_most]
    return [Held(*row) for row in _rows(sql, values)]


def texts_of(slot_ids: Sequence[int]) -> list[tuple[str, str, str, str, str]]:
    """What is shown of slots, in their order: key, text, language, direction, what the functionality says.

    A check without a case has a language of its own; where none is stored it speaks the campaign's.
    """
    if not slot_ids:
        return []
    sql = f"""
        SELECT a.id, a.key, coalesce(nullif(i.text, ''), t.text, ''), coalesce(l.bcp47, ''),
            coalesce(l.direction, 'auto'), coalesce(f.definition, '')
        FROM annotation_assignment a
        JOIN annotation_campaignitem i ON i.id = a.item_id
        JOIN annotation_campaign c ON c.id = a.campaign_id
        LEFT JOIN curation_testcase t ON t.id = i.case_id
        LEFT JOIN curation_functionality f ON f.id = t.functionality_id
        LEFT JOIN curation_language l
            ON l.id = CASE WHEN i.text <> '' OR t.id IS NULL THEN coalesce(i.language_id, c.language_id)
                ELSE t.language_id END
        WHERE a.id IN ({_marks(slot_ids)})"""
    shown = {pk: (key, text, tag, direction, says) for pk, key, text, tag, direction, says in _rows(sql, slot_ids)}
    return [shown[pk] for pk in slot_ids]


def ended_leases(campaign_id: int, *, now: datetime, at_most: int) -> list[tuple[int, str, int]]:
    """Slots whose lease has ended: id, role of the item, who held it. On PostgreSQL those nobody else looks at."""
    sql = """
        SELECT a.id, i.role, a.annotator_id
        FROM annotation_assignment a JOIN annotation_campaignitem i ON i.id = a.item_id
        WHERE a.campaign_id = %s AND a.state = 'claimed' AND a.lease_until < %s LIMIT %s"""
    return [
        (pk, role, holder) for pk, role, holder in _rows(sql + _skip_locked(), [campaign_id, _moment(now), at_most])
    ]


class Candidate(NamedTuple):
    """An open slot somebody may take."""

    id: int
    item_id: int
    order: int
    template_id: int | None
    key: str


_NOT_MINE = """
        AND NOT EXISTS (SELECT 1 FROM annotation_assignment m WHERE m.item_id = a.item_id AND m.annotator_id = %s)"""
_NOT_WRITTEN = """
        AND (t.author_id IS NULL OR t.author_id <> %s)
        AND NOT EXISTS (
            SELECT 1 FROM curation_templatevariant w JOIN curation_templateversion v ON v.id = w.version_id
            WHERE w.id = t.variant_id AND v.author_id = %s)"""
_NOT_SKIPPED = """
        AND a.item_id NOT IN (
            SELECT s.item_id FROM annotation_annotation n JOIN annotation_assignment s ON s.id = n.assignment_id
            WHERE n.annotator_id = %s AND n.kind = 'skip' AND s.campaign_id = a.campaign_id)"""
_FOR_MEMBERS = """
        AND i.is_reserved AND EXISTS (
            SELECT 1 FROM curation_targetgroup_groups m JOIN curation_protectedgroup g ON g.id = m.protectedgroup_id
            WHERE m.targetgroup_id = t.target_id AND g.key IN ({marks}))"""


def open_slots(
    participation: Participation,
    number: int,
    *,
    after: int = 0,
    without: Collection[int] = (),
    for_members: bool = False,
    locking: bool = False,
) -> list[Candidate]:
    """The first open slots from a place on that somebody may take: not of a case they have, wrote or skipped."""
    annotator = participation.annotator
    sql = """
        SELECT a.id, a.item_id, a."order", t.template_id, a.key
        FROM annotation_assignment a
        JOIN annotation_campaignitem i ON i.id = a.item_id
        LEFT JOIN curation_testcase t ON t.id = i.case_id
        WHERE a.campaign_id = %s AND a.state = 'open' AND a.annotator_id IS NULL AND a."order" > %s"""
    sql, values = sql + _NOT_MINE, [participation.campaign_id, after, annotator.pk]
    if annotator.user_id is not None:
        sql, values = sql + _NOT_WRITTEN, [*values, annotator.user_id, annotator.user_id]
    if participation.skips:
        sql, values = sql + _NOT_SKIPPED, [*values, annotator.pk]
    if for_members:
        sql, values = sql + _FOR_MEMBERS.format(marks=_marks(annotator.member_of)), [*values, *annotator.member_of]
    if without:
        sql, values = f"{sql} AND a.id NOT IN ({_marks(without)})", [*values, *without]
    sql = f'{sql} ORDER BY a."order" LIMIT %s'
    return [Candidate(*row) for row in _rows(sql + (_skip_locked() if locking else ""), [*values, number])]


def next_check(participation: Participation) -> int | None:
    """The first check of the campaign that somebody has not met yet."""
    sql = """
        SELECT i.id FROM annotation_campaignitem i
        WHERE i.campaign_id = %s AND i.role = 'check' AND NOT EXISTS (
            SELECT 1 FROM annotation_assignment m WHERE m.item_id = i.id AND m.annotator_id = %s)
        ORDER BY i.position, i.id LIMIT 1"""
    rows = _rows(sql, [participation.campaign_id, participation.annotator_id])
    return rows[0][0] if rows else None


def claim_open(slot_ids: Sequence[int], annotator_id: int, *, lease_until: datetime, after: int) -> None:
    """Lease open slots to somebody; while they are held, `order` is the place on the holder's screen."""
    sql = """
        UPDATE annotation_assignment SET state = 'claimed', annotator_id = %s, lease_until = %s, "order" = %s
        WHERE id = %s"""
    moment = _moment(lease_until)
    rows = [(annotator_id, moment, place, slot_id) for place, slot_id in enumerate(slot_ids, after + 1)]
    with connection.cursor() as cursor:
        cursor.executemany(sql, rows)


def hand_over_slots(moves: Sequence[tuple[int, int, str, int, int]]) -> None:
    """Give slots that are not done to somebody else: (to whom, order, new key, item, from whom). Many at once."""
    sql = """
        UPDATE annotation_assignment SET annotator_id = %s, "order" = %s, key = %s, state = 'open', lease_until = NULL
        WHERE item_id = %s AND annotator_id = %s AND state <> 'done'"""
    with connection.cursor() as cursor:
        cursor.executemany(sql, moves)


def save_participation(participation_id: int, changed: Mapping[str, Any]) -> None:
    """Write the counters that changed, and why an annotator was paused."""
    values = [SENTENCE.get_prep_value(value) if isinstance(value, Text) else value for value in changed.values()]
    sql = f"UPDATE annotation_participation SET {', '.join(f'{name} = %s' for name in changed)} WHERE id = %s"
    with connection.cursor() as cursor:
        cursor.execute(sql, [*values, participation_id])


def count_done(participation: Participation) -> int:
    """How many cases somebody has labelled in the campaign."""
    sql = """
        SELECT count(*) FROM annotation_assignment WHERE campaign_id = %s AND annotator_id = %s AND state = 'done'"""
    return int(_rows(sql, [participation.campaign_id, participation.annotator_id])[0][0])


def count_labelled_since(annotator_id: int, since: datetime) -> int:
    """How many texts somebody has labelled since then, in whatever campaign."""
    sql = """
        SELECT count(DISTINCT n.assignment_id)
        FROM annotation_annotation n JOIN annotation_assignment a ON a.id = n.assignment_id
        WHERE n.annotator_id = %s AND n.created_at >= %s AND n.kind = 'label' AND a.state = 'done'"""
    return int(_rows(sql, [annotator_id, _moment(since)])[0][0])


def _rows(sql: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


def _marks(values: Collection[Any]) -> str:
    return ", ".join(["%s"] * len(values))


def _skip_locked() -> str:
    return " FOR UPDATE OF a SKIP LOCKED" if connection.vendor == "postgresql" else ""


def _moment(value: datetime) -> Any:
    return connection.ops.adapt_datetimefield_value(value)
