"""Predictions of guard-eval-harness: JSON Lines with a case, whether it is unsafe, and how surely."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from core.text import _
from evaluation.runners.harness_logs.logged import HarnessLog, LoggedAnswer, refusal

HARNESS = "guard-eval-harness"
UNSAFE, SAFE = "1", "0"


def is_prediction(values: Any) -> bool:
    """Tell a prediction by its members."""
    return isinstance(values, dict) and {"sample_id", "unsafe_label", "unsafe_score"} <= values.keys()


def read_predictions(path: Path, rows: Iterable[tuple[int, Mapping[str, Any]]]) -> HarnessLog:
    """Return the answers. Refuses a row whose verdict is neither true nor false."""
    answers = []
    for row, values in rows:
        verdict, score = values.get("unsafe_label"), values.get("unsafe_score")
        if not isinstance(verdict, bool) or not isinstance(score, int | float):
            what = _("this is no prediction of guard-eval-harness that can be read")
            raise refusal(path, what, _("Choose the predictions.jsonl of its results."), row=row)
        text = UNSAFE if verdict else SAFE
        answers.append(LoggedAnswer(row, str(values["sample_id"]), text, scores={UNSAFE: float(score)}))
    return HarnessLog(HARNESS, "", "chosen", tuple(answers))
