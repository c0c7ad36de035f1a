"""All importers read the same kinds of files, and say the same about those that cannot be read."""

import gzip
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl
import pyarrow
import pyarrow.parquet
import pytest

from annotation.labels.storing import import_label_file
from core.errors import BadInput
from curation.catalogue.loading import load_catalogue
from curation.formats.registry import read_suite
from curation.importing.services import import_values
from curation.lexicon.files import import_words
from curation.models import Language, Suite
from evaluation.datasets.services import import_dataset
from evaluation.runs.uploading import import_predictions
from tests.curation.releases.factories import make_release, make_suite

pytestmark = pytest.mark.django_db
Rows = list[list[str]]


def suite_rows(_: Any) -> Rows:
    return [
        ["functionality", "test_case", "label_gold"],
        ["greeting", "Grüße an dich", "non-hateful"],
        ["greeting", "Bis bald", "non-hateful"],
    ]


def import_cases(path: Path, ground: Any) -> int:
    return import_values("new", read_suite("csv", path), format_name="csv", by=ground.mira).cases


def label_rows(ground: Any) -> Rows:
    return [["case_id", "annotator", "label"], *([key, "Jürgen", "hateful"] for key in ground.keys[:2])]


def import_labels(path: Path, ground: Any) -> int:
    return import_label_file(ground.suite, path, by=ground.mira)["new"]


def dataset_rows(_: Any) -> Rows:
    return [["id", "text", "label"], ["a", "Grüße an dich", "none"], ["b", "Bis bald", "hate"]]


def import_data(path: Path, ground: Any) -> int:
    return sum(import_dataset(path, title="Posts", by=ground.mira).counts["all"].values())


def prediction_rows(ground: Any) -> Rows:
    return [["case_id", "test_case", "prediction"], *([key, "Grüße an dich", "hateful"] for key in ground.keys)]


def import_answers(path: Path, ground: Any) -> int:
    return import_predictions(ground.release, path, model="Mine", by=ground.mira).predictions.count()


def word_rows(_: Any) -> Rows:
    return [["target", "lemma", "Number=Plur"], ["women", "Müllerin", "Müllerinnen"], ["women", "Frau", "Frauen"]]


def import_lexicon(path: Path, ground: Any) -> int:
    german = Language.objects.get(code="de")
    ground.suite.languages.add(german)
    return import_words(ground.suite, german, "identity", path.read_bytes(), name=path.name, by=ground.mira)


IMPORTERS: dict[str, tuple[Callable[[Any], Rows], Callable[[Path, Any], int]]] = {
    "suite": (suite_rows, import_cases),
    "labels": (label_rows, import_labels),
    "data set": (dataset_rows, import_data),
    "predictions": (prediction_rows, import_answers),
    "lexicon": (word_rows, import_lexicon),
}


def text_of(rows: Rows, separator: str = ",") -> str:
    return "".join(separator.join(row) + "\n" for row in rows)


def as_workbook(rows: Rows) -> bytes:
    book, out = openpyxl.Workbook(), io.BytesIO()
    for row in rows:
        book.active.append(row)
    book.save(out)
    return out.getvalue()


def as_parquet(rows: Rows) -> bytes:
    out = io.BytesIO()
    columns = [pyarrow.array(column) for column in zip(*rows[1:], strict=True)]
    pyarrow.parquet.write_table(pyarrow.Table.from_arrays(columns, names=rows[0]), out)
    return out.getvalue()


def as_json_lines(rows: Rows) -> bytes:
    return "".join(json.dumps(dict(zip(rows[0], row, strict=True))) + "\n" for row in rows[1:]).encode()


READABLE: dict[str, Callable[[Rows], bytes]] = {
    "semicolons.csv": lambda rows: text_of(rows, ";").encode(),
    "excel.csv": lambda rows: ("\ufeffsep=;\r\n" + text_of(rows, ";")).encode(),
    "tabs.tsv": lambda rows: text_of(rows, "\t").encode(),
    "utf16.csv": lambda rows: text_of(rows).encode("utf-16"),
    "book.xlsx": as_workbook,
    "packed.csv.gz": lambda rows: gzip.compress(text_of(rows).encode()),
    "table.parquet": as_parquet,
    "lines.jsonl": as_json_lines,
}


UNREADABLE: dict[str, tuple[Callable[[Rows], bytes], int | None, str, str]] = {
    "cp1252.csv": (
        lambda rows: text_of(rows).encode("cp1252"),
        2,
        "the file is not UTF-8 from line 2 on; it looks like Windows-1252 or Latin-1 (that byte is 'ü')",
        "save it as CSV UTF-8 (in Excel: Save as, 'CSV UTF-8'; in LibreOffice: character set 'Unicode (UTF-8)')",
    ),
    "nul.csv": (
        lambda rows: text_of(rows).replace("ü", "\0", 1).encode(),
        2,
        "the cell holds a NUL character",
        "remove it: text never contains one",
    ),
    "ragged.csv": (
        lambda rows: text_of([rows[0], [*rows[1], "more"], *rows[2:]]).encode(),
        2,
        "the row has 4 cells, the header has 3",
        "put cells that contain a separator in quotation marks",
    ),
    "empty.csv": (lambda _: b"", None, "the file has no header", "begin it with a row of column names"),
    "damaged.xlsx": (
        lambda rows: as_workbook(rows).replace(b"xl/worksheets/sheet1.xml", b"xl/worksheets/sheetX.xml"),
        None,
        "this is a damaged Excel workbook",
        "open it in a spreadsheet program and save it again, as XLSX or CSV UTF-8",
    ),
    "damaged.csv.gz": (
        lambda rows: gzip.compress(text_of(rows).encode())[:-9],
        None,
        "this is a damaged gzip archive",
        "pack the file again, or choose it unpacked",
    ),
}


class Ground:
    """A published release of a small suite, and a maintainer."""

    def __init__(self, mira: Any) -> None:
        load_catalogue()
        self.mira = mira
        self.suite: Suite = make_suite()
        self.release = make_release(self.suite, cascade="none")
        self.keys = list(self.release.cases.values_list("key", flat=True))


@pytest.fixture
def ground(mira) -> Ground:
    return Ground(mira)


@pytest.mark.parametrize("importer", IMPORTERS)
@pytest.mark.parametrize("name", READABLE)
def test_every_importer_reads_the_same_kinds_of_files(ground, tmp_path, importer, name):
    rows_of, read = IMPORTERS[importer]
    rows = rows_of(ground)
    path = tmp_path / name
    path.write_bytes(READABLE[name](rows))
    assert read(path, ground) == len(rows) - 1


@pytest.mark.parametrize("importer", IMPORTERS)
@pytest.mark.parametrize("name", UNREADABLE)
def test_every_importer_says_the_same_about_what_it_cannot_read(ground, tmp_path, importer, name):
    rows_of, read = IMPORTERS[importer]
    write, row, problem, fix = UNREADABLE[name]
    path = tmp_path / name
    path.write_bytes(write(rows_of(ground)))
    with pytest.raises(BadInput) as refused:
        read(path, ground)
    (found,) = refused.value.problems
    del found["column"]  # the tables of the importers have different columns
    assert found == {"file": name, "row": row, "problem": problem, "fix": fix, "severity": "error"}
