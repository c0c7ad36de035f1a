"""Distinct-n, words, samples of equal size and the test between sets."""

import random

import pytest

from generation.diversity.algorithm.distinct import distinct
from generation.diversity.algorithm.resampling import compare_self_bleu, p_values_of_difference, sample_measure
from generation.diversity.algorithm.tokenizing import split_words, split_words_as_published


def test_distinct_is_the_share_of_different_ngrams():
    texts = [["a", "b", "a"], ["a", "b"]]
    assert distinct(texts, 1) == 2 / 5
    assert distinct(texts, 2) == 2 / 3


def test_distinct_of_nothing_is_undefined():
    assert distinct([], 1) is None
    assert distinct([["a"]], 2) is None


def test_words_are_found_in_all_scripts():
    assert split_words("Don't stop, l'eau!") == ["don't", "stop", "l'eau"]
    assert split_words("我们很好。") == ["我", "们", "很", "好"]
    assert split_words("مرحبا بك") == ["مرحبا", "بك"]
    assert split_words("यह अच्छा है") == ["यह", "अच्छा", "है"]


def test_published_words_are_letters_only_and_split_by_sentence():
    assert split_words_as_published("I can't go. It's 5 p.m.") == ["i", "ca", "go", "it"]
    assert split_words_as_published("我们很好。") == ["我", "们", "很", "好"]
    assert split_words_as_published("यह अच्छा है") == ["यह", "अच्छा", "है"]


def test_samples_are_drawn_without_repetition_and_with_their_seeds():
    seen = []
    texts = [[str(number)] for number in range(20)]

    def measure(chosen):
        seen.append(chosen)
        return 1.0

    samples = sample_measure(texts, size=5, measure=measure, repeats=3, seed=7)
    assert samples.seeds == (7, 8, 9)
    assert all(len({text[0] for text in chosen}) == 5 for chosen in seen)
    assert seen[0] != seen[1]


def test_a_set_of_the_common_size_is_measured_whole():
    assert sample_measure([["a"], ["b"]], size=2, measure=len).values == (2,)


def test_a_sample_larger_than_the_set_is_refused():
    with pytest.raises(ValueError, match="cannot be drawn from 1 texts"):
        sample_measure([["a"]], size=2, measure=len)


def test_too_few_texts_get_no_p_value_and_a_reason():
    comparison = compare_self_bleu([["a", "b"]] * 39, [["a", "b"]] * 60, order=2)
    assert comparison.p is None
    assert comparison.reason == "a test needs at least 40 texts in each set"


def texts_drawn_from(words: int, count: int, seed: int) -> list[list[str]]:
    """Texts of six words from a vocabulary; every tenth begins like a template, so that some texts are much alike."""
    generator = random.Random(seed)
    drawn = [[f"w{generator.randrange(words)}" for _ in range(6)] for _ in range(count)]
    return [["this", "is", "so", *text[3:]] if number % 10 == 0 else text for number, text in enumerate(drawn)]


def test_two_random_halves_of_one_set_differ_in_at_most_six_percent_of_repetitions():
    texts = texts_drawn_from(40, 160, seed=1)
    rejected = 0
    for seed in range(200):
        random.Random(seed).shuffle(texts)
        tested = p_values_of_difference(texts[:80], texts[80:], orders=[2], smoothing="method0", seed=seed)
        assert tested is not None
        rejected += tested[1][2] <= 0.05
    assert 0 < rejected <= 12


def test_a_real_difference_is_found_and_the_blocks_are_disjoint():
    tested = p_values_of_difference(
        texts_drawn_from(20, 90, 1), texts_drawn_from(60, 120, 2), orders=[2, 3], smoothing="method1"
    )
    assert tested is not None
    assert tested[0] == 8
    assert max(tested[1].values()) < 0.02


def test_repetitive_texts_have_a_higher_self_bleu_than_varied_ones():
    varied = [[f"w{i}", f"w{i + 1}", f"x{i}", f"y{i}"] for i in range(50)]
    repetitive = [["all", "the", "same", f"w{i % 3}"] for i in range(40)]
    comparison = compare_self_bleu(repetitive, varied, order=2, repeats=5)
    assert comparison.first.size == comparison.second.size == 40
    assert comparison.first.mean > comparison.second.mean
    assert comparison.p is not None
    assert comparison.p < 0.05  # four blocks of each set: 2 of 70 ways
