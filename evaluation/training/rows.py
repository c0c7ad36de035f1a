"""Labelled rows to train on, read from a CSV, TSV or JSON-lines file."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curation.formats.values import Problem
from evaluation.runners.errors import ConfigurationError


@dataclass(frozen=True, slots=True)
class LabelledRow:
    """A text, its class, and the part of the data it was published in ("" where the file does not say)."""

    text: str
    label: str
    split: str = ""


def read_labelled_rows(
    path: Path,
    *,
    text_column: str | None = None,
    label_column: str | None = None,
    label_map: Mapping[str, str] | None = None,
    split_column: str | None = None,
) -> list[LabelledRow]:
    """The rows of a file; columns are found by their usual names unless given.

    Refuses files without such columns, rows without text or label, labels a given map does not know, one class only.
    """
    columns, rows = _read(path)
    text_name = _choose(path, columns, text_column, ("text", "tweet", "test_case", "example", "content"), "text")
    label_name = _choose(path, columns, label_column, ("label", "label_gold", "class", "gold"), "label")
    split_name = split_column or ("split" if "split" in columns else None)
    found, problems = [], []
    for number, row in enumerate(rows, start=2):
        text, label = str(row.get(text_name) or ""), str(row.get(label_name, "")).strip()
        if label_map is not None:
            if label not in label_map:
                known = ", ".join(label_map)
                problems.append(
                    Problem(
                        path.name,
                        number,
                        label_name,
                        f"'{label}' is not in the label map",
                        f"Map it, or correct it; mapped: {known}.",
                    )
                )
                continue
            label = label_map[label]
        if not text.strip() or not label:
            column = label_name if text.strip() else text_name
            problems.append(Problem(path.name, number, column, "the cell is empty", "Fill it or delete the row."))
            continue
        found.append(LabelledRow(text, label, str(row.get(split_name, "")) if split_name else ""))
    if not problems and len({row.label for row in found}) < 2:
        problems.append(Problem(path.name, None, label_name, "fewer than two classes occur", "Check the label column."))
    if problems:
        raise ConfigurationError(problems[:20])
    return found


def _read(path: Path) -> tuple[list[str], list[dict[str, Any]]]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            if path.suffix in {".jsonl", ".ndjson"}:
                rows = [json.loads(line) for line in file if line.strip()]
            else:
                rows = list(csv.DictReader(file, delimiter="\t" if path.suffix == ".tsv" else ","))
    except FileNotFoundError:
        raise ConfigurationError([Problem(str(path), None, None, "there is no such file", "Check the path.")]) from None
    except (UnicodeDecodeError, ValueError, csv.Error) as error:
        raise ConfigurationError(
            [Problem(path.name, None, None, f"it cannot be read ({error})", "Save it as UTF-8 CSV, TSV or JSON lines.")]
        ) from None
    return (list(rows[0]) if rows else []), rows


def _choose(path: Path, columns: list[str], given: str | None, usual: tuple[str, ...], what: str) -> str:
    for name in (given,) if given else usual:
        if name in columns:
            return name
    problem = f"there is no {what} column" + (f" '{given}'" if given else "")
    raise ConfigurationError(
        [Problem(path.name, 1, None, f"{problem} (found: {', '.join(columns) or 'none'})", f"Name the {what} column.")]
    )
