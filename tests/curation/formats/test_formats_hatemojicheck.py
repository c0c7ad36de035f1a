"""HatemojiCheck's layout: both labels in one functionality, and contrast sets, from the file to the report."""

import csv
import io
import json

import pytest
from django.core.management import call_command

from curation.cases.coverage import coverage_matrix
from curation.formats.registry import read_suite
from curation.models import Functionality, Language, Release, Suite, TestCase
from evaluation.models import EvaluationRun
from evaluation.runs.failing import matching_predictions
from tests.curation.formats import hatemojicheck

pytestmark = pytest.mark.django_db


def run(*arguments: object) -> dict:
    out = io.StringIO()
    call_command(*map(str, arguments), "--json", stdout=out, stderr=io.StringIO())
    return json.loads(out.getvalue())


@pytest.fixture
def imported(tmp_path) -> dict:
    path = hatemojicheck.write(tmp_path / "hatemojicheck.csv")
    return run("import_suite", "emoji", "--format", "hatemojicheck", "--path", path)


def test_each_case_has_its_own_gold_label_and_its_functionality_is_mixed(imported):
    assert (imported["cases"], imported["functionalities"], imported["templates"]) == (28, 7, 7)
    assert set(Functionality.objects.filter(key__contains="emoji").values_list("gold_label", flat=True)) == {""}
    labels = dict(TestCase.objects.filter(contrast_set="g3").values_list("perturbation_set", "gold_label"))
    assert labels == {
        "original": "hateful", "identity perturbation": "hateful", "polarity perturbation": "non-hateful",
        "no emoji perturbation": "hateful",
    }  # fmt: skip
    assert TestCase.objects.filter(is_about_identity=True).count() == 28


def test_what_the_authors_left_out_is_not_imported_and_said_once(imported):
    assert not TestCase.objects.filter(key="999").exists()
    [said] = [one for one in imported["problems"] if one["column"] == "included_in_test_suite"]
    assert said["problem"] == "1 case is not part of the published test suite and is left out"
    assert {one["severity"] for one in imported["problems"]} == {"warning"}


def test_a_label_that_is_neither_1_nor_0_is_located(tmp_path):
    rows = hatemojicheck.rows()
    rows[2]["label_gold"] = "hateful"
    [problem] = [one for one in read_suite("hatemojicheck", hatemojicheck.write(tmp_path / "a.csv", rows)).problems
                 if one.severity == "error"]  # fmt: skip
    assert (problem.row, problem.column) == (4, "label_gold")
    assert problem.fix == "write 1 for hateful or 0 for non-hateful"


def test_the_suite_is_written_back_in_its_layout(imported, tmp_path):
    written = run("export_suite", "emoji", "--out", tmp_path / "out")
    assert (written["format"], written["files"]) == ("hatemojicheck", ["emoji.csv"])
    with (tmp_path / "out" / "emoji.csv").open(encoding="utf-8", newline="") as file:
        assert list(csv.DictReader(file)) == hatemojicheck.rows()[:-1]


def test_the_working_set_is_exported_with_its_sets_and_read_back(imported, tmp_path):
    run("export_cases", "emoji", "--out", tmp_path / "cases.csv")
    again = run("import_suite", "emoji", "--format", "csv", "--path", tmp_path / "cases.csv")
    assert not any([*again["new"].values(), *again["changed"].values()])
    run("import_suite", "copy", "--format", "csv", "--path", tmp_path / "cases.csv")
    facts = ("key", "gold_label", "contrast_set", "perturbation_set", "target__name")
    assert list(TestCase.objects.filter(suite__key="copy").order_by("key").values_list(*facts)) == list(
        TestCase.objects.filter(suite__key="emoji").order_by("key").values_list(*facts)
    )


@pytest.fixture
def labelled(imported, tmp_path) -> Suite:
    """Three annotators; all of them take the case 102 for hateful, which its gold label denies."""
    lines = ["case_id,annotator,label"]
    for key, gold in TestCase.objects.values_list("key", "gold_label"):
        lines += [f"{key},{name},{'hateful' if key == '102' else gold}" for name in ("ana", "bo", "cy")]
    (tmp_path / "labels.csv").write_text("\n".join(lines), encoding="utf-8")
    run("import_labels", "emoji", "--path", tmp_path / "labels.csv")
    return Suite.objects.get(key="emoji")


def test_labels_are_counted_against_the_gold_label_of_the_case(labelled):
    found = run("agreement", "emoji")
    assert (found["cases"], found["below_threshold"]) == (28, 1)
    frozen = run("freeze", "emoji", "--release", "1.0", "--cascade", "none")
    assert (frozen["included"], frozen["excluded_by_reason"]["disagreement"]) == (27, 1)


@pytest.fixture
def release(labelled) -> Release:
    run("freeze", "emoji", "--release", "1.0", "--min-agree", "0")
    return Release.objects.get()


