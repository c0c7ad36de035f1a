"""Reading CSV of unknown origin: encodings, separators, faults."""

from __future__ import annotations

import io
import zipfile

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from curation.formats.csv_text import csv_bytes
from curation.formats.tables import MAX_CELL_CHARACTERS, Table, parse_table, read_table

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
    text = csv_bytes((REQUIRED, *rows), newline=newline).decode()
    table = parse_table(text, Table("x.csv"), required=REQUIRED)
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
