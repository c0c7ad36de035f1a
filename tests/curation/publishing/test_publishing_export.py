"""Exporting a release: the same bytes every time, all or nothing, readable by the field's tools."""

import csv
import hashlib
import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from curation.publishing.annexes import AnnexDocument, AnnexTable
from curation.publishing.canonical import release_sha256
from curation.publishing.errors import PublishingError
from curation.publishing.export import FORMATS
from curation.publishing.manifest import read_manifest
from curation.publishing.readers import READERS
from curation.publishing.values import Author, FrozenCase, ReleaseHead
from tests.curation.publishing.factories import export_folder

HEAD = ReleaseHead(
    suite="demo",
    version="1.2.0",
    title="Demo: a suite",
    created="2026-11-16",
    description="Mild cases in two languages.",
    authors=(Author(given_names="Mira", family_name="Musterfrau", orcid="0000-0002-1825-0097"), Author(name="The Lab")),
)


def a_case(number: int, language: str = "en", **changes: object) -> FrozenCase:
    case = FrozenCase(
        key=f"{language}-{number}",
        language=language,
        functionality="ident_neutral_nh",
        functionality_class="identifier",
        text=f"Number {number} is, as they say, fine.",
        label="non-hateful",
        targets=("women",) if number % 2 else ("women", "Muslims"),
        template="12",
        labels_given=("non-hateful", "hateful", "non-hateful"),
        majority="non-hateful",
        disagreement_in_case=True,
        disagreement_in_template=True,
        extra=(("gender_female", "she"), ("gender_male", "he")),
    )
    return replace(case, **changes)  # type: ignore[arg-type]


CASES = [
    *(a_case(number, language) for language in ("de", "en") for number in range(1, 13)),
    a_case(13, text="=HYPERLINK(1)"),
    a_case(14, text='two\nlines, "quoted"', refers_to="en-13", targets=(), disagreement_in_case=None),
]


def export(out: Path, cases: list[FrozenCase] = CASES, **options: object) -> Path:
    export_folder(HEAD, iter(cases), out, **options)  # type: ignore[arg-type]
    return out


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_same_release_gives_the_same_bytes_in_any_order(tmp_path):
    one = export(tmp_path / "one", formats=FORMATS)
    two = export(tmp_path / "two", list(reversed(CASES)), formats=FORMATS)
    assert contents(one) == contents(two)


def test_the_manifest_names_every_file_with_its_digest(tmp_path):
    folder = export(tmp_path / "out", formats=FORMATS)
    manifest = read_manifest(folder)
    written = {name: body for name, body in contents(folder).items() if name not in ("manifest.json", "SHA256SUMS")}
    assert {entry.path: entry.sha256 for entry in manifest.files} == {
        name: hashlib.sha256(body).hexdigest() for name, body in written.items()
    }
    assert manifest.sha256 == release_sha256(CASES)
    assert manifest.cases == len(CASES)
    assert manifest.reference == "demo@1.2.0"


def test_sha256sum_checks_the_whole_folder(tmp_path):
    folder = export(tmp_path / "out", formats=FORMATS)
    told = subprocess.run(["sha256sum", "-c", "SHA256SUMS"], cwd=folder, capture_output=True, text=True, check=True)
    assert {line.removesuffix(": OK") for line in told.stdout.splitlines()} == set(contents(folder)) - {"SHA256SUMS"}


def test_cases_csv_begins_with_the_columns_that_scripts_rely_on(tmp_path):
    folder = export(tmp_path / "out", formats=["parquet"])
    header = (folder / "cases.csv").read_text(encoding="utf-8").splitlines()[0]
    assert header.startswith(
        "case_id,functionality,test_case,label_gold,target_ident,direction,focus_words,focus_lemma,"
        "ref_case_id,ref_templ_id,templ_id,case_templ,"
    )


def test_formulas_are_defused_in_csv_and_only_there(tmp_path):
    folder = export(tmp_path / "out", formats=["jsonl"])
    with (folder / "cases.csv").open(encoding="utf-8", newline="") as file:
        texts = {row["case_id"]: row["test_case"] for row in csv.DictReader(file)}
    assert texts["en-13"] == "'=HYPERLINK(1)"
    lines = map(json.loads, (folder / "cases.jsonl").read_text(encoding="utf-8").splitlines())
    assert {line["case_id"]: line["test_case"] for line in lines}["en-13"] == "=HYPERLINK(1)"


