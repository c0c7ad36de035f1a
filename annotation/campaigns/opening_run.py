"""One run of opening a campaign: rows are written in short transactions, and only the newest run may write.

SQLite has one writer at a time. In one transaction, 36,582 cases with five slots each kept every annotator of every
other campaign waiting for five seconds (`benchmarks/opening.py`). In between, the campaign is 'opening', and nothing
is handed out.
"""

import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from django.db import connection, models, transaction

from annotation.campaigns.models import CampaignState
from annotation.models import Campaign
from core.batches import in_batches
from core.bulk import insert_rows, write_lock
from core.errors import ChangedMeanwhile

# Rows per transaction: 20 to 60 ms on SQLite.
CHUNK = 2_000

Report = Callable[[int, int, str], None]


class OpeningRun:
    """Writes the rows of a campaign that is being opened.

    Making one takes the work over: a run that was thought dead and wakes up finds that it may no longer write.
    """

    def __init__(self, campaign: Campaign, report: Report | None = None) -> None:
        self.campaign = campaign
        self._key = secrets.token_urlsafe(9)
        self._report = report
        if not Campaign.objects.filter(pk=campaign.pk, state=CampaignState.OPENING).update(opening_run=self._key):
            raise ChangedMeanwhile(campaign)
        campaign.refresh_from_db(fields=["state", "cases_fixed"])

    def hold(self, **facts: Any) -> None:
        """Make sure that this run still opens the campaign, until the transaction ends. Refuses if it does not."""
        mine = Campaign.objects.filter(pk=self.campaign.pk, state=CampaignState.OPENING, opening_run=self._key)
        if not mine.update(**(facts or {"opening_run": self._key})):
            raise ChangedMeanwhile(self.campaign)
        for name, value in facts.items():
            setattr(self.campaign, name, value)

    def write(
        self,
        model: type[models.Model],
        fields: Sequence[str],
        rows: Iterator[Any],
        *,
        finish: Callable[[list[Any]], Sequence[Sequence[Any]]],
        total: int,
        done: int = 0,
        message: str = "",
    ) -> int:
        """Insert rows chunk by chunk and return how many there are in all, with those `done` before.

        `finish` makes the values of a chunk from its rows. Raises whatever the report raises, between two chunks.
        """
        for chunk in in_batches(rows, CHUNK):
            values = finish(chunk)  # before the transaction, which is to be short
            with short_transaction():
                self.hold()
                insert_rows(model, fields, values)
            done += len(chunk)
            if self._report is not None:
                self._report(done, total, message)
        return done

    def clear(self, rows: models.QuerySet[Any]) -> None:
        """Delete rows that this campaign should not have, chunk by chunk."""
        delete_in_chunks(rows, hold=self.hold)


def delete_in_chunks(rows: models.QuerySet[Any], *, hold: Callable[[], None] | None = None) -> None:
    """Delete rows that nothing refers to, in short transactions."""
    while ids := list(rows.order_by("pk").values_list("pk", flat=True)[:CHUNK]):
        with short_transaction():
            if hold is not None:
                hold()
            rows.filter(pk__lte=ids[-1])._raw_delete(connection.alias)


@contextmanager
def short_transaction() -> Iterator[None]:
    """Commit what is written inside, then leave room for others.

    Writers of other processes that wait for SQLite's lock look again after pauses of up to a tenth of a second. Without
    a pause here, too, the next chunk would be faster than they are, again and again.
    """
    with write_lock(), transaction.atomic():
        began = time.monotonic()  # with SQLite's lock in hand: waiting for it did not delay others
        yield
    if connection.vendor == "sqlite" and not connection.in_atomic_block:
        time.sleep(time.monotonic() - began)
