"""How annotators are doing."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.measures.quality import TimedLabel, chance_of_run, longest_run, majority_of_others, rate_annotators

HATEFUL, FINE = "hateful", "non-hateful"


def given_by(annotator, labels, seconds=2.0):
    return [TimedLabel(case, annotator, label, seconds) for case, label in enumerate(labels)]


def alternate(times):
    return [HATEFUL, FINE] * (times // 2)


def test_agreement_with_gold_counts_only_cases_with_gold():
    rated = rate_annotators(given_by("ana", [HATEFUL, FINE, FINE]), gold={0: HATEFUL, 1: HATEFUL})["ana"]
    assert (rated.with_gold, rated.with_gold_of) == (0.5, 2)


def test_ones_own_vote_is_no_part_of_the_majority():
    labels = [TimedLabel(1, "ana", HATEFUL), TimedLabel(1, "emil", FINE), TimedLabel(1, "mira", FINE)]
    rated = rate_annotators(labels, gold={})
    assert rated["ana"].with_majority == 0
    assert rated["emil"].with_majority is None, "one vote each way among the others is no majority"


def test_nothing_to_compare_is_none_not_zero():
    rated = rate_annotators([TimedLabel(1, "ana", HATEFUL)], gold={})["ana"]
    assert rated.with_gold is None
    assert rated.with_majority is None
    assert rated.median_seconds is None
    assert rated.too_fast_share is None
    assert rated.warnings == ()


def test_a_hurried_annotator_is_named():
    labels = given_by("ana", alternate(40), seconds=0.4) + given_by("emil", alternate(40), seconds=3.0)
    rated = rate_annotators(labels, gold={})
    assert rated["ana"].warnings == ("100% of the labels took less than 1 s",)
    assert rated["emil"].warnings == ()


def test_a_stuck_key_is_named():
    labels = given_by("ana", [HATEFUL] * 60) + given_by("emil", alternate(60)) + given_by("mira", alternate(60))
    rated = rate_annotators(labels, gold={})
    assert rated["ana"].longest_run == 60
    assert "'hateful' 60 times in a row" in rated["ana"].warnings[0]
    assert rated["emil"].warnings == ()


def test_a_long_run_of_what_nearly_everybody_says_is_no_sign():
    mostly = ([HATEFUL] * 19 + [FINE]) * 5
    rated = rate_annotators(given_by("ana", mostly) + given_by("emil", mostly), gold={})
    assert rated["ana"].longest_run == 19
    assert rated["ana"].warnings == ()


@pytest.mark.parametrize(
    ("votes", "without", "expected"),
    [({HATEFUL: 3, FINE: 2}, HATEFUL, None), ({HATEFUL: 3, FINE: 2}, FINE, HATEFUL), ({HATEFUL: 1}, HATEFUL, None)],
)
def test_the_majority_of_the_others(votes, without, expected):
    assert majority_of_others(Counter(votes), without=without) == expected


@settings(deadline=None)
@given(st.lists(st.sampled_from("ab"), max_size=30))
def test_the_longest_run_is_the_longest_block(labels):
    text = "".join(labels)
    length, label = longest_run(labels)
    assert label is None or label * length in text
    assert "a" * (length + 1) not in text
    assert "b" * (length + 1) not in text


@settings(deadline=None)
@given(st.integers(20, 500), st.integers(2, 50), st.floats(0.05, 0.95))
def test_longer_runs_are_less_likely(labels, run, share):
    run = min(run, labels - 1)
    shorter, longer = chance_of_run(labels, run, share), chance_of_run(labels, run + 1, share)
    assert 0 <= longer <= shorter <= 1


def test_the_chance_of_a_run_is_about_right():
    import random

    generator = random.Random(3)
    worlds = [[generator.random() < 0.5 for _ in range(100)] for _ in range(2000)]
    seen = sum("True" * 9 in "".join(map(str, world)) for world in worlds) / len(worlds)
    assert chance_of_run(100, 9, 0.5) == pytest.approx(seen, abs=0.03)
