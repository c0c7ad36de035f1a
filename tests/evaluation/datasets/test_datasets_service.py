"""Importing labelled data: kept as it came, private, refused with the place that is wrong."""

from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from core.errors import BadInput, NotAllowed, WrongState
from evaluation.datasets.options import DatasetOptions
from evaluation.datasets.services import delete_dataset, import_dataset, open_dataset
from evaluation.datasets.uploads import import_labelled
from evaluation.models import Dataset
from tests.evaluation.attacks.factories import as_csv, make_attack, make_dataset, upload

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def uploads(settings, tmp_path) -> Path:
    settings.MEDIA_ROOT = tmp_path / "uploads"
    return settings.MEDIA_ROOT


def test_a_file_is_kept_under_its_checksum_and_counted(mira, uploads):
    dataset = make_dataset(mira)
    assert (uploads / dataset.file).read_bytes() == as_csv()
    assert dataset.file == f"datasets/{dataset.sha256}.csv"
    assert dataset.labels == ["abusive", "fine"]
    assert dataset.counts == {"test": {"abusive": 10, "fine": 20}, "train": {"abusive": 30, "fine": 60}}
    assert open_dataset(dataset).split_counts == {"test": 30, "train": 90}


def test_the_same_file_read_the_same_way_is_the_same_data_set(mira):
    assert make_dataset(mira) == make_dataset(mira)
    assert make_dataset(mira, number=60) != make_dataset(mira)


def test_notes_on_a_file_are_told_and_their_wording_makes_no_other_data_set(mira):
    content = b"id,text,label\n1,a,x\n1,b,y\n"
    first = import_dataset(SimpleUploadedFile("d.csv", content), title="Twice", by=mira)
    [note] = first.notes
    assert note.startswith("1 id in 'id' is in several rows: '1'. Make sure")
    first.mapping["notes"] = ["Worded in another way."]
    first.save()
    assert import_dataset(SimpleUploadedFile("d.csv", content), title="Twice", by=mira) == first


def test_labels_are_collapsed_by_a_map(mira):
    file = SimpleUploadedFile("d.csv", b"tweet,class\na,0\nb,1\nc,2\nd,3\n")
    options = DatasetOptions(title="Collapsed", file=file, label_map="0 = abusive\n1 = abusive\n2 = fine\n3 =")
    dataset = import_labelled(options, by=mira)
    assert dataset.counts == {"all": {"abusive": 2, "fine": 1}}
    assert open_dataset(dataset).labels == ("abusive", "abusive", "fine")


@pytest.mark.parametrize(
    ("lines", "said"), [("0 abusive", "'0 abusive' is not a pair"), ("0 = a\n0 = b", "'0' is named twice")]
)
def test_a_bad_line_of_the_label_map_is_named(lines, said):
    with pytest.raises(BadInput, match=f"label_map: {said}"):
        DatasetOptions(title="Mapped", file=upload(), label_map=lines)


def test_a_bad_row_is_named_by_the_file_people_know_and_nothing_is_kept(mira, uploads):
    with pytest.raises(BadInput, match=r"bad\.csv, row 3, column 'label': The label is empty") as refused:
        import_dataset(SimpleUploadedFile("bad.csv", b"text,label\na,x\nb,\n"), title="Bad", by=mira)
    assert refused.value.problems[0]["row"] == 3
    assert not Dataset.objects.exists()
    assert list((uploads / "datasets").iterdir()) == []


@pytest.mark.parametrize("language", ["english", "!!", "en-" + "x" * 30])
def test_what_is_no_language_code_is_refused(mira, language):
    with pytest.raises(BadInput, match="is not a language code"):
        import_dataset(upload(), title="Mild", by=mira, language=language)


def test_only_maintainers_import(emil):
    with pytest.raises(NotAllowed):
        make_dataset(emil)


def test_data_is_private_to_its_owner_and_maintainers(mira, max_, emil, vic):
    dataset = make_dataset(mira)
    assert list(Dataset.objects.visible_to(max_)) == [dataset]
    assert not Dataset.objects.visible_to(emil).exists()
    Dataset.objects.update(owner=emil)
    assert list(Dataset.objects.visible_to(emil)) == [dataset]
    assert not Dataset.objects.visible_to(vic).exists()


def test_a_file_that_changed_on_disk_is_not_used(mira, uploads):
    dataset = make_dataset(mira)
    (uploads / dataset.file).write_bytes(as_csv(60))
    with pytest.raises(WrongState, match="changed on disk"):
        open_dataset(dataset)


def test_parts_in_several_files_become_one_data_set(mira, tmp_path):
    (tmp_path / "a.csv").write_text("text,label\nx,1\n")
    (tmp_path / "b.tsv").write_text("text\tlabel\ny\t0\nz\t1\n")
    options = DatasetOptions(title="Two", file=tmp_path / "a.csv", test_file=tmp_path / "b.tsv")
    dataset = import_labelled(options, by=mira)
    assert dataset.counts == {"test": {"0": 1, "1": 1}, "train": {"1": 1}}


def test_lists_of_ids_say_which_row_is_in_which_part(mira, tmp_path):
    (tmp_path / "a.csv").write_text("id,text,label\n7,x,1\n8,y,0\n")
    lists = {f"{part}_ids": tmp_path / f"{part}.txt" for part in ("train", "test")}
    for number, path in zip("78", lists.values(), strict=True):
        path.write_text(f"{number}\n")
    options = DatasetOptions(title="Ids", file=tmp_path / "a.csv", **lists)
    assert import_labelled(options, by=mira).counts == {"test": {"0": 1}, "train": {"1": 1}}
    lists["train_ids"].write_text("9\n")
    with pytest.raises(BadInput, match="No row has the id '9'"):
        import_labelled(options, by=mira)


def test_a_data_set_in_use_is_not_deleted(mira, uploads, django_capture_on_commit_callbacks):
    dataset = make_dataset(mira)
    make_attack(mira, dataset=dataset, built=False)
    with pytest.raises(WrongState, match="cannot be deleted"):
        delete_dataset(dataset, by=mira)
    other = import_dataset(upload(30, "other.csv"), title="Other", by=mira)
    with django_capture_on_commit_callbacks(execute=True):
        delete_dataset(other, by=mira)
    assert not (uploads / other.file).exists()
