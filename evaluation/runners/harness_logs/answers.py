"""From the answers in a log to labels of the suite."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.tables.problems import Problem
from core.text import _, ngettext
from evaluation.runners.answers import Answer
from evaluation.runners.chat_parsing import parse_answer
from evaluation.runners.harness_logs.logged import HarnessLog, LoggedAnswer, refusal
from evaluation.runners.prediction_findings import Findings
from evaluation.runners.prediction_words import Meaning, meaning_of, plain
from evaluation.runners.settings import RunnerSettings


def add_log(
    found: Findings,
    path: Path,
    log: HarnessLog,
    *,
    settings: RunnerSettings,
    label_map: Mapping[str, str] | None,
    threshold: float | None,
) -> tuple[list[Problem], dict[str, Any]]:
    """Take the answers of a log; return what was noted, and how it was read.

    The harness counted an answer without a label as wrong: it is kept as unanswered, which counts the same.
    Refuses a threshold where the log has no scores.
    """
    if threshold is not None and not all(answer.scores for answer in log.answers):
        what = _("a threshold cuts scores, and the log holds none")
        raise refusal(path, what, _("Leave the threshold out."))
    # What a model wrote may be anything; only answers from a list may be guessed at.
    texts = {answer.text for answer in log.answers} if log.kind == "chosen" else set()
    meaning = meaning_of(texts - {""}, settings=settings, label_map=label_map)
    unanswered = 0
    for given in log.answers:
        if log.kind == "chosen":
            score = _score(given, meaning, settings)
            if threshold is not None and score is not None:
                label = settings.cut(score, threshold)
                found.keep(given.row, given.case, Answer(label=label, score=score, raw=given.text))
            else:
                found.add(given.row, given.case, given.text, score, meaning)
            continue
        answer = _of_text(given, log, meaning, settings)
        unanswered += answer.label is None
        found.keep(given.row, given.case, answer)
    note = _("read as the log of %(harness)s", harness=log.harness)
    notes = [Problem(path.name, None, log.part or None, note, _("Answers count as they do there."), "warning")]
    notes += [Problem(path.name, None, None, *told, "warning") for told in meaning.notes]
    if unanswered:
        what = ngettext("%(count)s answer names no label", "%(count)s answers name no label", unanswered)
        notes.append(Problem(path.name, None, None, what, _("They count as unanswered."), "warning"))
    reading = {"harness": log.harness, "column": log.part, "label_map": dict(label_map or {}), "threshold": threshold}
    return notes, reading


def _score(given: LoggedAnswer, meaning: Meaning, settings: RunnerSettings) -> float | None:
    """Return how sure the model is of the positive label, None where the log does not say."""
    positive = [share for text, share in given.scores.items() if meaning.words.get(plain(text)) == settings.positive]
    return min(1.0, sum(positive)) if positive else None


def _of_text(given: LoggedAnswer, log: HarnessLog, meaning: Meaning, settings: RunnerSettings) -> Answer:
    if given.error:
        return Answer(label=None, error=given.error, raw=given.written)
    if label := meaning.words.get(plain(given.text)) if log.kind == "extracted" else None:
        return Answer(label=label, raw=given.written)
    parsed = parse_answer(given.written, words={label: [label] for label in settings.labels})
    if log.kind == "written" or parsed.refusal:
        return parsed
    # The harness found no label, whatever else could be found: its figure is the one that is told.
    return replace(parsed, label=None, error=_("the answer names no label"))
