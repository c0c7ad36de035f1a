"""Reading CSV of unknown origin: encodings, separators, faults."""

import gzip
import io
import zipfile
from datetime import datetime

import openpyxl
import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.tables import binary, decoding
from core.tables.problems import Problem
from core.tables.reading import MAX_CELL_CHARACTERS, Table, read_table
from core.tables.writing import csv_bytes
from core.text import _, keep, recall

REQUIRED = ("functionality", "test_case")


@pytest.fixture
def read(tmp_path):
    def read(data: bytes, name: str = "cases.csv") -> Table:
        path = tmp_path / name
        path.write_bytes(data)
        return read_table(path, required=REQUIRED, optional=("label_gold",))

    return read


PLAIN = 'functionality,test_case\ngreeting,"Hello, Zoë"\nfarewell,Tschüß\n'
CELLS = [["greeting", "Hello, Zoë"], ["farewell", "Tschüß"]]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_unicode_encodings_are_recognised(read, encoding):
    table = read(PLAIN.encode(encoding))
    assert table.problems == []
    assert [cells for _, cells in table.rows] == CELLS


@pytest.mark.parametrize("separator", [";", "\t", "|"])
def test_the_separators_of_spreadsheets_are_recognised(read, separator):
    table = read(f"functionality{separator}test_case\ngreeting{separator}Hello, you\n".encode())
    assert table.problems == []
    assert [cells for _, cells in table.rows] == [["greeting", "Hello, you"]]


def test_excels_announcement_of_its_separator_is_not_the_header(read):
    table = read(b"sep=;\r\nfunctionality;test_case\r\ngreeting;\r\n")
    assert table.header == ["functionality", "test_case"]
    assert table.rows == [(3, ["greeting", ""])]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_every_kind_of_line_end_is_read(read, newline):
    table = read(PLAIN.replace("\n", newline).encode())
    assert [cells for _, cells in table.rows] == CELLS


def test_latin_1_is_refused_with_the_line_and_the_letter(read):
    (problem,) = read(PLAIN.encode("latin-1")).problems
    assert problem.row == 2
    assert "Latin-1" in problem.problem
    assert "'ë'" in problem.problem
    assert "UTF-8" in problem.fix


def _workbook() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (_workbook(), "Excel"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "Excel"),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "PNG"),
        (b"%PDF-1.7\n", "PDF"),
        (b"\x1f\x8b\x08\x00", "gzip"),
        (bytes(range(256)) * 20, "binary"),
    ],
)
def test_a_binary_file_is_named_for_what_it_is(read, data, word):
    (problem,) = read(data).problems
    assert word in problem.problem
    assert problem.fix


def test_an_empty_file_and_a_missing_one_and_a_folder_say_so(read, tmp_path):
    assert "no header" in read(b"").problems[0].problem
    assert "no header" in read(b"\n\n").problems[0].problem
    assert "no such file" in read_table(tmp_path / "absent.csv", required=REQUIRED).problems[0].problem
    assert "folder" in read_table(tmp_path, required=REQUIRED).problems[0].problem


def test_ten_million_characters_in_a_cell_are_refused_with_row_and_column(read):
    table = read(b"functionality,test_case\na,b\nc," + b"x" * 10_000_000 + b"\nd,e\n")
    (problem,) = table.problems
    assert (problem.row, problem.column) == (3, "test_case")
    assert "10,000,000" in problem.problem
    assert [number for number, _ in table.rows] == [2, 4]


def test_the_longest_accepted_cell_is_accepted(read):
    table = read(b"functionality,test_case\na," + b"x" * MAX_CELL_CHARACTERS + b"\n")
    assert table.problems == []
    assert len(table.rows) == 1


def test_a_missing_column_is_named_with_its_look_alike(read):
    (problem,) = read(b"Functionality,Test Case\na,b\n").problems[:1]
    assert problem.column == "functionality"
    assert "'Functionality' looks like it" in problem.problem


def test_a_column_that_occurs_twice_is_refused(read):
    table = read(b"functionality,test_case,test_case\na,b,c\n")
    assert not table.readable
    assert "twice" in table.problems[0].problem


