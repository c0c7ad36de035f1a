"""Self-BLEU of the released English suite, prepared as in GPT-HateCheck, against NLTK on a few of its texts."""

import csv
import io
import random
import warnings

import pytest
from django.core.management import call_command

from annotation.agreement.deciding import apply_decision
from curation.models import Functionality, Suite
from generation.diversity.algorithm.resampling import p_values_of_difference
from generation.diversity.algorithm.self_bleu import self_bleu
from generation.diversity.algorithm.tokenizing import split_words_as_published
from generation.diversity.options import DiversityOptions
from generation.diversity.services import compare_sets


@pytest.fixture(scope="module")
def texts(shared_data):
    folder = shared_data / "hatecheck"
    with (folder / "model_predictions.csv").open(encoding="utf-8", newline="") as file:
        released = {row["case_id"] for row in csv.DictReader(file)}
    with (folder / "all_cases.csv").open(encoding="utf-8", newline="") as file:
        cases = [row for row in csv.DictReader(file) if row["case_id"] in released]
    different = dict.fromkeys(row["test_case"] for row in cases if not row["functionality"].startswith("spell_"))
    return [split_words_as_published(text) for text in different]


def test_as_many_texts_are_measured_as_in_the_paper(texts):
    assert len(texts) == 2968


@pytest.mark.django_db
def test_the_page_shows_the_figures_of_the_paper(shared_data, mira):
    """Import the suite with its labels, apply the decision of the paper, and compare as the page does by default."""
    call_command(
        "import_suite", "hatecheck", "--format", "hatecheck", "--path", str(shared_data / "hatecheck"), "--json",
        stdout=io.StringIO(),
    )  # fmt: skip
    apply_decision(Suite.objects.get(key="hatecheck"), by=mira, policy="exclude", min_agree=4, cascade="closure")
    kept = Functionality.objects.exclude(key__startswith="spell").values_list("key", flat=True)
    found = compare_sets(
        DiversityOptions(
            first_suite="hatecheck",
            first_origin=None,
            second_suite="hatecheck",
            second_origin=None,
            functionalities=tuple(kept),
        )
    )
    assert found["sets"][0]["texts"] == 2968
    assert [round(measure["values"][0], 3) for measure in found["measures"][:3]] == [0.937, 0.863, 0.761]


def test_a_sample_of_the_scores_equals_nltk(texts):
    from nltk.translate.bleu_score import sentence_bleu

    ours = self_bleu(texts)
    for index in (0, 1500, 2967):
        others = texts[:index] + texts[index + 1 :]
        for order in (2, 3, 4):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                theirs = sentence_bleu(others, texts[index], weights=(1 / order,) * order)
            assert ours.scores[order][index] == pytest.approx(theirs, abs=1e-9)


def test_two_random_halves_of_the_suite_do_not_differ(texts):
    """Forty repetitions; benchmarks/diversity_test.py makes 200 and prints the share."""
    rejected = dict.fromkeys((2, 3, 4), 0)
    mixed = list(texts)
    for seed in range(40):
        random.Random(seed).shuffle(mixed)
        half = len(mixed) // 2
        tested = p_values_of_difference(mixed[:half], mixed[half:], orders=(2, 3, 4), smoothing="method0", seed=seed)
        assert tested is not None
        for order, p in tested[1].items():
            rejected[order] += p <= 0.05
    assert max(rejected.values()) <= 5  # 5 % of 40 are 2; more than 5 happen once in a hundred
