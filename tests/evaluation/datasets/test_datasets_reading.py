"""Labelled files of every kind become the same plain data, and what is wrong in them is said with its place."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.datasets.files.parts import assign_parts, join_parts
from evaluation.datasets.files.reading import read_labelled
from evaluation.datasets.files.values import LabelledData, Reading
from evaluation.datasets.labelled_files import read_lines

STORABLE = st.characters(exclude_categories=["Cs"], exclude_characters="\0")

ROWS = [
    ("first post\nwith a break", "hate", "train"),
    ("second, with a comma", "none", "test"),
    ('a "quoted" one', "hate", "dev"),
]


def written(folder: Path, name: str, content: str) -> Path:
    path = folder / name
    path.write_bytes(content.encode())
    return path


def data_of(reading: Reading) -> LabelledData:
    assert reading.data is not None, reading.problems
    return reading.data


def as_csv(folder: Path) -> Path:
    return written(
        folder,
        "a.csv",
        'text,label,split\n"first post\nwith a break",hate,train\n"second, with a comma",none,test\n'
        '"a ""quoted"" one",hate,dev\n',
    )


def as_tsv(folder: Path) -> Path:
    return written(
        folder,
        "a.tsv",
        'text\tlabel\tsplit\n"first post\nwith a break"\thate\ttrain\nsecond, with a comma\tnone\ttest\n'
        '"a ""quoted"" one"\thate\tdev\n',
    )


def as_jsonl(folder: Path) -> Path:
    lines = [json.dumps(dict(zip(("text", "label", "split"), row, strict=True))) for row in ROWS]
    return written(folder, "a.jsonl", "\n".join(lines))


def as_parquet(folder: Path) -> Path:
    import pyarrow
    import pyarrow.parquet

    columns = dict(zip(("text", "label", "split"), map(list, zip(*ROWS, strict=True)), strict=True))
    pyarrow.parquet.write_table(pyarrow.table(columns), folder / "a.parquet")
    return folder / "a.parquet"


@pytest.mark.parametrize("write", [as_csv, as_tsv, as_jsonl, as_parquet])
def test_every_format_gives_the_same_data_and_checksum(tmp_path, write):
    data = data_of(read_labelled(write(tmp_path)))
    assert list(zip(data.texts, data.labels, data.splits, strict=True)) == ROWS
    assert data.checksum == data_of(read_labelled(as_csv(tmp_path))).checksum


def test_the_checksum_changes_with_one_letter(tmp_path):
    before = data_of(read_labelled(written(tmp_path, "a.csv", "text,label\nabc,1\n")))
    after = data_of(read_labelled(written(tmp_path, "b.csv", "text,label\nabd,1\n")))
    assert before.checksum != after.checksum


def test_labels_are_collapsed_and_left_out_by_the_map(tmp_path):
    path = written(tmp_path, "a.csv", "tweet,class\na,0\nb,1\nc,2\nd,9\n")
    data = data_of(read_labelled(path, label_map={"0": "abusive", "1": "abusive", "2": "not", "9": None}))
    assert data.labels == ("abusive", "abusive", "not")
    assert data.rows == (2, 3, 4)
    assert data.is_label("abusive") == (True, True, False)


def test_a_label_outside_the_map_is_named_once_with_its_first_row(tmp_path):
    path = written(tmp_path, "a.csv", "tweet,class\na,0\nb,7\nc,7\n")
    reading = read_labelled(path, label_map={"0": "x"})
    assert reading.data is None
    [problem] = reading.problems
    assert (problem.file, problem.row, problem.column) == ("a.csv", 3, "class")
    assert "'7'" in problem.problem
    assert "2 rows" in problem.problem


def test_empty_texts_and_labels_are_located(tmp_path):
    reading = read_labelled(written(tmp_path, "a.csv", "text,label\n ,x\nb,\n"))
    assert [(problem.row, problem.column) for problem in reading.errors] == [(2, "text"), (3, "label")]


def test_a_row_of_the_wrong_width_is_located(tmp_path):
    reading = read_labelled(written(tmp_path, "a.csv", "text,label\na,x\nb,c,x\n"))
    assert reading.data is None
    assert reading.problems[0].row == 3
    assert "3 cells" in reading.problems[0].problem


def test_a_missing_column_lists_the_columns_there_are(tmp_path):
    path = written(tmp_path, "a.csv", "foo,bar\na,x\n")
    assert "foo, bar" in read_labelled(path, text_column="foo").problems[0].fix
    assert "'nope'" in read_labelled(path, text_column="nope", label_column="bar").problems[0].problem


def test_a_doubtful_guess_is_a_warning_not_an_error(tmp_path):
    reading = read_labelled(written(tmp_path, "a.csv", "text,tweet,label\na,b,x\n"))
    assert data_of(reading).texts == ("a",)
    assert reading.problems[0].severity == "warning"
    assert "'tweet'" in reading.problems[0].problem


def test_the_column_called_target_is_never_guessed_as_the_label(tmp_path):
    assert read_labelled(written(tmp_path, "a.csv", "text,target\na,x\n")).data is None


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.csv", b"", "no header"),
        ("a.csv", b"text,label\n", "no row"),
        ("a.csv", b"text,label\nok,x\n\xff\xfe,y\n", "not UTF-8 from line 3"),
        ("a.jsonl", b'{"text": "a", "label": "x"}\n[1]\nnot json\n', "not a JSON object"),
        ("a.parquet", b"PAR1nonsense", "Parquet"),
        ("a.csv", b"text,label,split\na,x,somewhere\n", "'somewhere' is not a part"),
    ],
)
def test_what_cannot_be_read_is_said(tmp_path, name, content, said):
    (tmp_path / name).write_bytes(content)
    reading = read_labelled(tmp_path / name)
    assert reading.data is None
    assert any(said in problem.problem for problem in reading.problems)


def test_a_file_that_is_not_there_is_a_problem_not_a_crash(tmp_path):
    assert "no such file" in read_labelled(tmp_path / "gone.csv").problems[0].problem


def test_validation_is_called_dev(tmp_path):
    path = written(tmp_path, "a.csv", "text,label,split\na,x,val\nb,x,Training\n")
    assert data_of(read_labelled(path)).splits == ("dev", "train")


def test_parts_from_several_files_are_joined(tmp_path):
    train = data_of(read_labelled(written(tmp_path, "a.csv", "text,label\na,x\nb,y\n")))
    test = data_of(read_labelled(written(tmp_path, "b.csv", "text,label\nc,x\n")))
    joined = join_parts({"train": train, "test": test})
    assert joined.split_counts == {"test": 1, "train": 2}
    assert joined.part("test").texts == ("c",)


def test_parts_are_assigned_by_lists_of_ids(tmp_path):
    data = data_of(read_labelled(written(tmp_path, "a.csv", "id,text,label\n7,a,x\n8,b,y\n9,c,x\n")))
    ids = written(tmp_path, "ids.txt", "7\n\n9\n")
    assert data_of(assign_parts(data, {"train": read_lines(ids), "test": ["8"]})).splits == ("train", "test", "train")


def test_ids_listed_twice_or_unknown_are_refused(tmp_path):
    data = data_of(read_labelled(written(tmp_path, "a.csv", "id,text,label\n7,a,x\n8,b,y\n")))
    reading = assign_parts(data, {"train": ["7"], "test": ["7", "99"]})
    assert reading.data is None
    assert {problem.problem for problem in reading.problems} == {
        "'7' is listed more than once",
        "No row has the id '99'",
    }


def test_a_part_nobody_belongs_to_is_refused(tmp_path):
    data = data_of(read_labelled(written(tmp_path, "a.csv", "text,label,split\na,x,train\n")))
    with pytest.raises(ValueError, match="no row belongs to test"):
        data.part("test")


@settings(deadline=None)
@given(st.lists(st.tuples(st.text(STORABLE, min_size=1).filter(str.strip), st.sampled_from("ab")), min_size=1))
def test_any_text_survives_json_lines(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("texts") / "a.jsonl"
    path.write_text(
        "".join(json.dumps({"text": text, "label": label}) + "\n" for text, label in rows), encoding="utf-8"
    )
    data = data_of(read_labelled(path))
    assert list(zip(data.texts, data.labels, strict=True)) == rows


def test_reading_leaves_the_limit_of_cells_to_other_readers(tmp_path):
    import csv

    file = tmp_path / "posts.csv"
    file.write_text("text,label\n" + "x" * 1_000_001 + ",abusive\nfine,neutral\n", encoding="utf-8")
    reading = read_labelled(file, text_column="text", label_column="label")
    assert any("1,000,001 characters" in problem.problem for problem in reading.problems)
    assert csv.field_size_limit() >= 2**31 - 1


def test_a_broken_parquet_file_does_not_tell_where_files_are_kept(tmp_path):
    (tmp_path / "a.parquet").write_bytes(b"PAR1nonsense")
    assert str(tmp_path) not in read_labelled(tmp_path / "a.parquet").problems[0].problem


def test_a_missing_number_is_an_empty_cell_and_columns_of_one_name_are_no_crash(tmp_path):
    import pyarrow
    import pyarrow.parquet

    columns = [pyarrow.array(["a", "b"]), pyarrow.array([1.0, float("nan")]), pyarrow.array([1, 2])]
    table = pyarrow.Table.from_arrays(columns, names=["text", "label", "label"])
    pyarrow.parquet.write_table(table, tmp_path / "a.parquet")
    reading = read_labelled(tmp_path / "a.parquet")
    assert [(problem.row, problem.problem) for problem in reading.errors] == [(3, "The label is empty")]


def test_ids_that_stand_in_several_rows_are_a_warning(tmp_path):
    path = written(tmp_path, "a.csv", "id,text,label\n1,a,x\n2,b,y\n1,c,x\n")
    reading = read_labelled(path)
    assert reading.data is not None
    assert "1 id in 'id' is in several rows: '1'" in reading.problems[0].problem


@pytest.mark.parametrize(
    ("name", "content", "row", "said"),
    [
        (
            "half.jsonl",
            b'{"text": "mild", "label": "x"}\n{"text": "a \\ud800 b", "label": "y"}\n',
            2,
            "half a character",
        ),
        ("null.csv", b"text,label\na\x00b,x\nc,y\n", 2, "NUL character"),
        ("null_label.jsonl", b'{"text": "mild", "label": "x\\u0000"}\n', 1, "NUL character"),
        ("numbers.csv", b"text,label\n" + b"".join(b"t,%d.5\n" % n for n in range(300)), 1, "300 different values"),
    ],
)
def test_what_no_database_or_model_can_use_is_refused_where_it_stands(tmp_path, name, content, row, said):
    (tmp_path / name).write_bytes(content)
    reading = read_labelled(tmp_path / name)
    assert reading.data is None
    assert reading.errors[0].row == row
    assert said in reading.errors[0].problem


def test_of_two_columns_of_one_name_the_first_is_taken_and_that_is_said(tmp_path):
    (tmp_path / "a.csv").write_text("text,text,label\na,b,x\n")
    reading = read_labelled(tmp_path / "a.csv")
    assert data_of(reading).texts == ("a",)
    assert "Two columns are called 'text'" in reading.problems[0].problem


def test_test_texts_that_stand_in_the_training_part_are_a_warning(tmp_path):
    path = written(tmp_path, "a.csv", "text,label,split\na,x,train\nb,y,train\na,x,test\nc,y,test\nb,y,dev\n")
    reading = read_labelled(path)
    assert reading.data is not None
    [problem] = reading.problems
    assert problem.severity == "warning"
    assert problem.problem == "1 text of the test part is also in the training part, in row 4"
