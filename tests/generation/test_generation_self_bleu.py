"""Self-BLEU equals NLTK's sentence BLEU of each text against all others, whatever the smoothing."""

import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generation.diversity.algorithm.self_bleu import self_bleu

TEXTS = st.lists(st.lists(st.sampled_from("abcd"), max_size=8), min_size=2, max_size=12)


def nltk_scores(texts, order, smoothing):
    from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu

    smooth = getattr(SmoothingFunction(), smoothing)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [
            sentence_bleu(texts[:i] + texts[i + 1 :], text, weights=(1 / order,) * order, smoothing_function=smooth)
            for i, text in enumerate(texts)
        ]


@pytest.mark.parametrize("smoothing", ["method0", "method1", "method2", "method3", "method4", "method5", "method7"])
@given(texts=TEXTS, order=st.integers(1, 5))
@settings(max_examples=40, deadline=None)
def test_it_equals_nltk_for_any_texts(smoothing, texts, order):
    ours = self_bleu(texts, orders=[order], smoothing=smoothing).scores[order]
    assert ours == pytest.approx(nltk_scores(texts, order, smoothing), abs=1e-9, rel=1e-9)


def test_method6_equals_nltk_where_nltk_accepts_the_texts():
    texts = [list("abcabd"), list("abcde"), list("xabcab"), list("bcabce")]
    for order in (3, 4):
        ours = self_bleu(texts, orders=[order], smoothing="method6").scores[order]
        assert ours == pytest.approx(nltk_scores(texts, order, "method6"), abs=1e-9)


def test_method6_refuses_texts_without_a_shared_trigram():
    with pytest.raises(ValueError, match="choose another smoothing method"):
        self_bleu([list("abc"), list("abd")], smoothing="method6")


def test_a_text_is_not_compared_with_itself():
    assert self_bleu([["a", "b"], ["c", "d"]], orders=[2]).scores[2] == [0.0, 0.0]


def test_a_copy_makes_a_text_fully_predictable():
    texts = [list("abcde"), list("abcde"), list("vwxyz")]
    assert self_bleu(texts, orders=[4]).scores[4][:2] == pytest.approx([1.0, 1.0])


@given(texts=TEXTS)
@settings(max_examples=30, deadline=None)
def test_the_order_of_the_texts_does_not_matter(texts):
    forwards = self_bleu(texts, orders=[2]).scores[2]
    backwards = self_bleu(texts[::-1], orders=[2]).scores[2]
    assert forwards == pytest.approx(backwards[::-1])


@pytest.mark.parametrize(
    ("texts", "options", "reason"),
    [
        ([["a"]], {}, "at least two texts"),
        ([["a"], ["b"]], {"orders": [0]}, "1 or more"),
        ([["a"], ["b"]], {"smoothing": "method9"}, "known: method0"),
    ],
)
def test_it_says_why_it_refuses(texts, options, reason):
    with pytest.raises(ValueError, match=reason):
        self_bleu(texts, **options)