def test_every_ragged_row_is_reported_and_the_others_are_kept(read):
    table = read(b"functionality,test_case\na\nb,c\nd,e,f\ng,h\n")
    assert [problem.row for problem in table.problems] == [2, 4]
    assert table.rows == [(3, ["b", "c"]), (5, ["g", "h"])]


def test_blank_lines_and_empty_cells_at_the_end_are_no_fault(read):
    table = read(b"functionality,test_case\n\na,b,,\n,\n\n")
    assert table.problems == []
    assert table.rows == [(3, ["a", "b"])]


def test_every_row_with_misplaced_quotation_marks_is_reported(read):
    table = read(b'functionality,test_case\na,"b"c\nd,e\nf,"g"h\ni,j\n')
    assert [problem.row for problem in table.problems] == [2, 4]
    assert [cells for _, cells in table.rows] == [["d", "e"], ["i", "j"]]


def test_a_quotation_mark_that_is_never_closed_is_reported_where_it_opens(read):
    table = read(b'functionality,test_case\na,b\nc,"d\ne,f\n')
    (problem,) = table.problems
    assert problem.row == 3
    assert "never closed" in problem.problem


def test_rows_are_counted_as_spreadsheets_do_also_with_line_breaks_in_cells(read):
    table = read(b'functionality,test_case\na,"b\nb\nb"\nc\n')
    assert table.problems[0].row == 3


def test_a_nul_character_is_reported_with_its_cell(read):
    (problem,) = read(b"functionality,test_case\na,b\0b\n").problems
    assert (problem.row, problem.column) == (2, "test_case")


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(data=st.one_of(st.binary(max_size=300), st.text(max_size=200).map(lambda text: text.encode("utf-8", "replace"))))
def test_no_bytes_at_all_crash_the_reader(read, data):
    table = read(data)
    assert isinstance(table.problems, list)
    assert all(len(cells) == len(table.header) for _, cells in table.rows)


names = st.sampled_from(["functionality", "test_case", "label_gold", "", "x", '"', "é"])
cells = st.text(alphabet=st.characters(blacklist_characters="\0", blacklist_categories=["Cs"]), max_size=8)


@given(rows=st.lists(st.tuples(cells.filter(str.strip), cells), max_size=6), newline=st.sampled_from(["\n", "\r\n"]))
def test_what_is_written_is_read_back(rows, newline):
    table = read_table(csv_bytes((REQUIRED, *rows), newline=newline), required=REQUIRED)
    assert table.problems == []
    assert [tuple(cells) for _, cells in table.rows] == rows


@pytest.mark.parametrize("text", ["te\0xt,label\na,b\n", '{"te\\u0000xt": "a"}\n', '{"te\\ud83dxt": "a"}\n'])
def test_a_name_of_a_column_that_cannot_be_stored_is_a_problem_that_can(tmp_path, text):
    path = tmp_path / "odd.csv"
    path.write_text(text)
    table = read_table(path, required=["text"])
    assert not table.readable
    assert table.problems[0].problem == "the name of column 1 holds a NUL character or half a character"
    assert all(problem.problem.encode().count(b"\0") == 0 for problem in table.problems)


def workbook(*rows: list, sheets: dict[str, list] | None = None, hidden: str = "") -> bytes:
    book, out = openpyxl.Workbook(), io.BytesIO()
    for row in rows:
        book.active.append(row)
    for title, cells in (sheets or {}).items():
        book.create_sheet(title).append(cells)
    if hidden:
        book[hidden].sheet_state = "hidden"
    book.save(out)
    return out.getvalue()


def test_cells_of_a_workbook_are_the_texts_a_spreadsheet_shows(read):
    day, moment = datetime(2026, 1, 31), datetime(2026, 1, 31, 14, 30)
    header = ["functionality", "test_case", "a", "b", "c", "d", "e", None]
    table = read(workbook(header, ["greeting", "Zoë", 17.0, 0.1 + 0.2, True, day, moment], [None], ["farewell", "Bye"]))
    assert table.problems == []
    assert table.rows == [
        (2, ["greeting", "Zoë", "17", "0.3", "true", "2026-01-31", "2026-01-31 14:30:00"]),
        (4, ["farewell", "Bye", "", "", "", "", ""]),
    ]


