"""Tells the log of a harness by its content, whatever it is called, and reads it."""

import json
from pathlib import Path
from typing import Any

from core.tables.decoding import Unreadable, decode, read_bytes
from core.text import _
from evaluation.runners.harness_logs import guard_predictions, inspect_logs, lm_eval_samples
from evaluation.runners.harness_logs.archives import names_in
from evaluation.runners.harness_logs.logged import HarnessLog, refusal


def read_harness_log(path: Path, *, column: str | None = None) -> HarnessLog | None:
    """Return the answers of a log; None for any other file. `column` names one of several scorers or filters.

    Refuses a log that is damaged, holds no case ids or holds several answers per case.
    """
    if inspect_logs.is_archive(names_in(path)):
        return inspect_logs.read_archive(path, column=column)
    text = _json_text(path)
    if text is None:
        return None
    first = _parsed(text.split("\n", 1)[0])
    if first is None and '"eval"' in text and inspect_logs.is_json_log(whole := _parsed(text)):
        return inspect_logs.read_samples(path, whole.get("samples") or [], column=column)
    if inspect_logs.is_json_log(first):
        return inspect_logs.read_samples(path, first.get("samples") or [], column=column)
    if lm_eval_samples.is_sample(first):
        return lm_eval_samples.read_samples(path, _lines(path, text), column=column)
    if guard_predictions.is_prediction(first):
        return guard_predictions.read_predictions(path, _lines(path, text))
    return None


def _json_text(path: Path) -> str | None:
    """Return the text of a file that begins with an object; None for any other, which the reader of tables refuses."""
    try:
        text = decode(read_bytes(path)).lstrip("\ufeff \t\r\n")
    except Unreadable:
        return None
    return text if text.startswith("{") else None


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _lines(path: Path, text: str) -> list[tuple[int, dict[str, Any]]]:
    """Return the objects of the lines with their numbers. Refuses a line that is none."""
    found = []
    for row, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        values = _parsed(line)
        if not isinstance(values, dict):
            what = _("the line is not a JSON object")
            raise refusal(path, what, _("The log may be cut off. Copy it again."), row=row)
        found.append((row, values))
    return found