@pytest.mark.parametrize("name", sorted(READERS))
def test_every_case_file_gives_back_all_cases(tmp_path, name):
    folder = export(tmp_path / "out", formats=["jsonl", "parquet"])
    assert release_sha256(case for case, _ in READERS[name](folder / name)) == release_sha256(CASES)


def test_the_hatecheck_profile_has_hatechecks_columns(tmp_path):
    folder = export(tmp_path / "out", formats=["hatecheck"])
    with (folder / "hatecheck" / "en.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == [
        "",
        "functionality",
        "case_id",
        "test_case",
        "label_gold",
        "target_ident",
        "direction",
        "focus_words",
        "focus_lemma",
        "ref_case_id",
        "ref_templ_id",
        "templ_id",
        "case_templ",
    ]
    assert [row[""] for row in rows] == [str(number) for number in range(14)]
    assert rows[-1]["ref_case_id"] == "en-13"


def test_the_mhc_profile_has_one_file_per_language_and_mhcs_columns(tmp_path):
    folder = export(tmp_path / "out", formats=["mhc"])
    assert sorted(path.name for path in (folder / "mhc").iterdir()) == ["de.csv", "en.csv"]
    with (folder / "mhc" / "de.csv").open(encoding="utf-8", newline="") as file:
        row = next(csv.DictReader(file))
    assert row["mhc_case_id"] == "de-1"
    assert row["label_annotated"] == "['non-hateful', 'hateful', 'non-hateful']"
    assert (row["gender_male"], row["disagreement_in_case"]) == ("he", "True")


def test_annexes_are_written_and_listed(tmp_path):
    table = AnnexTable(
        "annotations", "All labels", (("case_id", ""), ("label", "")), (pair for pair in [("en-1", "=1+1")])
    )
    document = AnnexDocument("guidelines/en.md", "Guidelines", "# Read me\n")
    folder = export(tmp_path / "out", annexes=[table, document])
    assert (folder / "annexes/annotations.csv").read_text(encoding="utf-8") == "case_id,label\nen-1,'=1+1\n"
    assert (folder / "annexes/guidelines/en.md").read_text(encoding="utf-8") == "# Read me\n"
    assert read_manifest(folder).entry("annexes/guidelines/en.md") is not None


def test_an_unknown_format_is_refused_by_name(tmp_path):
    with pytest.raises(PublishingError, match="there is no format xls; known: csv, jsonl"):
        export(tmp_path / "out", formats=["xls"])


def test_a_full_folder_is_not_overwritten(tmp_path):
    folder = export(tmp_path / "out")
    before = contents(folder)
    with pytest.raises(PublishingError, match="exists already"):
        export(folder)
    assert contents(folder) == before


def test_an_empty_folder_may_be_filled(tmp_path):
    (tmp_path / "out").mkdir()
    assert read_manifest(export(tmp_path / "out")).cases == len(CASES)


@pytest.mark.parametrize(
    "cases",
    [[], [a_case(1), a_case(1)], [a_case(1, language="../up")]],
    ids=["none", "a repeated key", "a path as language"],
)
def test_a_failed_export_leaves_nothing_behind(tmp_path, cases):
    with pytest.raises(PublishingError):
        export(tmp_path / "out", cases, formats=FORMATS)
    assert list(tmp_path.iterdir()) == []


