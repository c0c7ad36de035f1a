"""Predictions somebody computed elsewhere: read, checked against the release, and kept as answers."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curation.formats.values import Problem
from evaluation.runners.answers import Answer, Progress, ShouldStop
from evaluation.runners.environment import digest, record
from evaluation.runners.errors import ConfigurationError, RunnerError
from evaluation.runners.prediction_files import choose_columns, read_rows
from evaluation.runners.settings import RunnerSettings

SHOWN = 10


@dataclass(frozen=True, slots=True)
class UploadedPredictions:
    """Checked predictions. `missing` are cases of the release without one; `problems` then holds only warnings."""

    model: str
    answers: dict[str, Answer]
    missing: tuple[str, ...]
    problems: tuple[Problem, ...]
    file_hash: str


def read_predictions(
    path: Path,
    *,
    known: Collection[str],
    settings: RunnerSettings,
    model: str | None = None,
    label_map: Mapping[str, str] | None = None,
    allow_missing: bool = False,
) -> UploadedPredictions:
    """The predictions of one model for the cases of a release.

    Refuses unknown and doubled ids, unknown labels and scores that are not numbers, each with its row; and missing
    cases unless `allow_missing`, which turns them into a warning.
    """
    columns, rows = read_rows(path)
    identifier, label_column, score_column = choose_columns(path, columns, model=model)
    table = {label.lower(): label for label in settings.labels}
    table |= {str(word).strip().lower(): label for word, label in (label_map or {}).items()}
    found = _Findings(path.name, settings, known=set(known), label_column=label_column)
    for number, row in rows:
        score = found.score(number, score_column, row.get(score_column)) if score_column else None
        found.add(number, str(row.get(identifier, "")).strip(), row.get(label_column), score, table)
    missing = tuple(case for case in known if case not in found.rows)
    problems = found.problems(identifier, missing, allow_missing=allow_missing)
    if any(problem.severity == "error" for problem in problems):
        raise ConfigurationError(problems)
    return UploadedPredictions(
        model=model or label_column,
        answers=found.answers,
        missing=missing,
        problems=tuple(problems),
        file_hash=hashlib.sha256(path.read_bytes()).hexdigest(),
    )


class _Findings:
    """Answers and what is wrong, gathered row by row and told in a few sentences instead of thousands."""

    def __init__(self, file: str, settings: RunnerSettings, *, known: set[str], label_column: str) -> None:
        self.file, self._settings, self._known, self._label_column = file, settings, known, label_column
        self.answers: dict[str, Answer] = {}
        self.rows: dict[str, int] = {}
        self._unknown: list[tuple[int, str]] = []
        self._twice: list[tuple[int, str]] = []
        self._labels: dict[str, list[int]] = {}
        self._scores: list[tuple[int, str]] = []

    def add(self, number: int, case: str, value: Any, score: float | None, table: Mapping[str, str]) -> None:
        if case not in self._known:
            self._unknown.append((number, case))
            return
        if case in self.rows:
            self._twice.append((number, case))
            return
        self.rows[case] = number
        label = table.get(str(value).strip().lower())
        if label is None:
            self._labels.setdefault(str(value), []).append(number)
            return
        self.answers[case] = Answer(label=label, score=score, raw=str(value))

    def score(self, number: int, column: str, value: Any) -> float | None:
        if value is None or value == "":
            return None
        try:
            score = float(value)
        except (TypeError, ValueError):
            score = float("nan")
        if not 0 <= score <= 1:
            self._scores.append((number, str(value)))
            return None
        return score

    def problems(self, identifier: str, missing: Sequence[str], *, allow_missing: bool) -> list[Problem]:
        labels = " or ".join(self._settings.labels)
        told = []
        if self._unknown:
            told.append(self._tell(self._unknown, identifier, "unknown case ids", "Use the ids of this release."))
        if self._twice:
            told.append(self._tell(self._twice, identifier, "case ids given before", "Keep one row per case."))
        for value, numbers in self._labels.items():
            rows = ", ".join(map(str, numbers[:SHOWN]))
            problem = f"'{value}' is not a label here ({len(numbers)} rows: {rows}{', ...' * (len(numbers) > SHOWN)})"
            told.append(
                Problem(self.file, numbers[0], self._label_column, problem, f"Write {labels}, or give a label map.")
            )
        if self._scores:
            told.append(self._tell(self._scores, "score", "scores that are not from 0 to 1", "Leave them empty."))
        if missing:
            shown = ", ".join(missing[:SHOWN]) + ", ..." * (len(missing) > SHOWN)
            fix = "They count as unanswered." if allow_missing else "Add them, or allow a partial upload."
            severity = "warning" if allow_missing else "error"
            problem = f"{len(missing)} cases of the release have no prediction: {shown}"
            told.append(Problem(self.file, None, identifier, problem, fix, severity))  # type: ignore[arg-type]
        return told

    def _tell(self, found: Sequence[tuple[int, str]], column: str, what: str, fix: str) -> Problem:
        shown = ", ".join(f"{value} (row {number})" for number, value in found[:SHOWN])
        return Problem(
            self.file, found[0][0], column, f"{len(found)} {what}: {shown}{', ...' * (len(found) > SHOWN)}", fix
        )


class UploadRunner:
    """Stands for a model nobody here can run; its predictions only ever come from files."""

    def __init__(self, name: str = "", *, settings: RunnerSettings) -> None:
        self._name, self._settings = name, settings

    def predict(
        self, texts: Sequence[str], *, progress: Progress | None = None, should_stop: ShouldStop | None = None
    ) -> list[Answer]:
        """Always refuses: there is no model behind it."""
        raise RunnerError("this model's predictions are uploaded. Import a file of predictions instead of running it.")

    @property
    def fingerprint(self) -> str:
        return digest(["upload", self._name, self._settings.labels])

    def describe(self) -> dict[str, object]:
        """What is known of a model that is not here: nothing but its name."""
        return record(self._settings, kind="upload", fingerprint=self.fingerprint, model=self._name, device="unknown")
