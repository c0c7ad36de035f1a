"""Rows of an uploaded file of predictions, whether CSV or JSON lines, each with its row number."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from curation.formats.values import Problem
from evaluation.runners.errors import ConfigurationError

ID_COLUMNS = ("case_id", "id", "key", "mhc_case_id")
LABEL_COLUMNS = ("prediction", "label", "pred", "predicted_label", "label_pred")
# Columns of a released suite that people leave in the file they send back; none of them is a model.
SUITE_COLUMNS = {
    *("functionality", "test_case", "text", "label_gold", "target_ident", "direction", "focus_words", "focus_lemma"),
    *("ref_case_id", "ref_templ_id", "templ_id", "case_templ", "score", "language", "", *ID_COLUMNS),
}


def read_rows(path: Path) -> tuple[list[str], list[tuple[int, dict[str, Any]]]]:
    """The column names and the rows with their row number (the header of a CSV is row 1).

    Refuses what is not UTF-8, not the format its ending says, or empty.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(_json_rows(path, file) if path.suffix in {".jsonl", ".ndjson"} else _csv_rows(path, file))
    except FileNotFoundError:
        raise problem(path, None, None, "there is no such file", "Check the path.") from None
    except UnicodeDecodeError as error:
        raise problem(path, None, None, f"it is not UTF-8 ({error.reason})", "Save it as UTF-8.") from None
    except csv.Error as error:
        raise problem(path, None, None, f"it is not CSV ({error})", "Save it as CSV with commas.") from None
    if not rows:
        raise problem(path, None, None, "it holds no predictions", "Write one row per test case.")
    columns = list(dict.fromkeys(name for _, row in rows for name in row))
    return columns, rows


def choose_columns(path: Path, columns: list[str], *, model: str | None) -> tuple[str, str, str | None]:
    """The columns of the id, the label and the score (None where there is none).

    With several models as columns the one called like the model is taken, or the only one; anything else is refused.
    """
    identifier = next((name for name in ID_COLUMNS if name in columns), None)
    if identifier is None:
        raise problem(path, 1, None, f"no column holds case ids (found: {', '.join(columns)})", "Call one case_id.")
    candidates = [name for name in columns if name.lower() not in SUITE_COLUMNS and not name.endswith("_score")]
    if model is not None and model in candidates:
        label = model
    else:
        usual = [name for name in candidates if name.lower() in LABEL_COLUMNS]
        chosen = usual or candidates
        if len(chosen) != 1:
            found = ", ".join(candidates) or "none"
            fix = "Name the model like one of these columns." if candidates else "Add a column called prediction."
            raise problem(path, 1, None, f"it is not clear which column holds the predictions (found: {found})", fix)
        label = chosen[0]
    score = next((name for name in (f"{label}_score", "score") if name in columns), None)
    return identifier, label, score


def problem(path: Path, row: int | None, column: str | None, what: str, fix: str) -> ConfigurationError:
    """One problem with the file as an exception."""
    return ConfigurationError([Problem(path.name, row, column, what, fix)])


def _csv_rows(path: Path, file: Any) -> Iterator[tuple[int, dict[str, Any]]]:
    reader = csv.DictReader(file, strict=True)
    for number, row in enumerate(reader, start=2):
        if None in row or None in row.values():
            raise problem(path, number, None, "it has more or fewer cells than the header", "Quote texts with commas.")
        yield number, {(name or "").strip(): (value or "").strip() for name, value in row.items()}


def _json_rows(path: Path, file: Any) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(file, start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError:
            row = None
        if not isinstance(row, dict):
            raise problem(path, number, None, "the line is not a JSON object", 'Write {"case_id": ..., "label": ...}.')
        yield number, row