def test_the_hugging_face_folder_loads_offline(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    import datasets

    folder = str(export(tmp_path / "out", formats=["huggingface"]) / "huggingface")
    everything = datasets.load_dataset(folder, cache_dir=str(tmp_path / "cache"))["test"]
    german = datasets.load_dataset(folder, "de", cache_dir=str(tmp_path / "cache"))["test"]
    assert sorted(everything["case_id"]) == sorted(case.key for case in CASES)
    assert set(german["language"]) == {"de"}
    by_key = {row["case_id"]: row for row in everything}
    assert by_key["en-13"]["test_case"] == "=HYPERLINK(1)"
    assert by_key["en-14"]["disagreement_in_case"] is None


def test_two_releases_loaded_from_folders_of_the_same_name_are_not_mixed_up(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    import datasets

    texts = {}
    for version, text in (("1.0.0", "The first text."), ("1.1.0", "Another text.")):
        folder = tmp_path / version
        export_folder(replace(HEAD, version=version), [replace(CASES[0], text=text)], folder, formats=["huggingface"])
        loaded = datasets.load_dataset(str(folder / "huggingface"), cache_dir=str(tmp_path / "cache"))
        texts[version] = loaded["test"]["test_case"][0]
    assert texts == {"1.0.0": "The first text.", "1.1.0": "Another text."}


@pytest.mark.parametrize(
    ("licence", "card", "cff", "croissant"),
    [
        ("", {"license": "unknown"}, {}, None),
        ("MIT", {"license": "mit"}, {"license": "MIT"}, "https://spdx.org/licenses/MIT.html"),
        ("CC BY 4.0", {"license": "other", "license_name": "cc-by-4.0"}, {}, "CC BY 4.0"),
        (
            "https://example.org/terms",
            {"license": "other", "license_name": "see-link", "license_link": "https://example.org/terms"},
            {"license-url": "https://example.org/terms"},
            "https://example.org/terms",
        ),
    ],
)
def test_a_licence_is_said_as_each_format_knows_it(tmp_path, licence, card, cff, croissant):
    folder = tmp_path / "out"
    export_folder(replace(HEAD, licence=licence), CASES, folder, formats=["huggingface", "croissant"])
    header = yaml.safe_load((folder / "huggingface/README.md").read_text(encoding="utf-8").split("---\n")[1])
    assert {name: value for name, value in header.items() if name.startswith("license")} == card
    citation = yaml.safe_load((folder / "CITATION.cff").read_text(encoding="utf-8"))
    assert {name: value for name, value in citation.items() if name.startswith("license")} == cff
    assert json.loads((folder / "croissant.json").read_bytes()).get("license") == croissant


def test_the_dataset_card_has_a_header_the_hub_understands(tmp_path):
    folder = export(tmp_path / "out", formats=["huggingface"])
    _, header, body = (folder / "huggingface/README.md").read_text(encoding="utf-8").split("---\n", 2)
    card = yaml.safe_load(header)
    assert card["language"] == ["de", "en"]
    assert card["license"] == "cc-by-4.0"
    assert card["size_categories"] == ["n<1K"]
    named = ["label_names", "label_names_de", "label_names_en"]
    assert [config["config_name"] for config in card["configs"]] == ["default", "de", "en", *named]
    assert "Content warning" in body


def test_croissant_is_valid_and_its_records_are_the_cases(tmp_path):
    import mlcroissant

    folder = export(tmp_path / "out", formats=["croissant"])
    dataset = mlcroissant.Dataset(jsonld=str(folder / "croissant.json"))
    assert not dataset.metadata.issues.errors
    assert not dataset.metadata.issues.warnings
    texts = {row["cases/case_id"].decode(): row["cases/test_case"].decode() for row in dataset.records("cases")}
    assert texts == {case.key: case.text for case in CASES}


def test_croissant_rejects_a_tampered_file(tmp_path):
    import mlcroissant

    folder = export(tmp_path / "out", formats=["croissant"])
    path = folder / "cases.jsonl"
    path.write_bytes(path.read_bytes().replace(b"Number 7", b"Number 8", 1))
    dataset = mlcroissant.Dataset(jsonld=str(folder / "croissant.json"))
    with pytest.raises(mlcroissant.GenerationError):
        list(dataset.records("cases"))


def test_the_citation_names_people_bodies_version_and_checksum(tmp_path):
    citation = yaml.safe_load((export(tmp_path / "out") / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["cff-version"] == "1.2.0"
    assert citation["authors"] == [
        {
            "family-names": "Musterfrau",
            "given-names": "Mira",
            "orcid": "https://orcid.org/0000-0002-1825-0097",
        },
        {"name": "The Lab"},
    ]
    assert citation["title"] == "Demo: a suite"
    assert citation["version"] == "1.2.0"
    assert citation["identifiers"][0]["value"] == f"sha256:{release_sha256(CASES)}"


def test_the_documented_recipes_recompute_the_checksums(tmp_path):
    manual = (Path(__file__).parents[3] / "docs/releases.md").read_text(encoding="utf-8")
    python, shell = (
        re.search(rf"```{language}\n({start}.*?)```", manual, re.DOTALL)
        for language, start in (("python", "import hashlib"), ("sh", r"\{ echo"))
    )
    assert python
    assert shell
    folder = export(tmp_path / "out", formats=["jsonl"])
    subprocess.run([sys.executable, "-c", python[1]], cwd=folder, check=True)
    recipe = shell[1].replace("python -c", f"{sys.executable} -c")
    answer = subprocess.run(["bash", "-c", recipe], cwd=folder, check=True, capture_output=True, text=True)
    assert answer.stdout.split()[0] == release_sha256(CASES)
