"""What can be tested on: exported folders, zips, tables and dataset folders."""

import csv
import json
import shutil
import zipfile

import pytest

from tests.touchstone.releases import small_cases, small_release
from touchstone import load_release
from touchstone.errors import Refused


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    return small_release(
        tmp_path_factory.mktemp("releases") / "small", formats=("csv", "jsonl", "parquet", "huggingface")
    )


def test_an_exported_folder_is_read_with_its_seal(exported):
    release = load_release(exported)
    assert (release.reference, len(release.cases), release.labels) == ("small@1.0.0", 48, ("hateful", "non-hateful"))
    assert release.sha256 == json.loads((exported / "manifest.json").read_text())["sha256"]
    assert {case.key for case in release.cases} == {case.key for case in small_cases()}


@pytest.mark.parametrize("inside", ["", "small-1.0.0/"])
def test_a_zip_is_the_same_release(exported, tmp_path, inside):
    with zipfile.ZipFile(tmp_path / "release.zip", "w") as packed:
        for file in exported.rglob("*"):
            if file.is_file():
                packed.write(file, inside + file.relative_to(exported).as_posix())
    assert load_release(tmp_path / "release.zip") == load_release(exported)


def test_a_damaged_zip_is_refused(tmp_path):
    (tmp_path / "release.zip").write_bytes(b"PK\x03\x04 nothing")
    with pytest.raises(Refused, match="damaged zip archive"):
        load_release(tmp_path / "release.zip")


def test_a_changed_case_is_named(exported, tmp_path):
    copy = shutil.copytree(exported, tmp_path / "copy")
    file = copy / "cases.csv"
    file.write_text(file.read_text().replace("I dislike women and number 0.", "I like women and number 0.", 1))
    with pytest.raises(Refused, match=r"was changed since it was published.*cases\.csv, case derog-0-0"):
        load_release(copy)


def test_another_checksum_than_the_expected_one_is_refused(exported):
    with pytest.raises(Refused, match="not 1234"):
        load_release(exported, sha256="1234")


def test_the_hugging_face_folder_is_verified_by_its_card(exported, tmp_path):
    release = load_release(exported / "huggingface")
    assert (release.reference, release.sha256) == ("small@1.0.0", load_release(exported).sha256)
    copy = shutil.copytree(exported / "huggingface", tmp_path / "copy")
    card = copy / "README.md"
    card.write_text(card.read_text().replace(release.sha256, "0" * 64))
    with pytest.raises(Refused, match="its cases give the checksum"):
        load_release(copy)


def test_another_dataset_folder_is_read_by_its_test_split(tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "train-0.jsonl").write_text('{"text": "a", "label": 1}\n')
    (tmp_path / "data" / "test-0.jsonl").write_text('{"text": "b", "label": 0}\n{"text": "c", "label": 1}\n')
    release = load_release(tmp_path)
    assert [(case.text, case.label) for case in release.cases] == [("b", "non-hateful"), ("c", "hateful")]
    assert release.sha256 == ""


def test_a_table_with_other_columns_needs_a_map(tmp_path):
    file = tmp_path / "posts.csv"
    file.write_text("post,kind,what\n'=2+2 is fine,ok,maths\nAway with them,bad,calls\n")
    with pytest.raises(Refused, match=r"no column holds the text. Name it: --columns text=COLUMN.*post, kind, what"):
        load_release(file)
    columns = {"text": "post", "label": "kind", "functionality": "what"}
    with pytest.raises(Refused, match=r"gold labels are bad, ok.*--gold-map"):
        load_release(file, columns=columns)
    release = load_release(file, columns=columns, gold_map={"ok": "non-hateful", "bad": "hateful"})
    assert [(case.key, case.text, case.label, case.functionality) for case in release.cases] == [
        ("2", "=2+2 is fine", "non-hateful", "maths"),
        ("3", "Away with them", "hateful", "calls"),
    ]
    named = load_release(file, columns=columns, labels=["bad", "ok"])
    assert named.positive == "bad"


@pytest.mark.parametrize(
    ("columns", "sentence"),
    [({"texts": "post"}, "'texts' cannot be mapped"), ({"text": "tweet"}, "has no column 'tweet'")],
)
def test_a_wrong_map_is_refused(tmp_path, columns, sentence):
    (tmp_path / "posts.csv").write_text("post,label\nHello,0\n")
    with pytest.raises(Refused, match=sentence):
        load_release(tmp_path / "posts.csv", columns=columns)


def test_ids_that_occur_twice_are_refused(tmp_path):
    (tmp_path / "posts.csv").write_text("id,text,label\n1,a,0\n1,b,1\n")
    with pytest.raises(Refused, match="the id '1' occurs twice"):
        load_release(tmp_path / "posts.csv")


def test_the_cases_of_a_release_are_the_same_as_a_table(exported):
    """The working columns are enough for results by functionality and group."""
    for one, other in zip(load_release(exported).rows(), load_release(exported / "cases.csv").rows(), strict=True):
        unknown = {"origin": "", "agreement": "", "votes": None}  # a table does not tell
        assert one | unknown == other | unknown


def test_a_part_has_cases_of_every_functionality(exported):
    part = load_release(exported).first(6)
    assert part.is_partial
    assert [case.functionality for case in part.cases].count("derog_h") == 3


def test_cases_are_a_data_frame(exported):
    frame = load_release(exported).frame
    with (exported / "cases.csv").open(newline="") as file:
        header = next(csv.reader(file))
    assert [name for name in frame.columns if name in header] == header[:-1]
    assert len(frame) == 48


def test_what_is_not_there_is_said(tmp_path):
    with pytest.raises(Refused, match="There is no file or folder"):
        load_release(tmp_path / "gone")
    with pytest.raises(Refused, match=r"it has no manifest\.json and no table"):
        load_release(tmp_path)
