"""Answers of a file of predictions and what is wrong with it, gathered row by row."""

from collections.abc import Sequence
from dataclasses import replace
from math import isfinite

from core.tables.problems import Problem
from core.text import _, ngettext
from evaluation.runners.answers import Answer
from evaluation.runners.labels import either
from evaluation.runners.prediction_words import Meaning, plain
from evaluation.runners.settings import RunnerSettings

SHOWN = 10


class Findings:
    """Answers and what is wrong, gathered row by row and told in a few sentences instead of thousands."""

    def __init__(self, file: str, settings: RunnerSettings, *, known: set[str], left_out: set[str]) -> None:
        self.file, self._settings, self._known, self._left_out = file, settings, known, left_out
        self.identifier: str | None = None  # the columns, where the file has columns
        self.label_column: str | None = None
        self.answers: dict[str, Answer] = {}
        self.rows: dict[str, int] = {}
        self._unknown: list[tuple[int, str]] = []
        self._beyond: list[tuple[int, str]] = []
        self._twice: list[tuple[int, str]] = []
        self._labels: dict[str, list[int]] = {}
        self._scores: list[tuple[int, str]] = []

    def add(self, number: int, given: str, value: str, score: float | None, meaning: Meaning) -> None:
        """Take a row of a table. An empty cell is no prediction."""
        case = self._case(number, given)
        if case is None or not value:
            return
        self.rows[case] = number
        answer = self._cut(value, meaning.threshold) if meaning.threshold is not None else None
        if answer is None and meaning.threshold is None and (label := meaning.words.get(plain(value))):
            answer = Answer(label=label, score=score, raw=value)
        if answer is None:
            self._labels.setdefault(value, []).append(number)
            return
        self.answers[case] = answer

    def keep(self, number: int, given: str, answer: Answer) -> None:
        """Take an answer that is read already."""
        case = self._case(number, given)
        if case is not None:
            self.rows[case] = number
            self.answers[case] = answer

    def _case(self, number: int, given: str) -> str | None:
        """Return the case that an id stands for; None, and noted, where it is unknown or was given before."""
        # A column with an empty cell comes out of pandas as decimal numbers: 17.0 is case 17.
        case = given if given in self._known else given.removesuffix(".0")
        if case not in self._known:
            (self._beyond if case in self._left_out else self._unknown).append((number, given))
            return None
        if case in self.rows:
            self._twice.append((number, case))
            return None
        return case

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
        return Problem(self.file, numbers[0], self.label_column, problem, fix)

    def problems(self, missing: Sequence[str], *, allow_missing: bool) -> list[Problem]:
        labels = either(self._settings.labels)
        told = []
        if self._beyond:
            problem = ngettext(
                "%(count)s case that this release leaves out: %(cases)s",
                "%(count)s cases that this release leaves out: %(cases)s",
                len(self._beyond),
                cases=_with_rows(self._beyond),
            )
            beyond = Problem(self.file, self._beyond[0][0], self.identifier, problem, _("They are not measured."))
            told.append(replace(beyond, severity="warning"))
        if self._unknown:
            problem = ngettext(
                "%(count)s unknown case id: %(cases)s",
                "%(count)s unknown case ids: %(cases)s",
                len(self._unknown),
                cases=_with_rows(self._unknown),
            )
            fix = _("Use the ids of this release.")
            told.append(Problem(self.file, self._unknown[0][0], self.identifier, problem, fix))
        if self._twice:
            problem = ngettext(
                "%(count)s case id given before: %(cases)s",
                "%(count)s case ids given before: %(cases)s",
                len(self._twice),
                cases=_with_rows(self._twice),
            )
            told.append(Problem(self.file, self._twice[0][0], self.identifier, problem, _("Keep one row per case.")))
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
            told.append(Problem(self.file, numbers[0], self.label_column, problem, fix))
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
            told.append(Problem(self.file, None, self.identifier, problem, fix, severity))  # type: ignore[arg-type]
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
