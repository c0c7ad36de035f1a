"""Predictions somebody computed elsewhere: read, checked against the release, and kept as answers."""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.inference.errors import ConfigurationError, InferenceError
from core.tables.problems import Problem
from core.text import _
from evaluation.runners.answers import Answer, Progress, ShouldStop
from evaluation.runners.contradictions import contradictions
from evaluation.runners.environment import digest, record
from evaluation.runners.harness_logs.answers import add_log
from evaluation.runners.harness_logs.reading import read_harness_log
from evaluation.runners.kinds import RunnerKind
from evaluation.runners.labels import either, refuse_threshold
from evaluation.runners.prediction_files import choose_columns, read_rows
from evaluation.runners.prediction_findings import Findings
from evaluation.runners.prediction_words import meaning_of
from evaluation.runners.settings import RunnerSettings


@dataclass(frozen=True, slots=True)
class UploadedPredictions:
    """Checked predictions. `missing` are cases of the release without one; `problems` then holds only warnings.

    `reading` says how the file was read: its columns, the label map, the threshold.
    """

    model: str
    answers: dict[str, Answer]
    missing: tuple[str, ...]
    problems: tuple[Problem, ...]
    file_hash: str
    reading: dict[str, Any]


def read_predictions(
    path: Path,
    *,
    known: Collection[str],
    settings: RunnerSettings,
    model: str | None = None,
    column: str | None = None,
    label_map: Mapping[str, str] | None = None,
    threshold: float | None = None,
    allow_missing: bool = False,
    left_out: Collection[str] = (),
) -> UploadedPredictions:
    """The predictions of one model for the cases of a release.

    Labels come in many spellings (see `meaning_of`); numbers are cut at a threshold. Refuses unknown and doubled ids,
    unknown labels and scores that are not numbers, each with its row; and missing cases unless `allow_missing`, which
    turns them into a warning. Cases in `left_out` (of the suite, not of the release) are only mentioned.
    Logs of harnesses are told by their content.
    """
    _check_map(path, label_map, settings)
    refuse_threshold(threshold, settings=settings)
    found = Findings(path.name, settings, known=set(known), left_out=set(left_out))
    if log := read_harness_log(path, column=column):
        warnings, reading = add_log(found, path, log, settings=settings, label_map=label_map, threshold=threshold)
        usual_name = log.harness
    else:
        warnings, reading = _add_table(found, path, settings, model, column, label_map, threshold)
        usual_name = str(reading["column"])
    missing = tuple(case for case in known if case not in found.rows)
    problems = found.problems(missing, allow_missing=allow_missing)
    if reading["threshold"] is None:  # else the labels follow from the scores
        problems += contradictions(path.name, found.rows, found.answers, settings)
    if any(problem.severity == "error" for problem in problems):
        raise ConfigurationError(problems)
    return UploadedPredictions(
        model=model or usual_name,
        answers=found.answers,
        missing=missing,
        problems=(*warnings, *problems),
        file_hash=hashlib.sha256(path.read_bytes()).hexdigest(),
        reading=reading,
    )


def _add_table(
    found: Findings,
    path: Path,
    settings: RunnerSettings,
    model: str | None,
    column: str | None,
    label_map: Mapping[str, str] | None,
    threshold: float | None,
) -> tuple[list[Problem], dict[str, Any]]:
    """Take the rows of a table; return what was noted, and how it was read."""
    columns, rows, warnings = read_rows(path)
    chosen = choose_columns(path, columns, model=model, column=column)
    label = chosen.score if threshold is not None and column is None and chosen.score else chosen.label
    score = chosen.score if chosen.score != label else None
    cells = {row[label] for number, row in rows}
    meaning = meaning_of(cells - {""}, settings=settings, label_map=label_map, threshold=threshold)
    found.identifier, found.label_column = chosen.identifier, label
    for number, row in rows:
        beside = found.score(number, row[score]) if score and meaning.threshold is None else None
        found.add(number, row[chosen.identifier], row[label], beside, meaning)
    notes = [Problem(path.name, None, label, *note, "warning") for note in meaning.notes]
    reading = {"column": label, "label_map": dict(label_map or {}), "threshold": meaning.threshold}
    return [*warnings, *notes], reading


def _check_map(path: Path, label_map: Mapping[str, str] | None, settings: RunnerSettings) -> None:
    for word, label in (label_map or {}).items():
        if label not in settings.labels:
            problem = _("the label map says that '%(word)s' means '%(label)s'", word=word, label=label)
            fix = _("Use %(labels)s.", labels=either(settings.labels))
            raise ConfigurationError([Problem(path.name, None, None, problem, fix)])


class UploadRunner(RunnerKind):
    """Stands for a model nobody here can run; its predictions only ever come from files."""

    kind = "upload"
    syntax = "upload"
    source = "none"
    options = frozenset()

    def __init__(self, name: str = "", *, settings: RunnerSettings) -> None:
        self._name, self._settings = name, settings

    def predict(
        self, texts: Sequence[str], *, progress: Progress | None = None, should_stop: ShouldStop | None = None
    ) -> list[Answer]:
        """Always refuses: there is no model behind it."""
        raise InferenceError(
            _("this model's predictions are uploaded. Import a file of predictions instead of running it.")
        )

    @property
    def fingerprint(self) -> str:
        return digest(["upload", self._name, self._settings.labels])

    def describe(self) -> dict[str, object]:
        """What is known of a model that is not here: nothing but its name."""
        return record(self._settings, kind="upload", fingerprint=self.fingerprint, model=self._name, device="unknown")
