"""The AAA figures on Davidson's data with the published split; ten seeds and the timing: benchmarks/attacks.py."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path
from statistics import mean

import pytest

from evaluation.attacks.building import build_attacks, quo
from evaluation.attacks.exchange import FILE_NAMES, escape, file_text, read_answers, read_sets, write_sets
from evaluation.attacks.lexicons import read_hurtlex
from evaluation.attacks.linear import train_linear
from evaluation.attacks.parameters import TOOL_RULES, AttackParameters
from evaluation.attacks.quotations import our_quotations, read_quotations
from evaluation.attacks.scoring import score_answers
from evaluation.datasets.reading import read_labelled

ABUSIVE = ("0", "1")  # hate speech, offensive


@pytest.fixture(scope="module")
def davidson(shared_data: Path):
    reading = read_labelled(shared_data / "aaa" / "davidson.csv", text_column="tweet", label_column="class")
    assert reading.problems == ()
    assert reading.data is not None
    return reading.data


@pytest.fixture(scope="module")
def parts(davidson):
    train, test = davidson.part("train"), davidson.part("test")
    return (train.texts, train.is_label(*ABUSIVE)), (test.texts, test.is_label(*ABUSIVE))


@pytest.fixture(scope="module")
def recipe(shared_data: Path):
    lexicon = read_hurtlex(shared_data / "aaa" / "hurtlex_EN_1.2.tsv")
    templates = read_quotations(shared_data / "aaa" / "templates.txt")
    assert len(templates.templates) == 316
    assert [problem.row for problem in templates.problems] == [68]  # the misspelt slot in which the tool loses the post
    return AttackParameters(seed=1, templates=templates.templates, lexicon=lexicon.lemmas)


@pytest.fixture(scope="module")
def built(parts, recipe):
    return build_attacks(*parts, parameters=recipe)


@pytest.fixture(scope="module")
def model(davidson):
    train = davidson.part("train")
    return train_linear(train.texts, train.labels, abusive=ABUSIVE)


def test_the_published_split_is_read_whole(davidson):
    assert davidson.split_counts == {"dev": 2478, "test": 2479, "train": 19826}
    assert sum("\n" in text for text in davidson.part("test").texts) == 86


def test_the_sets_have_the_sizes_of_their_classes(built):
    sets, _ = built
    assert {name: len(attack.posts) for name, attack in sets.items()} == {
        "original": 2479,
        "hashtag_check": 2479,
        "quo": 2062,
        "corr_nn": 417,
        "corr_aa": 2062,
        "flip": 417,
    }


def test_a_hundred_words_remain_of_each_class_where_the_tool_keeps_half(built, parts, recipe):
    _, words = built
    assert len(words.abusive) == len(words.non_abusive) == 100
    _, tool = build_attacks(*parts, parameters=replace(recipe, rules=TOOL_RULES))
    assert 45 <= len(tool.abusive) <= 60  # the tool itself keeps 53, with another lemmatiser
    assert not set(words.abusive) & recipe.lexicon


def test_the_linear_model_reaches_the_published_f1_and_its_weaknesses_show(model, built, parts, recipe):
    other, _ = build_attacks(*parts, parameters=replace(recipe, seed=2))
    rows = [
        score_answers(sets, {name: model.predict(attack.texts) for name, attack in sets.items()})
        for sets in (built[0], other)
    ]
    scores = {name: 100 * mean(row.scores[name] or 0 for row in rows) for name in rows[0].scores}
    assert 91 <= scores["original"] <= 92  # paper 91.81, public tool 91.61
    assert scores["quo"] == pytest.approx(8.58, abs=2.5)
    assert scores["corr_nn"] == pytest.approx(30.46, abs=7)
    assert scores["corr_aa"] == pytest.approx(65.52, abs=12)
    assert scores["flip"] == pytest.approx(88.01, abs=5)
    assert 100 * mean(row.aaa or 0 for row in rows) == pytest.approx(35.04, abs=3)
    assert not any(row.hashtag_check and row.hashtag_check.ignores_hashtags for row in rows)
    assert rows[0].passes("quo") is False
    assert rows[0].passes("flip") is True


def test_a_model_that_drops_hashtags_gets_nothing_for_both_corr_attacks(model, built):
    sets, _ = built

    def blind(texts):
        return model.predict([" ".join(word for word in text.split() if not word.startswith("#")) for text in texts])

    answers = {name: blind(attack.texts) for name, attack in sets.items()}
    scores = score_answers(sets, answers, policy="penalise")
    assert scores.scores["corr_nn"] == scores.scores["corr_aa"] == scores.aaa == 0.0
    warned = score_answers(sets, answers, policy="warn")
    assert (warned.aaa or 0) > 0
    assert any("ignores hashtags" in note for note in warned.notes)


def test_the_same_seed_gives_the_same_bytes(built, parts, recipe):
    def digest(sets):
        return {name: hashlib.sha256(file_text(attack).encode()).hexdigest() for name, attack in sets.items()}

    again, _ = build_attacks(*parts, parameters=recipe)
    assert digest(again) == digest(built[0])


def test_every_post_survives_the_exchange_files(built, model, tmp_path):
    sets, _ = built
    write_sets(sets, tmp_path)
    back, problems = read_sets(tmp_path)
    assert problems == ()
    assert {name: attack.texts for name, attack in back.items()} == {
        name: attack.texts for name, attack in sets.items()
    }
    expected = {name: tuple(model.predict(attack.texts)) for name, attack in sets.items()}
    for name, attack in sets.items():
        lines = zip(attack.posts, expected[name], strict=True)
        text = "".join(f"{escape(post.text)}\t{int(post.abusive)}\t{int(answer)}\n" for post, answer in lines)
        (tmp_path / FILE_NAMES[name]).write_text(text, encoding="utf-8")
    found = read_answers(sets, tmp_path)
    assert found.problems == ()
    assert found.answers == expected


def test_our_own_templates_are_as_hard_as_the_published_ones(model, parts):
    answers = model.predict(quo(*parts[1], templates=our_quotations("en"), seed=1).texts)
    assert 1 - sum(answers) / len(answers) < 0.25
