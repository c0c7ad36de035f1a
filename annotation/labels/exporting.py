"""Everything people said, under pseudonyms: every label with its revisions, comments and times, as CSV or JSONL."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from django.db.models import Exists, OuterRef

from annotation.campaigns.models import Role
from annotation.labelling.models import Kind
from annotation.models import Annotation, Campaign
from core.batches import in_batches
from core.tables.cells import defuse
from core.tables.writing import csv_stream

COLUMNS = (
    "campaign", "case_id", "language", "functionality", "label_gold", "role", "slot", "annotator", "revision", "kind",
    "label", "comment", "is_unrealistic", "unrealistic_because", "milliseconds", "time", "counts",
)  # fmt: skip
TYPED = ("comment", "unrealistic_because")
TEXTS = ("case_id", "language", "functionality", "label_gold")
FIELDS = (
    "assignment__campaign__key", "assignment__item__case__key", "assignment__item__case__language__code",
    "assignment__item__case__functionality__key", "assignment__item__case__gold_label",
    "assignment__item__role", "assignment__slot", "annotator__pseudonym", "revision", "kind", "label", "comment",
    "is_unrealistic", "unrealistic_because", "milliseconds", "created_at",
)  # fmt: skip


def label_records(campaigns: Sequence[Campaign]) -> Iterator[dict[str, Any]]:
    """One record per thing somebody did, streamed. `counts` says whether it is the label that counts now.

    People appear under their pseudonym only; accounts, platform ids and demographics are not in it. Labels whose source
    does not say who gave them have no annotator.
    """
    later = Annotation.objects.filter(assignment=OuterRef("assignment"), revision__gt=OuterRef("revision"))
    rows = (
        Annotation.objects.filter(assignment__campaign__in=[campaign.pk for campaign in campaigns])
        .annotate(is_last=~Exists(later))
        .order_by("assignment__campaign", "assignment__item__position", "assignment__slot", "revision")
        .values_list(*FIELDS, "annotator__is_identified", "is_last")
    )
    for *values, is_identified, is_last in rows.iterator(chunk_size=5000):
        record = dict(zip(COLUMNS[:-1], values, strict=True))
        if not is_identified:
            record["annotator"] = ""
        record["time"] = record["time"].isoformat()
        record["counts"] = is_last and record["kind"] == Kind.LABEL and record["role"] == Role.LABEL
        yield {name: "" if value is None and name in TEXTS else value for name, value in record.items()}


def labels_as_csv(campaigns: Sequence[Campaign]) -> Iterator[bytes]:
    """A CSV file, a batch at a time; comments that a spreadsheet would run are defused, importing restores them."""
    rows = (tuple(_cell(name, record[name]) for name in COLUMNS) for record in label_records(campaigns))
    yield from csv_stream(COLUMNS, rows)


def labels_as_jsonl(campaigns: Sequence[Campaign]) -> Iterator[bytes]:
    """One JSON object per line, a batch at a time."""
    lines = (json.dumps(record, ensure_ascii=False) + "\n" for record in label_records(campaigns))
    for batch in in_batches(lines):
        yield "".join(batch).encode()


def _cell(name: str, value: Any) -> str:
    """What somebody from a crowd typed must not run as a formula in the spreadsheet of whoever opens the file."""
    text = "" if value is None else str(value)
    return defuse(text) if name in TYPED else text
