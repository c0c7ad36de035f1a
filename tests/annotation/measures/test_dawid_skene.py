"""Dawid and Skene's model, against the same steps written out one number at a time."""

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.measures.dawid_skene import SMALLEST, dawid_skene
from annotation.measures.votes import Vote

LABELS = ("hateful", "non-hateful")


def invented(seed, cases=300, skills=(0.95, 0.9, 0.9, 0.55, 0.1), hateful=0.6):
    """True labels, and votes of annotators who are right with the given chance."""
    generator = random.Random(seed)
    truth = {case: LABELS[generator.random() > hateful] for case in range(cases)}
    votes = [
        Vote(case, who, label if generator.random() < skill else LABELS[1 - LABELS.index(label)])
        for case, label in truth.items()
        for who, skill in enumerate(skills)
    ]
    return truth, votes


def by_hand(votes, rounds):
    """Plain loops over the same model."""
    cases, people = sorted({v.case for v in votes}), sorted({v.annotator for v in votes})
    posterior = {case: [sum(v.label == label for v in votes if v.case == case) for label in LABELS] for case in cases}
    posterior = {case: [n / sum(row) for n in row] for case, row in posterior.items()}
    for _ in range(rounds):
        shares = [sum(posterior[case][t] for case in cases) / len(cases) for t in range(2)]
        told = {}
        for who in people:
            for true in range(2):
                row = [
                    max(
                        SMALLEST, sum(posterior[v.case][true] for v in votes if v.annotator == who and v.label == label)
                    )
                    for label in LABELS
                ]
                told[who, true] = [n / sum(row) for n in row]
        for case in cases:
            logs = [
                math.log(max(shares[true], SMALLEST))
                + sum(math.log(told[v.annotator, true][LABELS.index(v.label)]) for v in votes if v.case == case)
                for true in range(2)
            ]
            weights = [math.exp(log - max(logs)) for log in logs]
            posterior[case] = [weight / sum(weights) for weight in weights]
    return posterior


def test_it_follows_the_definition_step_by_step():
    _, votes = invented(1, cases=25)
    found = dawid_skene(votes, labels=LABELS, rounds=4, tolerance=0)
    for case, row in by_hand(votes, rounds=4).items():
        assert found.probabilities[case] == pytest.approx(row, abs=1e-9)


def test_somebody_who_always_errs_is_seen_through():
    truth, votes = invented(2)
    found = dawid_skene(votes, labels=LABELS)
    assert found.is_settled
    assert sum(found.label_of(case) == label for case, label in truth.items()) / len(truth) > 0.96
    assert found.confusion[4][0][1] > 0.8, "annotator 4 calls hateful cases non-hateful"
    assert found.shares[0] == pytest.approx(0.6, abs=0.07)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 30))
def test_probabilities_are_probabilities(seed, cases):
    _, votes = invented(seed, cases=cases)
    found = dawid_skene(votes, labels=LABELS)
    for row in found.probabilities.values():
        assert sum(row) == pytest.approx(1)
        assert all(-1e-12 <= share <= 1 + 1e-12 for share in row)
    for matrix in found.confusion.values():
        assert all(sum(row) == pytest.approx(1) for row in matrix)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000), st.randoms())
def test_the_order_of_votes_does_not_matter(seed, generator):
    _, votes = invented(seed, cases=20)
    shuffled = list(votes)
    generator.shuffle(shuffled)
    one, other = dawid_skene(votes, labels=LABELS, rounds=5), dawid_skene(shuffled, labels=LABELS, rounds=5)
    for case, row in one.probabilities.items():
        assert other.probabilities[case] == pytest.approx(row, abs=1e-6)


@pytest.mark.parametrize(
    ("votes", "reason"),
    [
        ([], "No case has been labelled yet."),
        ([Vote(1, "ana", "hateful")], "Only one annotator"),
        ([Vote(1, "ana", "hateful"), Vote(1, "emil", "hateful")], "All labels are the same"),
    ],
)
def test_nothing_to_weigh_is_said(votes, reason):
    found = dawid_skene(votes, labels=LABELS)
    assert found.probabilities == {}
    assert reason in found.reason
    assert found.label_of(1) is None


def test_equally_likely_labels_give_no_opinion():
    votes = [Vote(1, "ana", "hateful"), Vote(1, "emil", "non-hateful")]
    assert dawid_skene(votes, labels=LABELS).label_of(1) is None


def test_an_unknown_label_is_refused():
    with pytest.raises(ValueError, match="no label is called 'hate'"):
        dawid_skene([Vote(1, "ana", "hate")], labels=LABELS)
