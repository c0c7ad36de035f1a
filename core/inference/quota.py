"""How many requests a service may get per day, counted over all processes of a machine."""

import fcntl
import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Protocol


class QuotaStore(Protocol):
    """Counts requests per service and day. `take` is true and counts one, or is false and counts nothing."""

    def take(self, service: str, *, limit: int, now: datetime) -> bool: ...


class FolderQuota:
    """One small file per service in a folder, changed under a lock, so that several workers share one count."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def take(self, service: str, *, limit: int, now: datetime) -> bool:
        """Count one request of today (UTC); false when the limit is reached."""
        self._folder.mkdir(parents=True, exist_ok=True)
        today = now.astimezone(UTC).date().isoformat()
        handle = os.open(self._folder / f"{service}.json", os.O_RDWR | os.O_CREAT, 0o600)
        with os.fdopen(handle, "r+", encoding="utf-8") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            try:
                kept = json.loads(file.read() or "{}")
            except ValueError:
                kept = {}
            used = kept.get("used", 0) if kept.get("day") == today else 0
            if used >= limit:
                return False
            file.seek(0)
            file.truncate()
            json.dump({"day": today, "used": used + 1}, file)
        return True


class MemoryQuota:
    """The same for one process; forgets everything when it ends."""

    def __init__(self) -> None:
        self._used: dict[tuple[str, str], int] = {}

    def take(self, service: str, *, limit: int, now: datetime) -> bool:
        """Count one request of today (UTC); false when the limit is reached."""
        key = (service, now.astimezone(UTC).date().isoformat())
        if self._used.get(key, 0) >= limit:
            return False
        self._used[key] = self._used.get(key, 0) + 1
        return True


def seconds_until_tomorrow(now: datetime) -> float:
    """Until midnight UTC, when a day's quota begins anew."""
    utc = now.astimezone(UTC)
    midnight = (utc + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
    return (midnight - utc).total_seconds()
