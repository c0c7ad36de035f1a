"""Read the ways in which tools write a moment."""

import re
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
# As Mechanical Turk writes it, whatever the language of the machine: Thu Nov 19 08:30:00 PST 2026.
SPOKEN = re.compile(r"[A-Z][a-z]{2} ([A-Z][a-z]{2}) (\d{1,2}) (\d\d):(\d\d):(\d\d) ([A-Z]{3,4}) (\d{4})")
HOURS = {"UTC": 0, "GMT": 0, "PST": -8, "PDT": -7, "MST": -7, "MDT": -6, "CST": -6, "CDT": -5, "EST": -5, "EDT": -4}
MILLISECONDS_FROM = 1e11  # a moment in seconds with so many digits is five thousand years away


def read_time(value: Any) -> datetime | None:
    """Return a moment from ISO text, seconds since 1970 or Mechanical Turk's words; None for nothing.

    Text without a zone is UTC. Raises ValueError for anything else.
    """
    if value is None or value == "":
        return None
    if isinstance(value, bool):
        raise ValueError(value)
    if isinstance(value, int | float):
        return _from_seconds(value)
    text = str(value).strip()
    if found := SPOKEN.fullmatch(text):
        month, day, hour, minute, second, zone, year = found.groups()
        if month not in MONTHS or zone not in HOURS:
            raise ValueError(text)
        there = timezone(timedelta(hours=HOURS[zone]))
        return datetime(
            int(year), MONTHS.index(month) + 1, int(day), int(hour), int(minute), int(second), tzinfo=there
        )  # fmt: skip
    if re.fullmatch(r"\d{9,13}(\.\d+)?", text):
        return _from_seconds(float(text))
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _from_seconds(value: float) -> datetime:
    try:
        return datetime.fromtimestamp(value / 1000 if value > MILLISECONDS_FROM else value, tz=UTC)
    except (OverflowError, OSError) as error:
        raise ValueError(value) from error
