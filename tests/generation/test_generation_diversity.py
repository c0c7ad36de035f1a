"""Distinct-n, words, samples of equal size and the t-test between sets."""

import math

import pytest

from generation.diversity.algorithm.distinct import distinct
from generation.diversity.algorithm.resampling import Samples, compare_samples, compare_self_bleu, sample_measure
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


def test_the_t_test_agrees_with_the_formula():
    first = Samples(3, (0, 1, 2), (1.0, 2.0, 3.0))
    second = Samples(3, (0, 1, 2), (2.0, 4.0, 9.0))
    comparison = compare_samples(first, second)
    assert comparison.t == pytest.approx((2 - 5) / math.sqrt(1 / 3 + 13 / 3))
    assert comparison.p is not None
    assert 0 < comparison.p < 1


def test_one_value_is_tested_against_samples_and_the_sign_follows_the_order():
    many, one = Samples(3, (0, 1, 2), (1.0, 2.0, 3.0)), Samples(3, (), (1.0,))
    assert compare_samples(many, one).t == pytest.approx(math.sqrt(3))
    assert compare_samples(one, many).t == pytest.approx(-math.sqrt(3))


def test_without_spread_there_is_no_test_and_a_reason():
    comparison = compare_samples(Samples(3, (), (1.0,)), Samples(3, (), (2.0,)))
    assert comparison.t is None
    assert "no spread" in comparison.reason


def test_repetitive_texts_have_a_higher_self_bleu_than_varied_ones():
    varied = [[f"w{i}", f"w{i + 1}", f"x{i}", f"y{i}"] for i in range(40)]
    repetitive = [["all", "the", "same", f"w{i % 3}"] for i in range(30)]
    comparison = compare_self_bleu(repetitive, varied, order=2, repeats=5)
    assert comparison.first.size == comparison.second.size == 30
    assert comparison.first.mean > comparison.second.mean
    assert comparison.p is not None
    assert comparison.p < 0.01
