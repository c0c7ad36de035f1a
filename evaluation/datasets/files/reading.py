"""A labelled file becomes plain data: columns found, labels mapped, rows that cannot be used named one by one."""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from core.tables.problems import Problem
from core.tables.reading import Table, read_table
from core.text import _, ngettext
from evaluation.datasets.files.columns import COMMON_NAMES, find_column
from evaluation.datasets.files.values import LabelledData, Reading

PARTS = {
    "train": "train",
    "training": "train",
    "dev": "dev",
    "val": "dev",
    "valid": "dev",
    "validation": "dev",
    "test": "test",
    "": "",
}
MOST_PROBLEMS = 200
MOST_LABELS = 200  # a column of numbers or texts has more, a column of classes never
LONGEST_LABEL = 120
LONGEST_TEXT = 1_000_000  # in characters; a cell that is longer is the rest of the file behind an open quotation mark


@dataclass(slots=True)
class _Rows:
    """The cells of a table under the roles they play."""

    table: Table
    columns: Mapping[str, str]

    def cells(self, role: str) -> list[str] | None:
        name = self.columns.get(role)
        return None if name is None else self.table.cells(name)


def read_labelled(
    path: str | Path,
    *,
    text_column: str | None = None,
    label_column: str | None = None,
    split_column: str | None = None,
    id_column: str | None = None,
    label_map: Mapping[str, str | None] | None = None,
    split_map: Mapping[str, str] | None = None,
    extra_columns: Sequence[str] = (),
    part: str = "",
) -> Reading:
    """Read a table of labelled texts; line breaks inside posts are kept.

    Columns that are not named are guessed from common names. `label_map` renames or collapses labels (None leaves the
    rows of that label out); a label it does not mention is an error. `part` is the part of every row where the file has
    no split column. With any error, `data` is None and the problems say where and what to do.
    """
    path = Path(path)
    named = {"text": text_column, "label": label_column, "split": split_column, "id": id_column}
    usual = [*chain.from_iterable(COMMON_NAMES.values()), *filter(None, named.values())]
    table = read_table(path, optional=usual, longest_cell=LONGEST_TEXT, repeated_names=True)
    problems = list(table.problems)
    columns: dict[str, str] = {}
    if table.readable:
        for role in COMMON_NAMES:
            found = find_column(role, named=named[role], header=table.header, file=path.name)
            if found.problem:
                problems.append(found.problem)
            if found.name is not None:
                columns[role] = found.name
                if table.header.count(found.name) > 1:
                    problems.append(_two_columns(path, found.name))
        problems += [_no_such_column(path, name, table.header) for name in extra_columns if name not in table.header]
    file_sha256 = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
    data = None
    if not _has_error(problems):
        data = _build(
            _Rows(table, columns), path, label_map, {**PARTS, **(split_map or {})}, extra_columns, part, problems
        )
    if _has_error(problems):
        data = None
    return Reading(data, tuple(_shortened(problems, path)), columns, file_sha256)


