"""Asks a model about every case of a release and measures its answers, as the server does."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.batches import in_batches
from evaluation.metrics.calibration import THRESHOLD
from evaluation.metrics.columns import Columns, Row
from evaluation.metrics.report import measure
from evaluation.metrics.slices import gold_counts
from evaluation.reports.submission import RESULT_FORMAT as FORMAT
from evaluation.reports.submission import sealed
from evaluation.runners import Answer, InferenceError, QuotaReached, Runner, RunnerBusy, Stopped
from evaluation.runners import Interrupted as RunnerInterrupted
from touchstone.answers import AnswerStore
from touchstone.errors import Interrupted, Refused
from touchstone.releases import Release, join_answers

if TYPE_CHECKING:
    import pandas

    from touchstone.pictures import Picture

CHUNK = 256  # texts after which answers are kept
PATIENCE = 5  # times a busy service is waited for without one new answer
USUAL_WAIT, LONGEST_WAIT = 30.0, 600.0  # seconds
CASE_COLUMNS = ("case", "gold", "predicted", "score", "functionality", "language", "template")
GROUP_COLUMNS = ("targets", "is_identity_template")  # files of earlier versions do not have them

ShowProgress = Callable[[int, int, str], None]
ShouldStop = Callable[[], bool]


@dataclass(frozen=True)
class Result:
    """What one model said about the cases of a release, and what is measured from it."""

    release: str
    sha256: str
    model: str
    labels: tuple[str, ...]
    rows: tuple[Row, ...] = field(repr=False)
    measures: dict[str, Any] = field(default_factory=dict, repr=False)
    run: Mapping[str, Any] = field(default_factory=dict, repr=False)
    errors: Mapping[str, int] = field(default_factory=dict, repr=False)
    notes: tuple[str, ...] = ()

    @cached_property
    def columns(self) -> Columns:
        """The answers as arrays, for comparisons."""
        return Columns.of(self.rows, labels=self.labels)

    @property
    def overall(self) -> dict[str, Any]:
        """Measures of all cases together: n, accuracy, ci95, macro_f1, ..."""
        return dict(self.measures["overall"])

    @property
    def by_functionality(self) -> pandas.DataFrame:
        """One row per functionality."""
        return self.by("functionality")

    def by(self, key: str) -> pandas.DataFrame:
        """Return one row per functionality, class, label, target, language, direction, origin or agreement."""
        import pandas

        if not isinstance(found := self.measures.get(f"by_{key}"), dict):
            known = ", ".join(name[3:] for name in self.measures if name.startswith("by_"))
            raise KeyError(f"'{key}' is none of: {known}")
        return pandas.DataFrame.from_dict(found, orient="index").rename_axis(key)

    @property
    def answers(self) -> pandas.DataFrame:
        """One row per case: gold label, prediction, score."""
        import pandas

        return pandas.DataFrame([{name: getattr(row, name) for name in CASE_COLUMNS} for row in self.rows])

    def plot(self, kind: str = "forest", *others: Result, theme: str = "light") -> Picture:
        """Draw this result, beside others if they are given: forest, dumbbell, heatmap, reliability or radar.

        A notebook shows the picture; `.save("forest.pdf")` writes it as SVG, PDF or PNG. Needs the extra `reports`.
        """
        from touchstone.pictures import plot_results

        return plot_results(kind, [self, *others], theme=theme)

    def as_json(self) -> dict[str, Any]:
        """Return the measures under the keys that the server's commands have, and the answers by case. No text."""
        return sealed(
            {
                "format": FORMAT,
                "release": self.release,
                "models": {self.model: {**self.measures, "run": dict(self.run)}},
                "labels": list(self.labels),
                "cases": {name: [getattr(row, name) for row in self.rows] for name in (*CASE_COLUMNS, *GROUP_COLUMNS)},
            }
        )


def read_result(path: str | Path) -> Result:
    """Return a result that was written as JSON. Refuses files that do not hold the answers by case."""
    place = Path(path)
    try:
        content = json.loads(place.read_text(encoding="utf-8"))
        if content.get("format") != FORMAT:
            raise Refused(
                f"{path} holds no answers by case. Write it with: touchstone evaluate RELEASE --model SPEC "
                "--out FOLDER --format json"
            )
        (name, values), *_ = content["models"].items()
        held = (*CASE_COLUMNS, *(column for column in GROUP_COLUMNS if column in content["cases"]))
        cells = zip(*(content["cases"][column] for column in held), strict=True)
        rows = tuple(_row(dict(zip(held, row, strict=True))) for row in cells)
        run = values.pop("run", {})
        sha256 = str(run.get("release_sha256", ""))
        return Result(content["release"], sha256, name, tuple(content["labels"]), rows, values, run)
    except OSError as error:
        raise Refused(f"{path} cannot be read: {error.strerror}.") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Refused(f"{path} is not a result of Touchstone, or it is damaged ({error}).") from error