def test_a_release_keeps_labels_and_sets_and_an_exported_one_verifies(release, tmp_path):
    formats = ["csv", "jsonl", "parquet", "huggingface", "croissant"]
    run("export_release", "emoji@1.0", "--out", tmp_path / "release", "--format", *formats)
    assert run("verify_release", tmp_path / "release")["intact"]
    assert run("verify_release", "emoji@1.0")["intact"]
    with (tmp_path / "release" / "cases.csv").open(encoding="utf-8", newline="") as file:
        cases = {case["case_id"]: case for case in csv.DictReader(file)}
    third = cases["102"]
    assert (third["label_gold"], third["contrast_set"], third["perturbation_set"]) == (
        "non-hateful", "g1", "polarity perturbation",
    )  # fmt: skip
    figures = json.loads((tmp_path / "release" / "statistics.json").read_text(encoding="utf-8"))
    assert (figures["contrast_sets"], figures["by_perturbation_set"]["original"]) == (7, 7)
    described = json.loads((tmp_path / "release" / "croissant.json").read_text(encoding="utf-8"))
    assert "contrast_set" in [field["name"] for field in described["recordSet"][0]["field"]]


def test_a_changed_set_in_an_exported_file_is_found(release, tmp_path):
    run("export_release", "emoji@1.0", "--out", tmp_path / "release")
    path = tmp_path / "release" / "cases.csv"
    path.write_text(path.read_text(encoding="utf-8").replace(",g2,original", ",g3,original"), encoding="utf-8")
    out = io.StringIO()
    with pytest.raises(Exception, match="contrast_set"):
        call_command("verify_release", str(tmp_path / "release"), stdout=out, stderr=out)


def test_results_are_reported_by_label_and_by_perturbation_set(release, tmp_path):
    """A model that finds all but case 300 hateful is wrong on polarity, and gets no set right."""
    lines = ["case_id,prediction"]
    lines += [
        f"{key},{'non-hateful' if key == '300' else 'hateful'}" for key in release.cases.values_list("key", flat=True)
    ]
    (tmp_path / "said.csv").write_text("\n".join(lines), encoding="utf-8")
    found = run("import_predictions", "emoji@1.0", "--model", "Always", "--path", tmp_path / "said.csv")
    values = found["models"]["Always"]
    assert (values["overall"]["n"], values["overall"]["correct"]) == (28, 20)
    assert {key: (one["correct"], one["n"]) for key, one in values["by_perturbation_set"].items()} == {
        "original": (6, 7), "identity perturbation": (7, 7), "polarity perturbation": (0, 7),
        "no emoji perturbation": (7, 7),
    }  # fmt: skip
    assert {key: one["n"] for key, one in values["by_label"].items()} == {"hateful": 21, "non-hateful": 7}
    assert values["by_functionality"]["emoji_as_word"]["label"] is None
    sets = values["contrast_sets"]
    assert (sets["n"], sets["all_right"], sets["none_right"], sets["consistency"]) == (7, 0, 0, 0.0)
    run("report", "emoji@1.0", "--models", "Always", "--out", tmp_path / "report", "--format", "html")
    [page] = (tmp_path / "report").glob("*.html")
    assert "Perturbation sets" in page.read_text(encoding="utf-8")
    run("report", "emoji@1.0", "--models", "Always", "--out", tmp_path / "crossed", "--format", "csv",
        "--cross", "functionality,perturbation_set")  # fmt: skip
    [table] = (tmp_path / "crossed").glob("*.csv")
    with table.open(encoding="utf-8", newline="") as file:
        cells = [row for row in csv.DictReader(file) if row["section"] == "functionality_by_perturbation_set"]
    assert {row["column"] for row in cells} == {
        "original", "identity perturbation", "polarity perturbation", "no emoji perturbation"
    }  # fmt: skip
    assert sum(int(row["n"]) for row in cells) == 28
    assert {row["correct"] for row in cells if row["column"] == "polarity perturbation"} == {"0"}
    made = EvaluationRun.objects.get()
    wanted = {"perturbation_set": "polarity perturbation"}
    assert matching_predictions(made, {"show": "all", **wanted}).count() == 7


def test_coverage_counts_the_groups_of_mixed_functionalities(imported):
    matrix = coverage_matrix(Suite.objects.get(key="emoji"), Language.objects.get(code="en"))
    [row] = [row for row in matrix.rows if row.functionality.key == "emoji_as_word"]
    assert {cell.target: cell.cases for cell in row.cells if cell.cases} == {"Muslims": 1, "women": 3}


def test_the_page_of_a_case_links_the_other_cases_of_its_contrast_set(imported, client, mira):
    client.force_login(mira)
    page = client.get("/cases/emoji/302/").content.decode()
    assert "polarity perturbation" in page
    for key in ("300", "301", "303"):
        assert f'href="/cases/emoji/{key}/"' in page
    assert 'href="/cases/emoji/400/"' not in page