def _build(
    rows: _Rows,
    path: Path,
    label_map: Mapping[str, str | None] | None,
    parts: Mapping[str, str],
    extra_columns: Sequence[str],
    part: str,
    problems: list[Problem],
) -> LabelledData:
    texts, labels = rows.cells("text") or [], rows.cells("label") or []
    numbers = [number for number, __ in rows.table.rows]
    splits = rows.cells("split") or [part] * len(texts)
    ids = rows.cells("id") or [str(position) for position in range(len(texts))]
    if not texts:
        problems.append(
            Problem(path.name, None, None, _("The file has no row of data"), _("Give at least one labelled text."))
        )
    keep: list[int] = []
    mapped: list[str] = []
    unknown_labels: dict[str, list[int]] = {}
    unknown_parts: dict[str, list[int]] = {}
    for position, (text, raw_label) in enumerate(zip(texts, labels, strict=True)):
        label: str | None = raw_label.strip()
        if not text.strip():
            fix = _("Delete the row or give its text.")
            problems.append(Problem(path.name, numbers[position], rows.columns["text"], _("The text is empty"), fix))
        if not label:
            fix = _("Give the label or delete the row.")
            problems.append(Problem(path.name, numbers[position], rows.columns["label"], _("The label is empty"), fix))
        elif label_map is not None:
            if label not in label_map:
                unknown_labels.setdefault(label, []).append(numbers[position])
            label = label_map.get(label)
        if splits[position].strip().lower() not in parts:
            unknown_parts.setdefault(splits[position], []).append(numbers[position])
        if label is not None:
            keep.append(position)
            mapped.append(label)
    for value, where in unknown_labels.items():
        problem = ngettext(
            "The label '%(label)s' is not in the label map (%(count)s row, here)",
            "The label '%(label)s' is not in the label map (%(count)s rows, the first one here)",
            len(where),
            label=value,
        )
        fix = _("Map '%(label)s' to a class, or to nothing to leave its rows out.", label=value)
        problems.append(Problem(path.name, where[0], rows.columns["label"], problem, fix))
    for value, where in unknown_parts.items():
        problem = ngettext(
            "'%(part)s' is not a part of a data set (%(count)s row, here)",
            "'%(part)s' is not a part of a data set (%(count)s rows, the first one here)",
            len(where),
            part=value,
        )
        fix = _("Use train, dev and test.")
        problems.append(Problem(path.name, where[0], rows.columns.get("split"), problem, fix))
    different = set(mapped)
    if len(different) > MOST_LABELS or max(map(len, different), default=0) > LONGEST_LABEL:
        problem = ngettext(
            "This is not a column of classes: it has %(count)s value, '%(example)s'",
            "This is not a column of classes: it has %(count)s different values, for example '%(example)s'",
            len(different),
            example=mapped[0][:40],
        )
        problems.append(Problem(path.name, 1, rows.columns["label"], problem, _("Name the column with the labels.")))
    if "id" in rows.columns:
        problems += _repeated(ids, keep, path, rows.columns["id"])
    problems += _in_both(texts, [parts.get(split.strip().lower(), "") for split in splits], keep, numbers, path)
    if texts and not keep:
        problem, fix = _("The label map leaves every row out"), _("Map at least one label to a class.")
        problems.append(Problem(path.name, None, rows.columns["label"], problem, fix))
    return LabelledData(
        texts=tuple(texts[position] for position in keep),
        labels=tuple(mapped),
        splits=tuple(parts.get(splits[position].strip().lower(), "") for position in keep),
        ids=tuple(ids[position] for position in keep),
        rows=tuple(numbers[position] for position in keep),
        extra={name: _picked(rows.table.cells(name), keep) for name in extra_columns},
        source=path.name,
    )


def _repeated(ids: Sequence[str], keep: Sequence[int], path: Path, column: str) -> list[Problem]:
    twice = [identifier for identifier, count in Counter(ids[position] for position in keep).items() if count > 1]
    if not twice:
        return []
    problem = ngettext(
        "%(count)s id in '%(column)s' is in several rows: '%(example)s'",
        "%(count)s ids in '%(column)s' are in several rows, for example '%(example)s'",
        len(twice),
        column=column,
        example=twice[0],
    )
    fix = _("Make sure that no post is in both the training part and the test part.")
    return [Problem(path.name, None, column, problem, fix, severity="warning")]


def _in_both(
    texts: Sequence[str], parts: Sequence[str], keep: Sequence[int], numbers: Sequence[int], path: Path
) -> list[Problem]:
    """Test texts that a model has been trained on."""
    known = {texts[position] for position in keep if parts[position] == "train"}
    found = [position for position in keep if parts[position] == "test" and texts[position] in known]
    if not found:
        return []
    problem = ngettext(
        "%(count)s text of the test part is also in the training part, in row %(row)s",
        "%(count)s texts of the test part are also in the training part, the first in row %(row)s",
        len(found),
        row=str(numbers[found[0]]),
    )
    fix = _("Leave them in one part only: a model may have memorised them.")
    return [Problem(path.name, None, None, problem, fix, severity="warning")]


def _picked(cells: Sequence[str], positions: Sequence[int]) -> tuple[str, ...]:
    return tuple(cells[position] for position in positions)


def _two_columns(path: Path, name: str) -> Problem:
    problem = _("Two columns are called '%(column)s', and the first one was taken", column=name)
    return Problem(path.name, 1, name, problem, _("Rename one of them if that was wrong."), severity="warning")


def _no_such_column(path: Path, name: str, header: Sequence[str]) -> Problem:
    problem = _("There is no column '%(column)s'", column=name)
    return Problem(path.name, 1, name, problem, _("Choose one of: %(columns)s.", columns=list(header)))


def _has_error(problems: Sequence[Problem]) -> bool:
    return any(problem.severity == "error" for problem in problems)


def _shortened(problems: list[Problem], path: Path) -> list[Problem]:
    if len(problems) <= MOST_PROBLEMS:
        return problems
    rest = ngettext(
        "%(count)s more problem is not listed", "%(count)s more problems are not listed", len(problems) - MOST_PROBLEMS
    )
    return [
        *problems[:MOST_PROBLEMS],
        Problem(path.name, None, None, rest, _("Correct those above and read the file again.")),
    ]
