"""The published labels give the published figures."""

import ast
import csv
from collections import Counter

import pytest

from annotation.measures.coefficients import (
    fleiss_kappa,
    fleiss_kappa_of_table,
    fleiss_kappa_unequal,
    krippendorff_alpha,
    unanimity,
)
from annotation.measures.dawid_skene import dawid_skene
from annotation.measures.intervals import fleiss_interval
from annotation.measures.quality import TimedLabel, rate_annotators
from annotation.measures.votes import Vote, below_threshold, votes_for_gold
from curation.publishing.exclusion import Failed, close_over
from tests.annotation.measures.reference import binarise_mean, majority_against_gold, tabulate_votes, with_raters

LABELS = ("hateful", "non-hateful")


def read(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def closure(failed, template_of, refers_to, **more):
    rejected = {case: Failed(case, template_of[case]) for case in failed}
    return dict(close_over(template_of.items(), rejected, refers_to=refers_to, **more))


@pytest.fixture(scope="module")
def cases(shared_data):
    return read(shared_data / "hatecheck" / "all_cases.csv")


@pytest.fixture(scope="module")
def votes(shared_data):
    rows = read(shared_data / "hatecheck" / "all_annotations.csv")
    return [
        Vote(row["case_id"], number, row[f"label_{number}"])
        for row in rows
        for number in range(1, 11)
        if row[f"label_{number}"]
    ]


@pytest.fixture(scope="module")
def table(votes):
    return tabulate_votes(votes, labels=LABELS)


@pytest.fixture(scope="module")
def gold(cases):
    return {case["case_id"]: case["label_gold"] for case in cases}


@pytest.fixture(scope="module")
def template_of(cases):
    return {case["case_id"]: case["templ_id"] for case in cases}


def test_kappa_of_hatecheck_is_0_9285_in_every_form(table):
    assert fleiss_kappa_of_table(table.counts).value == pytest.approx(0.928512, abs=5e-7)
    assert fleiss_kappa(table.counts).value == pytest.approx(0.928512, abs=5e-7)
    assert fleiss_kappa_unequal(table.counts).value == pytest.approx(0.928512, abs=5e-7)


def test_kappa_of_hatecheck_equals_statsmodels(table):
    from statsmodels.stats.inter_rater import fleiss_kappa as peer

    assert fleiss_kappa_of_table(table.counts).value == pytest.approx(peer(table.counts), abs=1e-12)


def test_the_interval_over_templates_holds_kappa(table, template_of):
    low, high = fleiss_interval(table.counts, [template_of[case] for case in table.cases], seed=1)
    assert 0.90 < low < 0.928512 < high < 0.95


def test_agreement_with_gold_is_distributed_as_published(table, gold):
    assert Counter(votes_for_gold(table, gold).values()) == {5: 3611, 4: 268, 3: 17, 2: 5}


def test_the_closure_leaves_the_published_3728_cases(cases, table, gold, template_of, shared_data):
    failed = below_threshold(table, gold, at_least=4)
    assert len(failed) == 22
    refers_to = {case["templ_id"]: case["ref_templ_id"] or None for case in cases}
    reasons = closure(failed, template_of, refers_to)
    assert Counter(left.reason for left in reasons.values()) == {"disagreement": 22, "template": 132, "reference": 19}
    released = {row["case_id"] for row in read(shared_data / "hatecheck" / "model_predictions.csv")}
    assert set(template_of) - set(reasons) == released
    assert len(released) == 3728


@pytest.mark.parametrize(("cascade", "out"), [("none", 22), ("template", 154), ("closure", 173)])
def test_each_cascade_leaves_out_its_number(cases, table, gold, template_of, cascade, out):
    refers_to = {case["templ_id"]: case["ref_templ_id"] or None for case in cases}
    failed = below_threshold(table, gold, at_least=4)
    assert len(closure(failed, template_of, refers_to, cascade=cascade)) == out


def test_the_second_opinion_sides_with_gold_in_all_but_a_handful(votes, gold):
    opinion = dawid_skene(votes, labels=LABELS)
    assert opinion.is_settled
    assert sum(opinion.label_of(case) != label for case, label in gold.items()) <= 10


def test_the_ten_annotators_are_rated(votes, gold):
    rated = rate_annotators([TimedLabel(vote.case, vote.annotator, vote.label) for vote in votes], gold=gold)
    assert len(rated) == 10
    assert {min(r.labels for r in rated.values()), max(r.labels for r in rated.values())} == {1944, 1957}
    assert all(quality.with_gold > 0.93 for quality in rated.values())


MHC = {
    "arabic": (245, 0.5726),
    "dutch": (362, 0.6196),
    "french": (789, 0.3278),
    "german": (153, 0.5979),
    "mandarin": (387, 0.5056),
    "portuguese": (152, 0.7433),
    "spanish": (90, 0.7505),
}


@pytest.mark.parametrize("language", MHC)
def test_multilingual_hatecheck_gives_its_disagreements_and_kappa(shared_data, language):
    rows = read(shared_data / "mhc" / language / "final_cases.csv")
    labels = [
        Vote(row["mhc_case_id"], number, label)
        for row in rows
        for number, label in enumerate(ast.literal_eval(row["label_annotated"]))
    ]
    table = tabulate_votes(labels, labels=LABELS)
    gold = {row["mhc_case_id"]: row["label_gold"] for row in rows}
    disagreeing = majority_against_gold(table, gold)
    published = [row["mhc_case_id"] for row in rows if row["disagreement_in_case"] == "True"]
    disagreements, kappa = MHC[language]
    assert disagreeing == published
    assert len(disagreeing) == disagreements
    assert fleiss_kappa_of_table(table.counts).value == pytest.approx(kappa, abs=5e-5)


def test_the_crowds_hate_scores_agree_as_published(shared_data):
    rows = read(shared_data / "gpt_hatecheck" / "crowd_hateful_scores.csv")
    labels = [Vote(r["case_id"], r["worker"], LABELS[not binarise_mean([int(r["score"])])]) for r in rows]
    table = tabulate_votes(labels, labels=LABELS)
    assert len(table.cases) == 939
    assert fleiss_kappa_of_table(table.counts).value == pytest.approx(0.6296, abs=5e-5)
    assert unanimity(table.counts).value == pytest.approx(0.723, abs=5e-4)


def test_the_crowds_scores_as_a_scale_agree_more_than_as_names(shared_data):
    rows = read(shared_data / "gpt_hatecheck" / "crowd_hateful_scores.csv")
    table = tabulate_votes([Vote(r["case_id"], r["worker"], r["score"]) for r in rows], labels=list("12345"))
    nominal, ordinal = (krippendorff_alpha(table.counts, level=level).value for level in ("nominal", "ordinal"))
    assert nominal < ordinal < 1


def test_the_crowds_consistency_labels_hardly_agree(shared_data):
    rows = read(shared_data / "gpt_hatecheck" / "crowd_functionality_labels.csv")
    everything = tabulate_votes([Vote(r["case_id"], r["worker"], r["consistent"]) for r in rows], labels=["yes", "no"])
    complete = with_raters(everything, 3)
    assert len(everything.cases) - len(complete.cases) == 8
    assert fleiss_kappa_of_table(complete.counts).value == pytest.approx(0.054, abs=5e-4)
    assert unanimity(complete.counts).value == pytest.approx(0.4930, abs=5e-5)
    assert fleiss_kappa_unequal(everything.counts).value == pytest.approx(0.0566, abs=5e-5)


def test_the_mean_of_the_scores_gives_every_message_a_label(shared_data):
    scores: dict[str, list[int]] = {}
    for row in read(shared_data / "gpt_hatecheck" / "crowd_hateful_scores.csv"):
        scores.setdefault(row["case_id"], []).append(int(row["score"]))
    hate = {row["case_id"]: row["hate_label"] for row in read(shared_data / "gpt_hatecheck" / "cases_without_text.csv")}
    labelled = {case: binarise_mean(given) for case, given in scores.items()}
    assert None not in labelled.values()
    agreeing = sum(label == (hate[case] == "1") for case, label in labelled.items())
    assert agreeing / len(labelled) > 0.8
