"""Rows of an uploaded file of predictions, whether CSV or JSON lines, each with its row number."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curation.formats.values import Problem
from evaluation.runners.errors import ConfigurationError

ID_COLUMNS = ("case_id", "mhc_case_id", "id", "key")
LABEL_COLUMNS = ("prediction", "label", "pred", "predicted", "predicted_label", "label_pred", "label_predicted")
# Columns of a released suite that people leave in the file they send back; none of them is a model.
SUITE_COLUMNS = {
    *("functionality", "test_case", "text", "label_gold", "target_ident", "direction", "focus_words", "focus_lemma"),
    *("ref_case_id", "ref_templ_id", "templ_id", "case_templ", "score", "language", "", *ID_COLUMNS),
    *("unnamed: 0", "index", "gender_male", "gender_female", "label_annotated", "label_annotated_maj"),
    *("disagreement_in_case", "disagreement_in_template", "label_annot_maj", "count_label_h", "count_label_nh"),
}
DELIMITERS = (",", "\t", ";")
EXCEL_SAYS = re.compile(r"sep=([,;\t])\s*", re.IGNORECASE)
DECIMAL_COMMA = re.compile(r"-?\d+,\d+")
NAMED = 10


def read_rows(path: Path) -> tuple[list[str], list[tuple[int, dict[str, Any]]]]:
    """The column names and the rows with their row number (the header of a CSV is row 1).

    Refuses what is not UTF-8, not the format its ending says, or empty.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            is_json = path.suffix.lower() in {".jsonl", ".ndjson", ".json"}
            rows = list(_json_rows(path, file) if is_json else _csv_rows(path, file))
    except FileNotFoundError:
        raise problem(path, None, None, "there is no such file", "Check the path.") from None
    except OSError as error:
        raise problem(path, None, None, f"it cannot be read ({error.strerror})", "Name a CSV or JSONL file.") from None
    except UnicodeDecodeError as error:
        raise problem(path, None, None, f"it is not UTF-8 ({error.reason})", "Save it as UTF-8.") from None
    except csv.Error as error:
        raise problem(path, None, None, f"it is not CSV ({error})", "Save it as CSV with commas.") from None
    if not rows:
        raise problem(path, None, None, "it holds no predictions", "Write one row per test case.")
    columns = list(dict.fromkeys(name for _, row in rows for name in row))
    return columns, rows


@dataclass(frozen=True, slots=True)
class Chosen:
    """Where a file has what. `label` may hold scores; `score` is a further column, None where there is none."""

    identifier: str
    label: str
    score: str | None


def choose_columns(path: Path, columns: list[str], *, model: str | None, column: str | None = None) -> Chosen:
    """The columns of the id, the label and the score.

    With several models as columns: the one asked for, the one called like the model, or the only one that can be one;
    anything else is refused with the names to choose from.
    """
    by_name = {name.lower(): name for name in reversed(columns)}
    identifier = next((by_name[name] for name in ID_COLUMNS if name in by_name), None)
    if identifier is None:
        raise problem(path, 1, None, f"no column holds case ids (found: {_names(columns)})", "Call one case_id.")
    candidates = [name for name in columns if name.lower() not in SUITE_COLUMNS and not name.endswith("_score")]
    if column is not None:
        label = by_name.get(column.strip().lower())
        if label is None:
            raise problem(path, 1, None, f"it has no column '{column}'", f"It has: {_names(columns)}.")
    else:
        label = _only_one(path, candidates, by_name, model=model)
    score = next((by_name[name] for name in (f"{label}_score".lower(), "score") if name in by_name), None)
    return Chosen(identifier, label, None if score == label else score)


def _names(columns: list[str]) -> str:
    return ", ".join(columns[:NAMED]) + ", ..." * (len(columns) > NAMED)


def _only_one(path: Path, candidates: list[str], by_name: dict[str, str], *, model: str | None) -> str:
    """The one column that can hold the predictions of the model."""
    called = [name for name in candidates if model is not None and name.lower() == model.strip().lower()]
    usual = [name for name in candidates if name.lower() in LABEL_COLUMNS]
    chosen = [name for name in called if name == model] or called or usual or candidates
    if not chosen and "score" in by_name:
        chosen = [by_name["score"]]
    if len(chosen) != 1:
        fix = "Name the model like one of these columns, or say which column to take." if candidates else ""
        raise problem(
            path,
            1,
            None,
            f"it is not clear which column holds the predictions (found: {', '.join(candidates) or 'none'})",
            fix or "Add a column called prediction.",
        )
    return chosen[0]


def problem(path: Path, row: int | None, column: str | None, what: str, fix: str) -> ConfigurationError:
    """One problem with the file as an exception."""
    return ConfigurationError([Problem(path.name, row, column, what, fix)])


def _csv_rows(path: Path, file: Any) -> Iterator[tuple[int, dict[str, Any]]]:
    start, first = file.readline(), 2
    if said := EXCEL_SAYS.fullmatch(start):  # a line that Excel puts before the header
        delimiter, first = said[1], 3
    else:
        file.seek(0)
        # The header decides: a text with a semicolon in it is common, a column name with one is not.
        delimiter = max(DELIMITERS, key=lambda mark: start.count(mark))
    reader = csv.DictReader(file, strict=True, delimiter=delimiter)
    for number, row in enumerate(reader, start=first):
        if None in row or None in row.values():
            raise problem(path, number, None, "it has more or fewer cells than the header", "Quote texts with commas.")
        cells = {(name or "").strip(): (value or "").strip() for name, value in row.items()}
        # Where semicolons stand between the cells, a comma stands before the decimals.
        yield number, {name: _with_point(cell) for name, cell in cells.items()} if delimiter == ";" else cells


def _with_point(cell: str) -> str:
    return cell.replace(",", ".") if DECIMAL_COMMA.fullmatch(cell) else cell


def _json_rows(path: Path, file: Any) -> Iterator[tuple[int, dict[str, Any]]]:
    text = file.read()
    listed = _parsed(text) if text.lstrip().startswith("[") else None
    found: list[Any] = listed if isinstance(listed, list) else [_parsed(line) for line in text.split("\n")]
    for number, row in enumerate(found, start=1):
        if row == "":
            continue
        if not isinstance(row, dict):
            raise problem(path, number, None, "the line is not a JSON object", 'Write {"case_id": ..., "label": ...}.')
        yield number, {str(name): "" if value is None else value for name, value in row.items()}


def _parsed(text: str) -> Any:
    """JSON as a value; empty where there is nothing, None where it is no JSON."""
    if not text.strip():
        return ""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
