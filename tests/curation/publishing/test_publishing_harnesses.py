"""Task files of an exported release: what is in them, that they are sealed like all files, and older folders."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from core.inference.questions import label_pattern, question_about
from curation.publishing.export import FORMATS
from curation.publishing.harnesses.inspect_tasks import TASK
from curation.publishing.manifest import read_manifest
from curation.publishing.verify import verify_folder
from tests.curation.publishing.factories import export_folder
from tests.curation.publishing.test_publishing_export import CASES, HEAD, a_case, contents, export


def task_files(folder: Path) -> set[str]:
    return {name for name in contents(folder) if name.startswith("harnesses/") or name.endswith("eval.yaml")}


@pytest.mark.parametrize("formats", [(), ("csv",), ("huggingface",), FORMATS])
def test_every_export_has_task_files(tmp_path, formats):
    folder = export(tmp_path / "out", formats=formats)
    tasks = {f"harnesses/lm_eval/touchstone_demo{part}{how}.yaml"
             for part in ("", "_de", "_en") for how in ("", "_generate")}  # fmt: skip
    others = {"README.md", "task.json", "cases/de.jsonl", "cases/en.jsonl", "inspect_ai/release.py", "geh.yaml"}
    expected = tasks | {f"harnesses/{name}" for name in others}
    assert task_files(folder) == expected | ({"huggingface/eval.yaml"} if "huggingface" in formats else set())


def test_other_files_are_the_same_as_without_task_files(tmp_path, monkeypatch):
    with_tasks = contents(export(tmp_path / "with", formats=FORMATS))
    monkeypatch.setattr("curation.publishing.export.write_harnesses", lambda *a, **k: None)
    without = contents(export(tmp_path / "without", formats=FORMATS))
    listed = {"manifest.json", "SHA256SUMS"}  # they list all files
    assert {name: body for name, body in with_tasks.items() if name in without and name not in listed} == {
        name: body for name, body in without.items() if name not in listed
    }
    assert read_manifest(tmp_path / "with").sha256 == read_manifest(tmp_path / "without").sha256


def test_a_folder_that_was_exported_before_there_were_task_files_is_intact(tmp_path, monkeypatch):
    monkeypatch.setattr("curation.publishing.export.write_harnesses", lambda *a, **k: None)
    folder = export(tmp_path / "old", formats=FORMATS)
    assert not task_files(folder)
    assert verify_folder(folder).is_intact


def test_an_altered_or_added_task_file_is_found(tmp_path):
    folder = export(tmp_path / "out", formats=FORMATS)
    assert verify_folder(folder).is_intact
    task = folder / "harnesses" / "inspect_ai" / "release.py"
    task.write_text(TASK + "\nimport os\n")
    assert [(found.file, found.problem) for found in verify_folder(folder).findings] == [
        ("harnesses/inspect_ai/release.py", "the file is not the published one")
    ]
    task.write_text(TASK)
    compiled = task.parent / "__pycache__" / "release.cpython-311.pyc"
    compiled.parent.mkdir()
    compiled.write_bytes(b"")
    assert [found.file for found in verify_folder(folder).findings] == [
        "harnesses/inspect_ai/__pycache__/release.cpython-311.pyc"
    ]


def test_the_cases_have_their_texts_as_they_are(tmp_path):
    folder = export(tmp_path / "out")
    lines = [json.loads(line) for path in sorted((folder / "harnesses" / "cases").iterdir())
             for line in path.read_text(encoding="utf-8").splitlines()]  # fmt: skip
    assert {line["case_id"]: (line["test_case"], line["label_gold"], line["unsafe"]) for line in lines} == {
        case.key: (case.text, case.label, case.label == "hateful") for case in CASES
    }


def test_one_language_has_no_tasks_of_its_own_and_three_labels_no_guards(tmp_path):
    head = replace(HEAD, labels=("hateful", "offensive", "neither"))
    folder = tmp_path / "out"
    export_folder(head, [a_case(1, label="neither")], folder)
    assert {name for name in task_files(folder) if "lm_eval" in name or "geh" in name} == {
        "harnesses/lm_eval/touchstone_demo.yaml", "harnesses/lm_eval/touchstone_demo_generate.yaml",
    }  # fmt: skip
    task = yaml.safe_load((folder / "harnesses" / "lm_eval" / "touchstone_demo.yaml").read_text())
    assert task["doc_to_choice"] == ["hateful", "offensive", "neither"]
    assert "hateful, offensive, neither?" in task["doc_to_text"]
    assert "geh" not in (folder / "harnesses" / "README.md").read_text()


@pytest.mark.parametrize(
    ("answer", "label"),
    [
        ("hateful", "hateful"),
        ("Non-hateful.", "Non-hateful"),
        ("**NON-HATEFUL**", "NON-HATEFUL"),
        ("I think it is hateful, not non-hateful", "hateful"),
        ("It is not hateful", None),
        ("hatefully", None),
        ("", None),
    ],
)
def test_the_pattern_finds_the_first_label(answer, label):
    found = re.search(label_pattern(("hateful", "non-hateful")), answer)
    assert (found and found[1]) == label


def test_labels_may_hold_what_patterns_and_templates_take_for_signs():
    labels = ("a{b}", "c|d")
    assert re.search(label_pattern(labels), "It is C|D!")[1] == "C|D"
    assert question_about(labels).count("{text}") == 1
