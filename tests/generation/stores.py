"""Two plain stores: in memory for a trial, and a JSON Lines file that survives a crash."""

import json
import os
from dataclasses import asdict
from pathlib import Path

from core.inference.chat import ChatAnswer
from generation.runs.algorithm.values import Record


class MemoryStore:
    """Keeps records as long as the process lives."""

    def __init__(self) -> None:
        self.records: dict[str, Record] = {}

    def find(self, key: str) -> Record | None:
        return self.records.get(key)

    def keep(self, record: Record) -> None:
        self.records.setdefault(record.key, record)


class JsonLinesStore:
    """Appends each record to a file and has it written to the disk before going on."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._records: dict[str, Record] = {}
        if path.exists():
            self._read()

    def _read(self) -> None:
        content = self.path.read_bytes()
        complete, _, torn = content.rpartition(b"\n")
        if torn:
            # A crash in the middle of a line: that answer is lost, the ones before it are not.
            with self.path.open("r+b") as file:
                file.truncate(len(content) - len(torn))
        for line in complete.splitlines():
            data = json.loads(line)
            record = Record(**{**data, "answer": ChatAnswer(**data["answer"])})
            self._records.setdefault(record.key, record)

    def find(self, key: str) -> Record | None:
        return self._records.get(key)

    def keep(self, record: Record) -> None:
        if record.key in self._records:
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(record), ensure_ascii=False) + "\n")
            file.flush()
            os.fsync(file.fileno())
        self._records[record.key] = record
