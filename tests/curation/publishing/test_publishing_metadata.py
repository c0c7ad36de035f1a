"""What an exported folder says about itself to archives, hubs and tools: Croissant, CodeMeta, CITATION.cff, card."""

import json
import re
from dataclasses import replace

import pytest
import yaml

from curation.publishing.labelling import Labelling
from curation.publishing.records import AgreementRecord, GuidelineRecord, ReleaseRecords
from curation.publishing.values import Author, ReleaseHead
from tests.curation.publishing.factories import export_folder
from tests.curation.publishing.test_publishing_export import CASES, a_case

DOI = "10.5072/zenodo.77"
HEAD = ReleaseHead(
    suite="demo",
    version="1.2.0",
    title="Demo: a suite",
    created="2026-11-16",
    description="Mild cases in two languages.",
    authors=(
        Author(given_names="Mira", family_name="Musterfrau", affiliation="The Lab", orcid="0000-0002-1825-0097"),
        Author(name="The Lab"),
    ),
    min_agree=2,
    raters=3,
    url="https://suites.example.org/releases/demo/1.2.0/",
    doi=DOI,
)
RECORDS = ReleaseRecords(
    agreement=(AgreementRecord("all", 26, 3, 0.61, 0.62, (0.5, 0.7), 3, 3),),
    excluded_by_reason={"disagreement": 4},
    labelling=Labelling(validated=26),
    annotators=9,
    demographics={"Age": {"18-29": 7, "60+": 2}},
    languages={"de": "German, de", "en": "English, en"},
    pay="12 EUR an hour",
    wellbeing="Breaks were offered.",
    labelled_from="2026-10-01",
    labelled_until="2026-10-20",
    guidelines=(GuidelineRecord("en", "v3", "What is hate?"),),
    prose={
        "collection_process": "Two experts wrote the templates.",
        "speech_situation": "Written for tests.",
        "uses": "Compare detectors.",
        "maintenance": "Write to the lab.",
        "annotator_demographic": "Students of linguistics.",
    },
)
# Terms of the context that CodeMeta 3.0 publishes, as far as a data set can use them.
CODEMETA = {
    "@context", "@type", "@id", "name", "description", "version", "datePublished", "identifier", "author", "license",
    "keywords", "isAccessibleForFree", "url", "schema:inLanguage",
}  # fmt: skip


@pytest.fixture
def folder(tmp_path):
    export_folder(HEAD, CASES, tmp_path / "out", formats=["huggingface", "croissant"], records=RECORDS)
    return tmp_path / "out"


def test_croissant_says_what_is_known_in_the_vocabulary_of_responsible_ai(folder):
    import mlcroissant

    metadata = mlcroissant.Dataset(jsonld=str(folder / "croissant.json")).metadata
    assert not metadata.issues.errors
    assert not metadata.issues.warnings
    assert metadata.conforms_to == ["http://mlcommons.org/croissant/1.1", "http://mlcommons.org/croissant/RAI/1.0"]
    assert metadata.in_language == ["de", "en"]
    assert metadata.data_collection == "Two experts wrote the templates. Cases by origin: template 26."
    assert metadata.data_collection_type == ["Manual Human Curator"]
    assert metadata.data_collection_raw_data == "Written for tests."
    assert metadata.data_collection_missing_data == "Cases that were left out, by reason: disagreement 4."
    assert [f"{day:%Y-%m-%d}" for day in metadata.data_collection_timeframe] == ["2026-10-01", "2026-10-20"]
    assert metadata.data_imputation_protocol == "No value was imputed: what is not known is empty."
    assert metadata.data_manipulation_protocol == "Cases were made from templates by filling in words of the lexicon."
    assert "were left out" in metadata.data_preprocessing_protocol[0]
    (protocol,) = metadata.data_annotation_protocol
    assert "Annotators chose one label per case: hateful, non-hateful." in protocol
    assert "What is hate? (en, v3)" in protocol
    assert "Pay: 12 EUR an hour" in protocol
    assert metadata.data_annotation_platform == ["Touchstone"]
    assert metadata.data_annotation_analysis[0].startswith("all: 26 cases with 3 labels each; Fleiss' kappa 0.61")
    assert metadata.annotations_per_item == "3"
    # Two people of 60 and more are too few to show, and with them the next smallest answer.
    assert metadata.annotator_demographics == [
        "Students of linguistics.", "9 annotators.", "Age: other answers: too few to show",
    ]  # fmt: skip
    assert metadata.data_biases[0] == "Gold labels: non-hateful 100.0 %."
    assert metadata.data_use_cases[0] == "Compare detectors."
    assert "English, en" in metadata.data_limitations[1]
    assert metadata.data_social_impact.endswith("Breaks were offered.")
    assert metadata.personal_sensitive_information[0] == "The texts speak about protected groups: Muslims, women."
    assert metadata.data_release_maintenance_plan.startswith("Write to the lab.")


def test_every_field_of_every_case_is_read_by_mlcroissant(folder):
    import mlcroissant

    dataset = mlcroissant.Dataset(jsonld=str(folder / "croissant.json"))
    described = {field.id.removeprefix("cases/") for field in dataset.metadata.record_sets[0].fields}
    lines = [json.loads(line) for line in (folder / "cases.jsonl").read_text(encoding="utf-8").splitlines()]
    assert described == set(lines[0]) - {"extra"}
    for record, line in zip(dataset.records("cases"), lines, strict=True):
        for name in described:
            assert plain(record[f"cases/{name}"]) == line[name], name


