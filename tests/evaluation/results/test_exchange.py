"""Results in the formats of others: the Hugging Face Hub and Every Eval Ever."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from io import StringIO

import pytest
import yaml
from django.core.management import call_command
from django.core.management.base import CommandError
from huggingface_hub import eval_result_entries_to_yaml, parse_eval_result_entries

from evaluation.reports.exchange.evaluated import Evaluated
from evaluation.reports.exchange.every_eval_ever import as_every_eval_ever
from evaluation.reports.exchange.hub_entries import NoEntries, as_hub_entries
from tests.curation.releases.factories import make_release, make_suite
from tests.evaluation.factories import allow_models, run_model
from tests.evaluation.results.test_evaluation_api import api_of
from tests.peers.environment import run_peer
from tests.touchstone.releases import never_hateful, small_release
from touchstone import evaluate
from touchstone.cli import main

DOCUMENTS = "/api/v1/results/documents"
GOOD = "python:tests.touchstone.releases:by_word"


@pytest.fixture(scope="module")
def evaluated(tmp_path_factory) -> Evaluated:
    """A model that is right about half of the cases."""
    folder = small_release(tmp_path_factory.mktemp("exchange") / "small")
    result = evaluate(folder, never_hateful, name="Never hateful")
    return Evaluated(
        suite="small",
        version="1.0.0",
        sha256=result.sha256,
        url="https://touchstone.example.org/releases/small/1.0.0/",
        model="Never hateful",
        finished_at=datetime(2026, 3, 4, 17, 5, tzinfo=UTC),
        measures=result.measures,
        environment={"kind": "chat", "model": "some-model", "prompt": "Is it hateful? {text}", "temperature": 0.0},
        software="1.2.3",
        hub_dataset="lab/small",
        organisation="Example Lab",
    )


def test_an_entry_for_the_hub_is_read_by_its_library(evaluated):
    written = yaml.safe_load(as_hub_entries(evaluated))
    (entry,) = parse_eval_result_entries(written)
    assert (entry.dataset_id, entry.task_id, entry.value) == ("lab/small", "small", 50.0)
    assert entry.date == "2026-03-04T17:05:00+00:00"
    assert evaluated.sha256 in entry.notes
    assert eval_result_entries_to_yaml([entry]) == written


def test_each_language_has_an_entry_under_the_task_of_the_eval_yaml(evaluated):
    overall = evaluated.measures["overall"]
    measures = {**evaluated.measures, "by_language": {"en": overall, "de": {**overall, "accuracy": 0.25}}}
    entries = parse_eval_result_entries(yaml.safe_load(as_hub_entries(replace(evaluated, measures=measures))))
    assert [(entry.task_id, entry.value) for entry in entries] == [
        ("small", 50.0), ("small_de", 25.0), ("small_en", 50.0),
    ]  # fmt: skip
    only = replace(evaluated, measures={**measures, "by_language": {"de": overall}}, languages=("de",))
    assert [one.task_id for one in parse_eval_result_entries(yaml.safe_load(as_hub_entries(only)))] == ["small_de"]


@pytest.mark.parametrize("dataset", ["", "small", "a/b/c", "https://huggingface.co/datasets/lab/small"])
def test_an_entry_needs_the_dataset_on_the_hub(evaluated, dataset):
    with pytest.raises(NoEntries, match="not a dataset on the Hugging Face Hub"):
        as_hub_entries(replace(evaluated, hub_dataset=dataset))


@pytest.mark.slow
@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"hub_dataset": "", "organisation": ""},
        {"hub_dataset": "", "url": "", "software": "", "environment": {"kind": "upload"}},
        {"environment": {"kind": "hf", "model": "lab/detector", "revision": "abc", "fingerprint": "f"}},
    ],
    ids=["all", "address", "least", "hub model"],
)
def test_a_record_fits_the_schema_of_every_eval_ever(evaluated, tmp_path, changes):
    (tmp_path / "record.json").write_text(as_every_eval_ever(replace(evaluated, **changes)))
    found = run_peer("validate_every_eval_ever.py", tmp_path / "record.json", cwd=tmp_path, home=tmp_path)
    assert json.loads(found) == []


def test_a_record_has_the_figures_and_leaves_out_what_is_undefined(evaluated):
    record = json.loads(as_every_eval_ever(evaluated))
    found = {one["evaluation_result_id"]: one for one in record["evaluation_results"]}
    overall = found["small: accuracy"]["score_details"]
    assert overall["score"] == 0.5
    assert overall["details"]["n"] == "48"
    low, high = evaluated.overall["ci95"]
    assert (
        overall["uncertainty"]["confidence_interval"] | {"lower": low, "upper": high}
        == (overall["uncertainty"]["confidence_interval"])
    )
    assert found["small: functionality derog_h: accuracy"]["score_details"]["score"] == 0.0
    assert found["small: f1_macro"]["score_details"]["score"] == pytest.approx(evaluated.overall["macro_f1"])
    # An F1 of a label that no case of the language has is undefined, not 0.
    undefined = {**evaluated.overall, "macro_f1": None, "f1": {"hateful": None, "non-hateful": 0.5}}
    record = json.loads(as_every_eval_ever(replace(evaluated, measures={**evaluated.measures, "overall": undefined})))
    names = [one["evaluation_result_id"] for one in record["evaluation_results"]]
    assert "small: f1_macro" not in names
    assert "small: F1 of hateful: f1" not in names


def test_a_model_of_the_hub_has_its_id_there_and_others_none_that_could_be_taken_for_one(evaluated):
    assert evaluated.model_id == "unknown/Never-hateful"
    of_hub = replace(evaluated, environment={"kind": "hf", "model": "lab/detector", "revision": "abc"})
    assert of_hub.model_id == "lab/detector"
    assert replace(of_hub, environment={"kind": "hf", "model": "models/mine", "revision": ""}).hub_model == ""


def test_both_are_formats_of_the_command_without_a_server(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("TOUCHSTONE_VAR", str(tmp_path / "var"))
    folder = str(small_release(tmp_path / "small"))
    wanted = ["--out", str(tmp_path / "out"), "--format", "eval_results", "every_eval_ever"]
    assert main(["evaluate", folder, "--model", GOOD, *wanted]) == 1
    assert "eval_results needs --hub-dataset ORG/NAME" in capsys.readouterr().err
    more = ["--hub-dataset", "lab/small", "--organisation", "Example Lab"]
    assert main(["evaluate", folder, "--model", GOOD, *wanted, *more]) == 0
    (entry,) = yaml.safe_load((tmp_path / "out" / "report-small-1.0.0.eval_results.yaml").read_text())
    assert entry["value"] == 100.0
    record = json.loads((tmp_path / "out" / "report-small-1.0.0.every_eval_ever.json").read_text())
    assert record["source_metadata"]["source_organization_name"] == "Example Lab"
    assert main(["evaluate", folder, "--model", GOOD, *wanted, *more, "--limit", "4"]) == 1
    assert "Results of a part of the cases are not for others" in capsys.readouterr().err


@pytest.fixture
def release(settings, tmp_path, mira):
    settings.VAR = tmp_path
    allow_models(settings)
    return make_release(make_suite(by=mira), cascade="none", by=mira)


@pytest.fixture
def words(release, mira):
    return run_model(release, "by_word", name="Words", by=mira)


def test_the_api_gives_both_for_one_model(release, words, mira):
    api = api_of(mira)
    answer = api.get(f"{DOCUMENTS}/eval_results/", {"run": words.key, "hub_dataset": "lab/small"})
    assert answer["Content-Disposition"] == 'attachment; filename="report-small-1.0.0.eval_results.yaml"'
    (entry,) = parse_eval_result_entries(yaml.safe_load(answer.content))
    assert entry.value == 100 * words.report.values["overall"]["accuracy"]
    record = api.get(f"{DOCUMENTS}/every_eval_ever/", {"run": words.key, "organisation": "Example Lab"}).json()
    assert record["model_info"]["name"] == "Words"
    refused = api.get(f"{DOCUMENTS}/eval_results/", {"run": words.key})
    assert (refused.status_code, "Name the one that holds the release" in refused.content.decode()) == (422, True)
    always = run_model(release, "always_hateful", name="Always", by=mira)
    both = api.get(f"{DOCUMENTS}/every_eval_ever/", {"run": [words.key, always.key]})
    assert (both.status_code, "about one model" in both.content.decode()) == (422, True)


def test_the_command_writes_a_file_for_each_model(release, words, mira, tmp_path):
    run_model(release, "always_hateful", name="Always", by=mira)
    out = StringIO()
    formats = ("--format", "every_eval_ever", "eval_results")
    with pytest.raises(CommandError, match="not a dataset on the Hugging Face Hub"):
        call_command("report", release.key, "--out", tmp_path / "out", *formats, stdout=out, stderr=StringIO())
    more = ("--hub-dataset", "lab/small", "--json")
    call_command("report", release.key, "--out", tmp_path / "out", *formats, *more, stdout=out, stderr=StringIO())
    assert sorted(file.name for file in (tmp_path / "out").iterdir()) == [
        f"{model}-report-small-1.0.0.{ending}"
        for model in ("always", "words")
        for ending in ("eval_results.yaml", "every_eval_ever.json")
    ]


def test_the_page_of_a_run_offers_both(client, words, mira):
    client.force_login(mira)
    page = client.get(words.get_absolute_url()).content.decode()
    assert "Publish these results elsewhere" in page
    answer = client.get("/results/download/eval_results/", {"run": words.key, "hub_dataset": "lab/small"})
    assert yaml.safe_load(answer.content)[0]["dataset"] == {"id": "lab/small", "task_id": "small"}
