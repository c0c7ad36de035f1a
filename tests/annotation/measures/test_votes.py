"""From labels to tables, majorities, thresholds and plain shares."""

from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.measures.coefficients import NO_PAIR, pairwise_agreement, unanimity
from annotation.measures.votes import Vote, below_threshold, majority_labels, vote_distribution, votes_for_gold
from tests.annotation.measures.reference import tabulate_votes

LABELS = ["hateful", "non-hateful", "unsure"]

votes = st.lists(
    st.builds(Vote, st.integers(0, 8), st.integers(0, 6), st.sampled_from(LABELS)),
    unique_by=lambda vote: (vote.case, vote.annotator),
    max_size=40,
)


def table_of(**counts):
    """A table from case=(hateful, non-hateful, unsure)."""
    given_votes = [
        Vote(case, f"{label}{number}", label)
        for case, row in counts.items()
        for label, times in zip(LABELS, row, strict=True)
        for number in range(times)
    ]
    return tabulate_votes(given_votes, labels=LABELS)


@settings(deadline=None)
@given(votes)
def test_the_majority_has_more_votes_than_any_other_label(given_votes):
    by_case = defaultdict(Counter)
    for vote in given_votes:
        by_case[vote.case][vote.label] += 1
    for case, label in majority_labels(tabulate_votes(given_votes, labels=LABELS)).items():
        most = max(by_case[case].values())
        winners = [name for name, times in by_case[case].items() if times == most]
        assert label == (winners[0] if len(winners) == 1 else None)


def test_a_tie_is_no_majority():
    assert majority_labels(table_of(a=(2, 2, 0), b=(3, 2, 0))) == {"a": None, "b": "hateful"}


def test_fewer_than_four_of_five_for_gold_is_below_the_threshold():
    table = table_of(a=(5, 0, 0), b=(4, 1, 0), c=(3, 2, 0), d=(1, 4, 0))
    gold = {"a": "hateful", "b": "hateful", "c": "hateful", "d": "non-hateful"}
    assert votes_for_gold(table, gold) == {"a": 5, "b": 4, "c": 3, "d": 4}
    assert below_threshold(table, gold, at_least=4) == ["c"]


def test_a_case_without_gold_is_refused():
    with pytest.raises(ValueError, match="case a has no gold label"):
        votes_for_gold(table_of(a=(1, 0, 0)), {})


def test_unanimity_and_pairwise_agreement_are_shares_of_cases_with_two_labels():
    table = [[3, 0], [2, 1], [1, 0]]
    assert unanimity(table).value == 0.5
    assert pairwise_agreement(table).value == pytest.approx((1 + 1 / 3) / 2)


def test_shares_of_nothing_are_undefined():
    assert unanimity([[1, 0]]).reason == NO_PAIR
    assert pairwise_agreement([]).reason == NO_PAIR


def test_the_distribution_counts_patterns():
    assert vote_distribution(np.array([[5, 0], [4, 1], [5, 0]])) == {(5, 0): 2, (4, 1): 1}
    assert vote_distribution(np.zeros((0, 2), dtype=np.int64)) == {}


@settings(deadline=None)
@given(st.lists(st.lists(st.integers(0, 4), min_size=2, max_size=2), min_size=1, max_size=20))
def test_unanimous_cases_agree_in_every_pair(table):
    whole, pairs = unanimity(table).value, pairwise_agreement(table).value
    if whole is None:
        assert pairs is None
    else:
        assert 0 <= whole <= pairs + 1e-12 <= 1 + 1e-9