def plain(value: object) -> object:
    """Return a value as JSON has it: mlcroissant gives bytes, and NaN where nothing is known."""
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, list):
        return [plain(one) for one in value]
    return None if value != value else value


def test_what_is_not_known_is_left_out_of_croissant(tmp_path):
    export_folder(replace(HEAD, doi=""), [a_case(1, labels_given=())], tmp_path / "out", formats=["croissant"])
    said = json.loads((tmp_path / "out/croissant.json").read_bytes())
    assert "rai:annotatorDemographics" not in said
    assert "rai:dataCollectionTimeframe" not in said
    assert "identifier" not in said


def test_a_reserved_doi_stands_in_every_document(folder):
    citation = yaml.safe_load((folder / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["doi"] == DOI
    assert json.loads((folder / "croissant.json").read_bytes())["identifier"] == f"https://doi.org/{DOI}"
    assert json.loads((folder / "codemeta.json").read_bytes())["@id"] == f"https://doi.org/{DOI}"
    assert json.loads((folder / "manifest.json").read_bytes())["release"]["doi"] == DOI
    for name in ("DATA_STATEMENT.md", "DATASHEET.md", "huggingface/README.md"):
        assert f"https://doi.org/{DOI}" in (folder / name).read_text(encoding="utf-8"), name


def test_citation_has_what_its_format_requires(folder):
    """Check the required members and patterns of the Citation File Format 1.2.0."""
    citation = yaml.safe_load((folder / "CITATION.cff").read_text(encoding="utf-8"))
    assert {"authors", "cff-version", "message", "title"} <= set(citation)
    assert citation["cff-version"] == "1.2.0"
    assert citation["type"] == "dataset"
    assert re.fullmatch(r"\d{4}-\d{2}-\d{2}", str(citation["date-released"]))
    assert re.fullmatch(r"10\.\d{4,9}(\.\d+)?/[A-Za-z0-9:/_;\-.()\[\]\\]+", citation["doi"])
    assert citation["url"].startswith("https://")
    for author in citation["authors"]:
        assert set(author) <= {"family-names", "given-names", "affiliation", "orcid"} or set(author) == {"name"}
        assert re.fullmatch(
            r"https://orcid\.org/(\d{4}-){3}\d{3}[\dX]", author.get("orcid", "https://orcid.org/0000-0000-0000-0000")
        )
    allowed = {
        "cff-version", "message", "type", "title", "version", "date-released", "authors", "identifiers", "license",
        "license-url", "abstract", "keywords", "url", "doi",
    }  # fmt: skip
    assert set(citation) <= allowed


def test_codemeta_uses_terms_of_its_context_only(folder):
    said = json.loads((folder / "codemeta.json").read_bytes())
    assert set(said) == CODEMETA
    assert said["@context"] == "https://w3id.org/codemeta/3.0"
    assert said["version"] == "1.2.0"
    assert said["license"] == "https://spdx.org/licenses/CC-BY-4.0.html"
    person, body = said["author"]
    assert person == {
        "@type": "Person",
        "@id": "https://orcid.org/0000-0002-1825-0097",
        "givenName": "Mira",
        "familyName": "Musterfrau",
        "affiliation": {"@type": "Organization", "name": "The Lab"},
    }
    assert body == {"@type": "Organization", "name": "The Lab"}


def test_gold_labels_are_classes_for_datasets_and_texts_in_parquet(tmp_path, folder, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    import datasets
    import pyarrow.parquet as pq

    source = str(folder / "huggingface")
    for config, count in (("default", len(CASES)), ("de", 12), ("en", 14)):
        cases = datasets.load_dataset(source, config, cache_dir=str(tmp_path / "cache"))["test"]
        label = cases.features["label_gold"]
        assert label.names == ["hateful", "non-hateful"]
        assert {label.int2str(number) for number in cases["label_gold"]} == {"non-hateful"}
        assert len(cases) == count
        assert cases[0]["label_annotated"] == ["non-hateful", "hateful", "non-hateful"]
    stored = pq.read_table(folder / "huggingface/data/de/test.parquet")
    assert set(stored["label_gold"].to_pylist()) == {"non-hateful"}


def test_the_card_of_a_release_with_contrast_sets_names_all_columns(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    import datasets

    cases = [a_case(1, contrast_set="1", perturbation_set="orig"), a_case(2, label="mixed")]
    export_folder(HEAD, cases, tmp_path / "out", formats=["huggingface"])
    loaded = datasets.load_dataset(str(tmp_path / "out/huggingface"), cache_dir=str(tmp_path / "cache"))["test"]
    assert loaded["contrast_set"][0] == "1"
    assert loaded.features["label_gold"].names == ["hateful", "non-hateful", "mixed"]


def test_only_a_release_on_request_has_a_gate(tmp_path):
    for name, gate in (("open", ""), ("gated", "Use it for research only.")):
        export_folder(replace(HEAD, gate=gate), CASES, tmp_path / name, formats=["huggingface"])
        text = (tmp_path / name / "huggingface/README.md").read_text(encoding="utf-8")
        header = yaml.safe_load(text.split("---\n")[1])
        assert header.get("extra_gated_prompt", "") == gate
        manifest = json.loads((tmp_path / name / "manifest.json").read_bytes())
        assert manifest["release"].get("gate", "") == gate