def _row(cells: dict[str, Any]) -> Row:
    return Row(**{**cells, "targets": tuple(cells.get("targets", ()))})


def run_model(
    release: Release,
    runner: Runner,
    *,
    name: str,
    store: AnswerStore | None = None,
    progress: ShowProgress | None = None,
    should_stop: ShouldStop | None = None,
    trained_on: Sequence[str] | None = None,
) -> Result:
    """Return the result of a model on a release. Answers that `store` has are not asked for again.

    Raises `Interrupted` when asked to stop; every answer so far is in the store.
    """
    texts = [case.text for case in release.cases]
    languages = [case.language or "" for case in release.cases] if getattr(runner, "asks_language", False) else None
    answers = ask_texts(texts, runner, languages=languages, store=store, progress=progress, should_stop=should_stop)
    described = runner.describe()
    given = [answers[question] for question in questions_of(texts, languages)]
    keys = release.rows()
    rows = join_answers(keys, ((answer.label, answer.score) for answer in given))
    cut = described.get("threshold")
    measures = measure(
        rows,
        labels=list(release.labels),
        positive=release.positive,
        threshold=THRESHOLD if cut is None else float(str(cut)),
        trained_on=trained_on,
    )
    measures["composition"] = gold_counts(keys)
    errors: dict[str, int] = {}
    for answer in given:
        if answer.error:
            errors[answer.error] = errors.get(answer.error, 0) + 1
    measures["overall"] |= {"refusals": sum(answer.refusal for answer in given), "errors": sum(errors.values())}
    run = {
        "source": "run",
        "fingerprint": runner.fingerprint,
        "finished_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "release_sha256": release.sha256,
        "is_partial": release.is_partial,
        "environment": described,
    }
    return Result(
        release.reference,
        release.sha256,
        name,
        release.labels,
        tuple(rows),
        json.loads(json.dumps(measures, default=float)),
        json.loads(json.dumps(run, default=str)),
        errors,
        release.notes,
    )


def questions_of(texts: Sequence[str], languages: Sequence[str] | None) -> list[str]:
    """Return what tells one question from another: the text, and its language where the model is told that."""
    return [f"{language}:{text}" for text, language in zip(texts, languages, strict=True)] if languages else list(texts)


def ask_texts(
    texts: Sequence[str],
    runner: Runner,
    *,
    languages: Sequence[str] | None = None,
    store: AnswerStore | None = None,
    progress: ShowProgress | None = None,
    should_stop: ShouldStop | None = None,
) -> dict[str, Answer]:
    """Return the answer to each different question, chunk by chunk; a service that is busy is waited for."""
    asked = dict(zip(questions_of(texts, languages), zip(texts, languages or texts, strict=True), strict=True))
    different = list(asked)
    known = store.find(different) if store else {}
    waiting = [text for text in different if text not in known]
    done, total = len(known), len(different)
    for chunk in in_batches(waiting, CHUNK):
        left, attempts = list(chunk), 0
        while left:
            extra: dict[str, Any] = {"languages": [asked[question][1] for question in left]} if languages else {}
            try:
                found = runner.predict(
                    [asked[question][0] for question in left],
                    **extra,
                    progress=_counting(progress, done, total),
                    should_stop=should_stop,
                )
                kept = dict(zip(left, found, strict=True))
                pause: RunnerInterrupted | None = None
            except RunnerInterrupted as interruption:
                pairs = zip(left, interruption.answers, strict=False)
                kept = {text: answer for text, answer in pairs if answer is not None}
                pause = interruption
            except InferenceError as error:
                raise Refused(str(error)) from error
            known |= kept
            done += len(kept)
            if store:
                store.keep(kept)
            left = [text for text in left if text not in kept]
            if pause is not None and left:
                attempts = 0 if kept else attempts + 1
                _wait(pause, attempts, done, total, progress, should_stop)
    return known


def _counting(progress: ShowProgress | None, before: int, total: int) -> Callable[[int, int], None] | None:
    if progress is None:
        return None
    return lambda answered, _: progress(before + answered, total, "asking the model")


def _wait(
    pause: RunnerInterrupted,
    attempts: int,
    done: int,
    total: int,
    progress: ShowProgress | None,
    should_stop: ShouldStop | None,
) -> None:
    """Wait for a busy service. Raises where the person wants to stop or waiting makes no sense."""
    kept = f"{done:,} of {total:,} texts are answered and kept. Give the same command again to continue."
    if isinstance(pause, Stopped):
        raise Interrupted(f"Stopped. {kept}")
    seconds = getattr(pause, "retry_after", None) or USUAL_WAIT
    if not isinstance(pause, RunnerBusy | QuotaReached) or attempts >= PATIENCE or seconds > LONGEST_WAIT:
        raise Refused(f"{pause} {kept}")
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if should_stop is not None and should_stop():
            raise Interrupted(f"Stopped. {kept}")
        if progress is not None:
            progress(done, total, "waiting for the service")
        time.sleep(0.2)
