"""Everything people said, under pseudonyms: every label with its revisions, comments and times, as CSV or JSONL."""

import json
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef

from annotation.campaigns.models import Role
from annotation.labelling.models import Kind
from annotation.labels.options import LabelExportOptions
from annotation.models import Annotation, Campaign
from core.batches import in_batches
from core.errors import Missing
from core.tables.cells import defuse
from core.tables.writing import csv_stream
from core.text import _
from curation.models import Suite

COLUMNS = (
    "campaign", "case_id", "language", "functionality", "label_gold", "role", "slot", "annotator", "revision", "kind",
    "label", "comment", "is_unrealistic", "unrealistic_because", "milliseconds", "time", "counts",
)  # fmt: skip
TEXT = "text"  # the last column, where it is asked for
TYPED = ("comment", "unrealistic_because", TEXT)
TEXTS = ("case_id", "language", "functionality", "label_gold", TEXT)
FIELDS = (
    "assignment__campaign__key", "assignment__item__case__key", "assignment__item__case__language__code",
    "assignment__item__case__functionality__key", "assignment__item__case__gold_label",
    "assignment__item__role", "assignment__slot", "annotator__pseudonym", "revision", "kind", "label", "comment",
    "is_unrealistic", "unrealistic_because", "milliseconds", "created_at",
)  # fmt: skip

# The text of a case, otherwise that of a check that is none.
TEXT_FIELDS = ("assignment__item__case__text", "assignment__item__text")


def label_records(campaigns: Sequence[Campaign], *, with_text: bool = False) -> Iterator[dict[str, Any]]:
    """One record per thing somebody did, streamed. `counts` says whether it is the label that counts now.

    People appear under their pseudonym only; accounts, platform ids and demographics are not in it. Labels whose source
    does not say who gave them have no annotator.
    """
    later = Annotation.objects.filter(assignment=OuterRef("assignment"), revision__gt=OuterRef("revision"))
    rows = (
        Annotation.objects.filter(assignment__campaign__in=[campaign.pk for campaign in campaigns])
        .annotate(is_last=~Exists(later))
        .order_by("assignment__campaign", "assignment__item__position", "assignment__slot", "revision")
        .values_list(*FIELDS, "annotator__is_identified", "is_last", *(TEXT_FIELDS if with_text else ()))
    )
    for row in rows.iterator(chunk_size=5000):
        *values, is_identified, is_last = row[: len(FIELDS) + 2]
        record = dict(zip(COLUMNS[:-1], values, strict=True))
        if not is_identified:
            record["annotator"] = ""
        record["time"] = record["time"].isoformat()
        record["counts"] = is_last and record["kind"] == Kind.LABEL and record["role"] == Role.LABEL
        if with_text:
            record[TEXT] = next(filter(None, row[len(FIELDS) + 2 :]), "")
        yield {name: "" if value is None and name in TEXTS else value for name, value in record.items()}


def labels_as_csv(campaigns: Sequence[Campaign], *, with_text: bool = False) -> Iterator[bytes]:
    """A CSV file, a batch at a time; texts that a spreadsheet would run are defused, importing restores comments."""
    columns = (*COLUMNS, TEXT) if with_text else COLUMNS
    records = label_records(campaigns, with_text=with_text)
    yield from csv_stream(columns, (tuple(_cell(name, record[name]) for name in columns) for record in records))


def labels_as_jsonl(campaigns: Sequence[Campaign], *, with_text: bool = False) -> Iterator[bytes]:
    """One JSON object per line, a batch at a time."""
    records = label_records(campaigns, with_text=with_text)
    for batch in in_batches(json.dumps(record, ensure_ascii=False) + "\n" for record in records):
        yield "".join(batch).encode()


class LabelDownload(NamedTuple):
    """A file of labels on its way out."""

    name: str
    content_type: str
    content: Iterator[bytes]


def label_download(suite: Suite, options: LabelExportOptions, *, without: Collection[Campaign] = ()) -> LabelDownload:
    """Return the labels of a suite, or of one of its campaigns. `without` are those the reader must not see.

    Refuses a campaign that the suite does not have.
    """
    campaigns = [one for one in campaigns_to_export(suite, options.campaign) if one not in without]
    content_type, write = WRITERS[options.kind]
    name = f"{options.campaign or suite.key}-labels.{options.kind}"
    return LabelDownload(name, content_type, write(campaigns, with_text=options.with_text))


def campaigns_to_export(suite: Suite, key: str) -> list[Campaign]:
    """Return the campaigns of a suite, or the one of this key. Refuses one that the suite does not have."""
    campaigns = Campaign.objects.filter(suite=suite).order_by("created_at", "id")
    if not key:
        return list(campaigns)
    if not (found := list(campaigns.filter(key=key))):
        known = list(campaigns.values_list("key", flat=True)) or [_("none yet")]
        raise Missing(
            _("'%(suite)s' has no campaign '%(campaign)s'. Known: %(known)s.", suite=suite.key, campaign=key,
              known=known)
        )  # fmt: skip
    return found


WRITERS: dict[str, tuple[str, Callable[..., Iterator[bytes]]]] = {
    "csv": ("text/csv; charset=utf-8", labels_as_csv),
    "jsonl": ("application/jsonl", labels_as_jsonl),
}


def _cell(name: str, value: Any) -> str:
    """What somebody from a crowd typed must not run as a formula in the spreadsheet of whoever opens the file."""
    text = "" if value is None else str(value)
    return defuse(text) if name in TYPED else text