def test_the_first_visible_sheet_is_read_and_the_others_are_named(tmp_path):
    content = workbook(["x"], sheets={"Cases": [*REQUIRED], "Notes": ["n"]}, hidden="Sheet")
    table = read_table(content, required=REQUIRED, name="book.xlsx")
    assert table.header == [*REQUIRED]
    (problem,) = table.problems
    assert (problem.problem, problem.severity) == ("only the first sheet is read, not 'Notes'", "warning")
    assert read_table(content, sheet="Notes").header == ["n"]
    assert "choose from: Cases, Notes" in read_table(content, sheet="Other").problems[0].fix


def test_a_cell_behind_the_columns_of_a_sheet_is_located(read):
    (problem,) = read(workbook([*REQUIRED], ["a", "b", None, "c"])).problems
    assert (problem.row, problem.problem) == (2, "the row has 4 cells, the header has 2")


def sheet_of(xml: str) -> bytes:
    """A workbook whose sheet was written by an attacker."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(workbook(["x"]))) as given, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for name in given.namelist():
            namespace = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
            whole = f'<worksheet xmlns="{namespace}"><sheetData>{xml}</sheetData></worksheet>'
            made.writestr(name, whole if "sheet1" in name else given.read(name))
    return out.getvalue()


CELL = '<c r="{}1" t="inlineStr"><is><t>x</t></is></c>'


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (lambda: sheet_of(" " * 1_000_000), "bytes when unpacked"),
        (lambda: sheet_of(f'<row r="999999999999">{CELL.format("A")}</row>'), "more than 1,048,576 rows"),
        (lambda: sheet_of(f"<row>{CELL.format('XFD')}</row>" * 10), "more than 100,000 cells"),
        (lambda: gzip.compress(bytes(1_000_001)), "holds more than 1,000,000 bytes"),
        (lambda: as_parquet(["x" * 100_000] * 11), "1,000,000 characters"),
    ],
)
def test_files_that_unpack_to_too_much_are_refused(monkeypatch, content, said):
    monkeypatch.setattr(decoding, "MAX_FILE_BYTES", 1_000_000)
    monkeypatch.setattr(binary, "MAX_FILE_BYTES", 1_000_000)
    monkeypatch.setattr(binary, "MAX_CELLS", 100_000)
    (problem,) = read_table(content()).problems
    assert said in problem.problem
    assert "split" in problem.fix


def as_parquet(column: list[str]) -> bytes:
    out = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table({"text": column}), out)
    return out.getvalue()


def test_texts_without_quotation_are_read_as_they_are(tmp_path):
    table = read_table(b'lemma\tlevel\n"odd\tinclusive\n', quoted=False)
    assert table.rows == [(2, ['"odd', "inclusive"])]


def test_a_fault_behind_the_line_of_excel_has_its_row(read):
    (problem,) = read(b'sep=;\nfunctionality;test_case\na;"b"c\n').problems
    assert problem.row == 3


def test_a_problem_tells_its_place_as_far_as_it_is_known():
    known = {"problem": "the label is empty", "fix": "write one"}
    assert Problem("a.csv", 3, "label", **known).place == "a.csv, row 3, column 'label'"
    assert Problem("a.csv", 3, None, **known).place == "a.csv, row 3"
    assert Problem("a.csv", None, "label", **known).place == "a.csv, column 'label'"
    assert Problem("a.csv", None, None, **known).place == "a.csv"
    assert Problem("a.csv", 3, None, **known).sentences == "the label is empty; write one."


def test_a_problem_that_quotes_what_cannot_be_stored_is_still_a_text():
    table = Table("a.csv")
    table.add(1, "x\0", _("the label '%(label)s' is not known", label="a\0b"), _("write one"))
    (problem,) = table.problems
    assert (problem.column, problem.problem) == ("x\ufffd", "the label 'a\ufffdb' is not known")
    assert recall(keep(problem.problem)) == problem.problem
    assert keep(problem.problem) != problem.problem
