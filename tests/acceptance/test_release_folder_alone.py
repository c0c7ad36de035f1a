"""The folder of a release alone gives the first table of HateCheck's paper and its appendices."""

import csv
import json

import pytest
from django.core.management import call_command

pytestmark = pytest.mark.django_db


@pytest.fixture
def folder(shared_data, tmp_path):
    call_command("import_suite", "hatecheck", "--format", "hatecheck", "--path", str(shared_data / "hatecheck"))
    call_command("freeze", "hatecheck", "--release", "1.0", "--without-labels", "include", "--reason", "A test.")
    call_command("export_release", "hatecheck@1.0", "--out", str(tmp_path / "release"))
    return tmp_path / "release"


def rows(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_table_1_is_rebuilt_from_the_exported_folder(folder, shared_data):
    cases = rows(folder / "cases.csv")
    described = {row["functionality"]: row for row in rows(folder / "annexes/functionalities.csv")}
    published = [row for row in rows(shared_data / "hatecheck/published_accuracy.csv") if row["table"] == "1"]
    assert [row["number"] for row in described.values()] == [f"F{number}" for number in range(1, 30)]
    assert set(described) == {row["key"] for row in published}
    predictions = {row["case_id"]: row for row in rows(shared_data / "hatecheck/model_predictions.csv")}
    for line in published:
        row = described[line["key"]]
        own = [case for case in cases if case["functionality"] == line["key"]]
        assert int(row["cases"]) == len(own) > 0
        assert json.loads(row["cases_by_label"]) == {row["gold_label"]: len(own)}
        assert {case["functionality_class"] for case in own} == {row["class"]}
        for model in ("B-D", "B-F"):
            right = sum(predictions[case["case_id"]][model] == row["gold_label"] for case in own)
            assert f"{100 * right / len(own):.1f}" == line[model], (line["key"], model)
    assert sum(int(row["cases"]) for row in described.values()) == 3728


def test_every_functionality_has_title_definition_example_and_references(folder):
    for row in rows(folder / "annexes/functionalities.csv"):
        for name in ("class_title", "title", "definition", "example", "example_language"):
            assert row[name], (row["functionality"], name)
        references = json.loads(row["references"])
        assert any("HateCheck: Functional Tests for Hate Speech Detection Models" in text for text in references)


def test_the_target_groups_of_the_appendix_are_counted(folder):
    found = {row["target"]: row for row in rows(folder / "annexes/groups.csv")}
    cases = rows(folder / "cases.csv")
    assert len(found) == 7
    for target, row in found.items():
        assert int(row["cases"]) == sum(case["target_ident"] == target for case in cases)
        assert row["group"]
        assert row["characteristic"]
