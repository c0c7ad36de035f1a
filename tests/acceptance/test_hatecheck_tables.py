"""Every cell of HateCheck's tables 1 to 4 for the two published models, to one decimal."""

import csv
import json

import pytest

from evaluation.metrics.columns import Columns, Row
from evaluation.metrics.compare import compare_models, rank_models
from evaluation.metrics.report import measure
from evaluation.metrics.scores import percent

LABELS = ("hateful", "non-hateful")
MODELS = ("B-D", "B-F")
CONTRASTS = {"negate_neg_nh", "ident_pos_nh", "counter_quote_nh", "counter_ref_nh"}


def read(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def rows(shared_data):
    """The rows of each model over the 3,728 released cases."""
    folder = shared_data / "hatecheck"
    cases = {case["case_id"]: case for case in read(folder / "all_cases.csv")}
    predictions = read(folder / "model_predictions.csv")
    return {model: [row_of(cases[p["case_id"]], p[model]) for p in predictions] for model in MODELS}


def row_of(case, predicted):
    return Row(
        case=case["case_id"],
        gold=case["label_gold"],
        predicted=predicted,
        functionality=case["functionality"],
        functionality_class=case["functionality"].split("_")[0],
        language="en",
        targets=(case["target_ident"],) if case["target_ident"] else (),
        is_identity_template="[IDENTITY" in case["case_templ"],
        direction=case["direction"].strip("-"),
        focus_word=case["focus_lemma"],
        origin="template",
        template=case["templ_id"],
        refers_to=case["ref_case_id"] or None,
    )


@pytest.fixture(scope="module")
def reports(rows):
    return {model: measure(rows[model], labels=LABELS, positive="hateful") for model in MODELS}


def cell(report, table, key):
    tables = {
        "1": report["by_functionality"],
        "2": {**report["by_label"], "total": report["overall"]},
        "3": report["by_slur"]["slur_reclaimed_nh"],
        "4": report["by_target"],
    }
    return tables[table][key]


@pytest.mark.parametrize("model", MODELS)
def test_every_published_cell_is_reproduced(shared_data, reports, model):
    published = read(shared_data / "hatecheck" / "published_accuracy.csv")
    assert len(published) == 44
    wrong = {}
    for line in published:
        found = cell(reports[model], line["table"], line["key"])
        printed = str(percent(found["correct"], found["n"]))
        if printed != line[model] or (line["n"] and found["n"] != int(line["n"])):
            wrong[line["table"], line["key"]] = (printed, line[model])
    assert wrong == {}


def test_the_tables_have_no_cell_that_was_not_published(shared_data, reports):
    published = read(shared_data / "hatecheck" / "published_accuracy.csv")
    report = reports["B-D"]
    for table, keys in (
        ("1", report["by_functionality"]),
        ("3", report["by_slur"]["slur_reclaimed_nh"]),
        ("4", report["by_target"]),
    ):
        assert set(keys) == {line["key"] for line in published if line["table"] == table}


def test_each_functionality_has_one_gold_label(reports):
    for key, found in reports["B-D"]["by_functionality"].items():
        assert found["label"] == ("non-hateful" if key.endswith("_nh") else "hateful")


def test_a_report_is_plain_json_with_shares(reports):
    text = json.dumps(reports["B-D"], allow_nan=False)
    again = json.loads(text)
    assert again["overall"]["n"] == 3728
    low, high = again["overall"]["ci95_over_templates"]["macro_f1"]
    assert 0 < low < again["overall"]["macro_f1"] < high < 1


def test_the_model_that_overlooks_hate_against_women_shows_a_gap(reports):
    gaps = reports["B-D"]["gaps"]["target"]
    assert gaps["largest"]["lowest"] == "women"
    assert gaps["groups"]["women"]["difference"] < -0.3
    assert gaps["groups"]["women"]["p_holm"] < 0.001


def test_references_split_into_contrasts_and_perturbations(reports):
    report = reports["B-F"]
    assert report["contrast_pairs"]["n"] + report["perturbed_pairs"]["n"] == 2046
    assert set(report["contrast_pairs"]["by_functionality"]) == CONTRASTS
    assert report["contrast_pairs"]["consistency"] < report["perturbed_pairs"]["consistency"]


def test_the_trivial_baselines_stand_beside(reports):
    always = reports["B-D"]["baselines"]["always hateful"]
    assert always["accuracy"] == pytest.approx(2563 / 3728)
    assert always["accuracy"] > reports["B-D"]["overall"]["accuracy"]


def test_the_two_models_are_compared(rows):
    first, second = (Columns.of(rows[model], labels=LABELS) for model in MODELS)
    found = compare_models(first, second)
    assert found["overall"]["p_mcnemar"] == pytest.approx(0.000331, abs=1e-6)
    assert found["overall"]["p"] == pytest.approx(0.009638, abs=1e-6)
    significant = {key for key, result in found["by_functionality"].items() if result["is_significant"]}
    assert significant == {"negate_pos_h", "ident_neutral_nh", "ident_pos_nh", "target_indiv_nh"}
    assert {key for key, result in found["by_functionality"].items() if result["p"] is None} == {
        "slur_homonym_nh",
        "profanity_nh",
    }
    # B-D is right more often, but by macro F1 the two cannot be told apart.
    assert found["overall"]["macro_f1_p"] > 0.05
    ranking = rank_models({"B-D": first, "B-F": second})
    assert [(entry["rank"], round(entry["macro_f1"], 3)) for entry in ranking] == [(1, 0.563), (1, 0.559)]
