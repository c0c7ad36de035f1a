"""Self-BLEU of the released English suite, prepared as in GPT-HateCheck, against NLTK on a few of its texts."""

import csv
import warnings

import pytest

from generation.diversity.algorithm.self_bleu import self_bleu
from generation.diversity.algorithm.tokenizing import split_words_as_published


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
