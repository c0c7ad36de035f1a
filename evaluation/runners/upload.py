"""Predictions somebody computed elsewhere: read, checked against the release, and kept as answers."""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from pathlib import Path
from typing import Any

from core.inference.errors import ConfigurationError, InferenceError
from core.tables.problems import Problem
from core.text import _, ngettext
from evaluation.runners.answers import Answer, Progress, ShouldStop
from evaluation.runners.contradictions import contradictions
from evaluation.runners.environment import digest, record
from evaluation.runners.kinds import RunnerKind
from evaluation.runners.labels import either, refuse_threshold
from evaluation.runners.prediction_files import choose_columns, read_rows
from evaluation.runners.prediction_words import Meaning, meaning_of, plain
from evaluation.runners.settings import RunnerSettings

SHOWN = 10


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
    """
    _check_map(path, label_map, settings)
    refuse_threshold(threshold, settings=settings)
    columns, rows, warnings = read_rows(path)
    chosen = choose_columns(path, columns, model=model, column=column)
    label = chosen.score if threshold is not None and column is None and chosen.score else chosen.label
    score = chosen.score if chosen.score != label else None
    cells = {row[label] for number, row in rows}
    meaning = meaning_of(cells - {""}, settings=settings, label_map=label_map, threshold=threshold)
    found = _Findings(path.name, settings, known=set(known), left_out=set(left_out), label_column=label)
    for number, row in rows:
        beside = found.score(number, row[score]) if score and meaning.threshold is None else None
        found.add(number, row[chosen.identifier], row[label], beside, meaning)
    missing = tuple(case for case in known if case not in found.rows)
    problems = found.problems(chosen.identifier, missing, allow_missing=allow_missing)
    if meaning.threshold is None:  # else the labels follow from the scores
        problems += contradictions(path.name, found.rows, found.answers, settings)
    if any(problem.severity == "error" for problem in problems):
        raise ConfigurationError(problems)
    notes = [Problem(path.name, None, label, *note, "warning") for note in meaning.notes]
    return UploadedPredictions(
        model=model or label,
        answers=found.answers,
        missing=missing,
        problems=(*warnings, *notes, *problems),
        file_hash=hashlib.sha256(path.read_bytes()).hexdigest(),
        reading={"column": label, "label_map": dict(label_map or {}), "threshold": meaning.threshold},
    )


def _check_map(path: Path, label_map: Mapping[str, str] | None, settings: RunnerSettings) -> None:
    for word, label in (label_map or {}).items():
        if label not in settings.labels:
            problem = _("the label map says that '%(word)s' means '%(label)s'", word=word, label=label)
            fix = _("Use %(labels)s.", labels=either(settings.labels))
            raise ConfigurationError([Problem(path.name, None, None, problem, fix)])


class _Findings:
    """Answers and what is wrong, gathered row by row and told in a few sentences instead of thousands."""

    def __init__(
        self, file: str, settings: RunnerSettings, *, known: set[str], left_out: set[str], label_column: str
    ) -> None:
        self.file, self._settings, self._known, self._label_column = file, settings, known, label_column
        self._left_out = left_out
        self.answers: dict[str, Answer] = {}
        self.rows: dict[str, int] = {}
        self._unknown: list[tuple[int, str]] = []
        self._beyond: list[tuple[int, str]] = []
        self._twice: list[tuple[int, str]] = []
        self._labels: dict[str, list[int]] = {}
        self._scores: list[tuple[int, str]] = []

    def add(self, number: int, given: str, value: str, score: float | None, meaning: Meaning) -> None:
        # A column with an empty cell comes out of pandas as decimal numbers: 17.0 is case 17.
        case = given if given in self._known else given.removesuffix(".0")
        if case not in self._known:
            (self._beyond if case in self._left_out else self._unknown).append((number, given))
            return
        if case in self.rows:
            self._twice.append((number, case))
            return
        if not value:
            return
        self.rows[case] = number
        answer = self._cut(value, meaning.threshold) if meaning.threshold is not None else None
        if answer is None and meaning.threshold is None and (label := meaning.words.get(plain(value))):
            answer = Answer(label=label, score=score, raw=value)
        if answer is None:
            self._labels.setdefault(value, []).append(number)
            return
        self.answers[case] = answer

    def _cut(self, value: str, threshold: float) -> Answer | None:
        try:
            score = float(value)
        except ValueError:
            return None
        if not isfinite(score):
            return None
        # Some services score from 0 to 100; their cut is honoured, but only a share is kept as one.
        label = self._settings.cut(score, threshold)
        return Answer(label=label, score=score if 0 <= score <= 1 else None, raw=value)

    def score(self, number: int, value: str) -> float | None:
        if not value:
            return None
        try:
            score = float(value)
        except ValueError:
            score = float("nan")
        if not 0 <= score <= 1:
            self._scores.append((number, value))
            return None
        return score

    def _not_a_number(self, value: str, numbers: list[int]) -> Problem:
        problem = ngettext(
            "the score '%(value)s' is not a number (row %(rows)s)",
            "the score '%(value)s' is not a number (%(count)s rows: %(rows)s)",
            len(numbers),
            value=value,
            rows=_shortened([str(number) for number in numbers]),
        )
        fix = _("Leave the cell empty, and allow a partial upload.")
        return Problem(self.file, numbers[0], self._label_column, problem, fix)

    def problems(self, identifier: str, missing: Sequence[str], *, allow_missing: bool) -> list[Problem]:
        labels = either(self._settings.labels)
        told = []
        if self._beyond:
            problem = ngettext(
                "%(count)s case that this release leaves out: %(cases)s",
                "%(count)s cases that this release leaves out: %(cases)s",
                len(self._beyond),
                cases=_with_rows(self._beyond),
            )
            beyond = Problem(self.file, self._beyond[0][0], identifier, problem, _("They are not measured."))
            told.append(replace(beyond, severity="warning"))
        if self._unknown:
            problem = ngettext(
                "%(count)s unknown case id: %(cases)s",
                "%(count)s unknown case ids: %(cases)s",
                len(self._unknown),
                cases=_with_rows(self._unknown),
            )
            fix = _("Use the ids of this release.")
            told.append(Problem(self.file, self._unknown[0][0], identifier, problem, fix))
        if self._twice:
            problem = ngettext(
                "%(count)s case id given before: %(cases)s",
                "%(count)s case ids given before: %(cases)s",
                len(self._twice),
                cases=_with_rows(self._twice),
            )
            told.append(Problem(self.file, self._twice[0][0], identifier, problem, _("Keep one row per case.")))
        for value, numbers in self._labels.items():
            if _is_no_number(value):
                told.append(self._not_a_number(value, numbers))
                continue
            problem = ngettext(
                "'%(value)s' is not a label here (row %(rows)s)",
                "'%(value)s' is not a label here (%(count)s rows: %(rows)s)",
                len(numbers),
                value=value,
                rows=_shortened([str(number) for number in numbers]),
            )
            fix = _("Write %(labels)s, or say in a label map what it means.", labels=labels)
            told.append(Problem(self.file, numbers[0], self._label_column, problem, fix))
        if self._scores:
            problem = ngettext(
                "%(count)s score that is not from 0 to 1: %(scores)s",
                "%(count)s scores that are not from 0 to 1: %(scores)s",
                len(self._scores),
                scores=_with_rows(self._scores),
            )
            told.append(Problem(self.file, self._scores[0][0], "score", problem, _("Leave them empty.")))
        if missing:
            fix = _("They count as unanswered.") if allow_missing else _("Add them, or allow a partial upload.")
            severity = "warning" if allow_missing else "error"
            problem = ngettext(
                "%(count)s case of the release has no prediction: %(cases)s",
                "%(count)s cases of the release have no prediction: %(cases)s",
                len(missing),
                cases=_shortened(missing),
            )
            told.append(Problem(self.file, None, identifier, problem, fix, severity))  # type: ignore[arg-type]
        return told


def _is_no_number(value: str) -> bool:
    try:
        return not isfinite(float(value))
    except ValueError:
        return False


def _shortened(names: Sequence[str]) -> list[str]:
    """Return the first names, and that there are more."""
    return [*names[:SHOWN], *(["..."] if len(names) > SHOWN else [])]


def _with_rows(found: Sequence[tuple[int, str]]) -> list[str]:
    """Return the first values with their rows, and that there are more."""
    return _shortened([_("%(value)s (row %(row)s)", value=value, row=str(number)) for number, value in found])


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
