"""Words of posts and their weights: the quick ways say what the general ones say."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.attacks.algorithm.association import logistic_weights
from evaluation.attacks.algorithm.tokens import words_of

POSTS = st.text(st.characters(min_codepoint=9, max_codepoint=126)) | st.lists(
    st.sampled_from(["@some_1", "#Tag", "sooooo", "http://a.b/c", "www.x.y", "don't", "AAAA", "&amp;", "42", "x"])
).map(" ".join)


@given(POSTS, st.booleans(), st.sampled_from(["blank", "delete"]))
def test_plain_posts_read_like_others(post, hashtags, punctuation):
    # A lone letter is no word, but it makes the post go the general way.
    general = words_of(post + " é", hashtags=hashtags, punctuation=punctuation)
    assert words_of(post, hashtags=hashtags, punctuation=punctuation) == general


def test_weights_are_those_of_scikit_learn():
    from scipy.sparse import lil_matrix
    from sklearn.linear_model import LogisticRegression

    chance = random.Random(5)
    rows = [[chance.randrange(40) for _ in range(chance.randrange(12))] for _ in range(600)]
    labels = [sum(row) / (len(row) or 1) + chance.gauss(0, 6) > 20 for row in rows]
    counts = lil_matrix((600, 40))
    for number, row in enumerate(rows):
        for column in row:
            counts[number, column] += 1
    known = LogisticRegression(C=1.0, max_iter=1000).fit(counts.tocsr(), labels).coef_[0]
    assert logistic_weights(rows, labels, columns=40) == pytest.approx(list(known), abs=1e-9)


def test_unequal_numbers_are_refused():
    with pytest.raises(ValueError, match="2 rows but 1 labels"):
        logistic_weights([[0], [0]], [True], columns=1)
