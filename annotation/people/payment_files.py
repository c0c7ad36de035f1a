"""The list of payments as a table."""

from collections.abc import Iterator
from dataclasses import asdict, fields

from accounts.models import User
from annotation.models import Campaign
from annotation.people.crowd import Payment, payments
from annotation.people.options import PaymentOptions
from core.tables.cells import as_text

WITHOUT_NAMES = tuple(field.name for field in fields(Payment) if field.name not in ("name", "email"))
WITH_NAMES = ("name", "email", *(name for name in WITHOUT_NAMES if name != "annotator"))


def payment_table(
    campaign: Campaign, options: PaymentOptions, *, by: User | None
) -> tuple[tuple[str, ...], Iterator[list[str]]]:
    """Return the columns and the rows. Refuses people who do not manage."""
    columns = WITH_NAMES if options.with_names else WITHOUT_NAMES
    rows = [asdict(row) for row in payments(campaign, by=by, with_names=options.with_names)]
    return columns, ([as_text(row[name]) for name in columns] for row in rows)
