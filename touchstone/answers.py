"""Answers that a model has given, kept by its fingerprint and the text: what was asked once is not asked again."""

import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path

from core.batches import in_batches
from evaluation.runners import Answer, text_hash
from touchstone.errors import Refused

TABLE = "CREATE TABLE IF NOT EXISTS answers (text TEXT PRIMARY KEY, label TEXT, score REAL, refusal INTEGER, raw TEXT)"
AT_ONCE = 500  # SQLite takes a limited number of values in one question
LONGEST_RAW = 2000  # characters, as on the server


class AnswerStore:
    """The answers of one model, in a file of its own. Only hashes of texts are kept, never a text.

    Answers that could not be used are not kept: the model is asked again next time.
    """

    def __init__(self, folder: Path, fingerprint: str) -> None:
        self.path = folder / f"{fingerprint[:40]}.sqlite3"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._database = sqlite3.connect(self.path, timeout=30)
            self._database.execute(TABLE)
        except (OSError, sqlite3.Error) as error:
            raise Refused(f"Answers cannot be kept in {folder} ({error}). Name another folder with --cache.") from error

    def find(self, texts: Iterable[str]) -> dict[str, Answer]:
        """Return what is known, by text."""
        by_hash = {text_hash(text): text for text in texts}
        found = {}
        for some in in_batches(list(by_hash), AT_ONCE):
            marks = ",".join("?" * len(some))
            question = f"SELECT text, label, score, refusal, raw FROM answers WHERE text IN ({marks})"  # noqa: S608
            with closing(self._database.execute(question, some)) as rows:
                for key, label, score, refusal, raw in rows:
                    found[by_hash[key]] = Answer(label=label, score=score, refusal=bool(refusal), raw=raw)
        return found

    def keep(self, answers: Mapping[str, Answer]) -> None:
        """Store answers, by text."""
        rows = [
            (text_hash(text), answer.label, answer.score, int(answer.refusal), answer.raw[:LONGEST_RAW])
            for text, answer in answers.items()
            if not answer.error
        ]
        with self._database:
            self._database.executemany("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?)", rows)

    def close(self) -> None:
        self._database.close()
