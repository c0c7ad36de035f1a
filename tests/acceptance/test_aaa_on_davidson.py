"""The AAA figures on Davidson's data with the published split, over ten seeds; the timing: benchmarks/attacks.py."""

import hashlib
from dataclasses import replace
from pathlib import Path
from statistics import mean, stdev

import pytest

from benchmarks.reference_svm import train_linear
from evaluation.attacks.algorithm.association import find_associated_words
from evaluation.attacks.algorithm.building import (
    build_attacks,
    corr_aa,
    corr_nn,
    flip,
    hashtag_check,
    keep_original,
    quo,
)
from evaluation.attacks.algorithm.exchange import FILE_NAMES, escape, file_text, read_answers, read_sets, write_sets
from evaluation.attacks.algorithm.lexicons import read_hurtlex
from evaluation.attacks.algorithm.parameters import FILLED_RULES, TOOL_RULES, AttackParameters
from evaluation.attacks.algorithm.quotations import our_quotations, read_quotations
from evaluation.attacks.algorithm.scoring import score_answers
from evaluation.datasets.files.reading import read_labelled

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


def test_about_half_of_the_hundred_words_are_offensive_and_left_out(built, parts, recipe):
    _, words = built
    assert len(words.abusive) == 52
    assert len(words.non_abusive) == 100
    assert not set(words.abusive) & recipe.lexicon
    _, tool = build_attacks(*parts, parameters=replace(recipe, rules=TOOL_RULES))
    assert 45 <= len(tool.abusive) <= 60  # the tool itself keeps 53, with another lemmatiser
    _, filled = build_attacks(*parts, parameters=replace(recipe, rules=FILLED_RULES))
    assert len(filled.abusive) == 100


def ten_seeds(model, parts, recipe) -> dict[str, list[float]]:
    """Every score in per cent, for the seeds 0 to 9."""
    train, test = parts
    words = find_associated_words(*train, parameters=recipe)  # does not depend on the seed
    fixed = {attack.name: attack for attack in (keep_original(*test), hashtag_check(*test))}
    known = {name: model.predict(attack.texts) for name, attack in fixed.items()}
    found: dict[str, list[float]] = {}
    for seed in range(10):
        seeded = replace(recipe, seed=seed)
        made = (
            quo(*test, templates=recipe.templates, seed=seed),
            corr_nn(*test, words=words.abusive, parameters=seeded),
            corr_aa(*test, words=words.non_abusive, parameters=seeded),
            flip(*test, seed=seed),
        )
        answers = known | {attack.name: model.predict(attack.texts) for attack in made}
        row = score_answers(fixed | {attack.name: attack for attack in made}, answers)
        assert row.hashtag_check is not None
        assert not row.hashtag_check.ignores_hashtags
        for name, score in {**row.scores, "aaa": row.aaa}.items():
            found.setdefault(name, []).append(100 * (score or 0))
    return found


def test_the_linear_model_reaches_the_published_f1_and_its_weaknesses_show(model, parts, recipe):
    found = ten_seeds(model, parts, recipe)
    assert 91 <= found["original"][0] <= 92  # paper 91.81, public tool 91.61
    # Mean and standard deviation over these seeds, as in docs/attacks.md.
    measured = {
        "quo": (7.46, 0.29), "corr_nn": (35.78, 2.60), "flip": (89.09, 1.07), "corr_aa": (80.89, 0.73),
        "aaa": (37.22, 0.89),
    }  # fmt: skip
    for name, (average, deviation) in measured.items():
        assert mean(found[name]) == pytest.approx(average, abs=3 * deviation / 10**0.5), name
        assert stdev(found[name]) == pytest.approx(deviation, rel=0.5), name
    assert max(found["quo"]) < 60 < min(found["flip"])  # the pass mark


def test_by_the_tools_rules_the_tools_own_figures_come_out(davidson, parts, recipe):
    train = davidson.part("train")
    model = train_linear(train.texts, train.labels, abusive=ABUSIVE, punctuation="delete")
    found = ten_seeds(model, parts, replace(recipe, rules=TOOL_RULES))
    published = {"quo": 8.58, "corr_nn": 30.46, "flip": 88.01, "corr_aa": 65.52, "aaa": 35.04}
    for name, value in published.items():  # one run of the tool: within three deviations of ours
        assert value == pytest.approx(mean(found[name]), abs=3 * stdev(found[name])), name


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
