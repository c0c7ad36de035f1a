"""Rows of an uploaded file of predictions, and which of its columns hold what."""

import re
from dataclasses import dataclass
from pathlib import Path

from core.inference.errors import ConfigurationError
from core.tables.problems import Problem
from core.tables.reading import read_table
from core.text import _
from curation.fields import COLUMNS

ID_COLUMNS = ("case_id", "mhc_case_id", "id", "key")
LABEL_COLUMNS = ("prediction", "label", "pred", "predicted", "predicted_label", "label_pred", "label_predicted")
# Columns of a released suite that people leave in the file they send back; none of them is a model.
SUITE_COLUMNS = {
    *COLUMNS,
    *("text", "score", "", *ID_COLUMNS, "unnamed: 0", "index", "gender_male", "gender_female", "label_annot_maj"),
    *("count_label_h", "count_label_nh"),
}
DECIMAL_COMMA = re.compile(r"-?\d+,\d+")
NAMED = 10


def read_rows(path: Path) -> tuple[list[str], list[tuple[int, dict[str, str]]], tuple[Problem, ...]]:
    """Return the names of the columns, the rows with their numbers, and warnings. Refuses what is no sound table."""
    table = read_table(path, optional=(*ID_COLUMNS, *LABEL_COLUMNS))
    if any(problem.is_error for problem in table.problems):
        raise ConfigurationError(table.problems)
    if not table.rows:
        raise problem(path, None, None, _("it holds no predictions"), _("Write one row per test case."))
    # Where semicolons stand between the cells, a comma stands before the decimals.
    read_cell = _with_point if table.separator == ";" else str.strip
    rows = [(number, {name: read_cell(cell) for name, cell in row.items()}) for number, row in table.records()]
    return table.header, rows, tuple(table.problems)


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
        missing = _("no column holds case ids (found: %(columns)s)", columns=_names(columns))
        raise problem(path, 1, None, missing, _("Call one case_id."))
    candidates = [name for name in columns if name.lower() not in SUITE_COLUMNS and not name.endswith("_score")]
    if column is not None:
        label = by_name.get(column.strip().lower())
        if label is None:
            missing = _("it has no column '%(column)s'", column=column)
            raise problem(path, 1, None, missing, _("It has: %(columns)s.", columns=_names(columns)))
    else:
        label = _only_one(path, candidates, by_name, model=model)
    score = next((by_name[name] for name in (f"{label}_score".lower(), "score") if name in by_name), None)
    return Chosen(identifier, label, None if score == label else score)


def _names(columns: list[str]) -> list[str]:
    return [*columns[:NAMED], *(["..."] if len(columns) > NAMED else [])]


def _only_one(path: Path, candidates: list[str], by_name: dict[str, str], *, model: str | None) -> str:
    """The one column that can hold the predictions of the model."""
    called = [name for name in candidates if model is not None and name.lower() == model.strip().lower()]
    usual = [name for name in candidates if name.lower() in LABEL_COLUMNS]
    chosen = [name for name in called if name == model] or called or usual or candidates
    if not chosen and "score" in by_name:
        chosen = [by_name["score"]]
    if len(chosen) != 1:
        unclear = _(
            "it is not clear which column holds the predictions (found: %(columns)s)",
            columns=candidates or _("none"),
        )
        if candidates:
            fix = _("Name the model like one of these columns, or say which column to take.")
        else:
            fix = _("Add a column called prediction.")
        raise problem(path, 1, None, unclear, fix)
    return chosen[0]


def problem(path: Path, row: int | None, column: str | None, what: str, fix: str) -> ConfigurationError:
    """One problem with the file as an exception."""
    return ConfigurationError([Problem(path.name, row, column, what, fix)])


def _with_point(cell: str) -> str:
    cell = cell.strip()
    return cell.replace(",", ".") if DECIMAL_COMMA.fullmatch(cell) else cell
