"""Our reading of GPT-HateCheck's rules, over its released outputs."""

import csv
from collections import Counter
from pathlib import Path

import pytest

from curation.catalogue.loading import load_catalogue
from generation.checks.algorithm.pass_rates import pass_rates
from generation.checks.algorithm.rule_sets import read_rule_set
from generation.checks.algorithm.rules import RuleError, evaluate
from generation.checks.options import LabelFileOptions
from generation.checks.studies import quality_from_files
from generation.checks.versions import load_published_wording
from tests.acceptance.published_rules import answers_from_columns

HYPOTHESES = Path(__file__).resolve().parents[2] / "fixtures" / "nli" / "hypotheses.json"


@pytest.fixture(scope="module")
def published(shared_data):
    with (shared_data / "gpt_hatecheck" / "cases_without_text.csv").open(encoding="utf-8", newline="") as file:
        cases = {row["case_id"]: row for row in csv.DictReader(file)}
    with (shared_data / "gpt_hatecheck" / "nli_outputs.csv").open(encoding="utf-8", newline="") as file:
        outputs = list(csv.DictReader(file))
    return cases, outputs


@pytest.fixture(scope="module")
def verdicts(published):
    cases, outputs = published
    rule_set = read_rule_set(HYPOTHESES, variant="as_published")
    rule_of = {rule.number: rule.rule for rule in rule_set.rules.values()}
    return {
        row["case_id"]: evaluate(
            rule_of[cases[row["case_id"]]["functionality"].split(":")[0]], answers_from_columns(rule_set, row)
        )
        for row in outputs
    }


def test_every_published_verdict_comes_out(published, verdicts):
    _, outputs = published
    exceptions = {row["case_id"] for row in outputs if verdicts[row["case_id"]] is not (row["nli_pass_test"] == "1")}
    assert len(outputs) == 5874
    assert exceptions == set()


def test_the_number_that_passes_is_the_sum_of_the_papers_rows(verdicts):
    assert Counter(verdicts.values()) == {True: 4728, False: 1146}


def test_no_verdict_is_undecided_although_columns_are_not_asked(verdicts):
    assert None not in verdicts.values()


def test_other_readings_of_the_paper_give_other_numbers(published):
    """What the paper prints for reclaimed slurs and positive statements would let fewer pass."""
    cases, outputs = published
    rule_set = read_rule_set(HYPOTHESES, variant="as_published")
    answers = {row["case_id"]: answers_from_columns(rule_set, row) for row in outputs}

    def count(number, holds):
        return sum(holds(answers[key]) for key in answers if cases[key]["functionality"].startswith(number + ":"))

    def reclaimed(a):
        return a["about_group"] and not a["negative_sentiment"] and (a["about_myself"] or a["about_us"])

    def positive(a):
        return a["about_group"] and a["positive"] and not a["hate_speech"]

    assert count("F9", reclaimed) == 93
    assert count("F19", positive) == 261


def test_pass_rates_by_functionality_and_group_add_up(published, verdicts):
    cases, _ = published
    cells = pass_rates((case["functionality"], case["target_group"], verdicts[key]) for key, case in cases.items())
    assert sum(cell.passed for cell in cells) == 4728
    assert sum(cell.failed for cell in cells) == 1146
    assert {cell.group for cell in cells} == {case["target_group"] for case in cases.values()}


@pytest.mark.django_db
def test_the_published_wording_is_loaded_from_the_users_copy(shared_data, mira):
    rule_set = read_rule_set(HYPOTHESES, variant="as_published")
    assert not any(test.hypothesis for test in rule_set.hypothesis_tests.values())
    load_catalogue()
    path = shared_data / "gpt_hatecheck" / "hypotheses.csv"
    loaded = {version.functionality.key: version for version in load_published_wording(path.read_bytes(), by=mira)}
    wordings = {
        (key, test["premise"]): test["hypothesis"]["en"]
        for version in loaded.values()
        for key, test in version.tests.items()
    }
    with path.open(encoding="utf-8", newline="") as file:
        published = {row["hypothesis"].replace("[X]", "{group}") for row in csv.DictReader(file)}
    assert {text.replace("[X]", "{group}") for text in wordings.values()} == published
    assert "{group}" in wordings["about_group", "message"]
    assert "[X]" in wordings["supports_quotation", "mask_quotation_as_published"]
    assert len(loaded) >= 24


@pytest.mark.parametrize(
    ("labels", "more", "filtered", "unfiltered"),
    [
        ("crowd_hateful_scores", {"label_column": "score", "gold": "cases_without_text"}, 92.65, 91.48),
        ("expert_functionality_labels", {}, 88.57, 83.28),
    ],
)
def test_table_7_comes_out_of_the_released_labels(shared_data, labels, more, filtered, unfiltered):
    folder = shared_data / "gpt_hatecheck"
    files = {name: folder / f"{more[name]}.csv" for name in ("gold",) if name in more}
    found = quality_from_files(
        LabelFileOptions(verdicts=folder / "nli_outputs.csv", labels=folder / f"{labels}.csv", **(more | files))
    )
    assert (found.labelled, found.valid_kept + found.invalid_kept) == (939, 735)
    assert round(100 * found.precision, 2) == filtered
    assert round(100 * found.unfiltered, 2) == unfiltered


def test_a_missing_column_is_named():
    rule_set = read_rule_set(HYPOTHESES, variant="as_published")
    with pytest.raises(RuleError, match="no column 'nli_identity'"):
        answers_from_columns(rule_set, {})
