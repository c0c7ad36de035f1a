"""The choice of clusters is the best there is, for any number of classes."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from evaluation.splits.algorithm import subset_sum
from evaluation.splits.algorithm.half_sums import ways_to_miss
from evaluation.splits.algorithm.subset_sum import select_clusters


@st.composite
def instances(draw, largest_target=25):
    classes = draw(st.integers(2, 6))
    counts = draw(st.lists(st.lists(st.integers(0, 12), min_size=classes, max_size=classes), min_size=1, max_size=9))
    target = draw(st.lists(st.integers(0, largest_target), min_size=classes, max_size=classes))
    return counts, target


def fewest_missing(counts, target) -> int:
    """Every subset there is, one after the other."""
    best = sum(target)
    for size in range(len(counts) + 1):
        for chosen in combinations(counts, size):
            sums = [sum(column) for column in zip(*chosen, strict=True)] or [0] * len(target)
            if all(value <= goal for value, goal in zip(sums, target, strict=True)):
                best = min(best, sum(target) - sum(sums))
    return best


def check(found, counts, target) -> None:
    sums = [sum(counts[cluster][place] for cluster in found.clusters) for place in range(len(target))]
    assert list(found.counts) == sums
    assert all(value <= goal for value, goal in zip(sums, target, strict=True))
    assert found.missing == sum(target) - sum(sums)
    assert found.bound <= found.missing


@settings(deadline=None)
@given(instances())
def test_the_choice_is_as_good_as_trying_every_subset(instance):
    counts, target = instance
    found = select_clusters(counts, target)
    assert found is not None
    check(found, counts, target)
    assert found.is_optimal
    assert found.missing == fewest_missing(counts, target)


@settings(max_examples=40, deadline=None)
@given(instances(largest_target=4))
@example(([[0, 3], [0, 3]], [1, 3]))  # both together overflow the second class, which must not pass for the first
def test_looking_up_what_is_missing_finds_the_same(instance):
    counts, target = instance
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(subset_sum, "MOST_PAIRS", 0)
        found = select_clusters(counts, target)
    assert found is not None
    check(found, counts, target)
    assert found.missing == fewest_missing(counts, target)


@settings(max_examples=15, deadline=None)
@given(instances())
def test_the_integer_program_finds_the_same(instance):
    counts, target = instance
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(subset_sum, "strides_for", lambda goal: None)
        found = select_clusters(counts, target)
    assert found is not None
    check(found, counts, target)
    assert found.is_optimal
    assert found.missing == fewest_missing(counts, target)


@settings(max_examples=15, deadline=None)
@given(instances())
def test_the_integer_program_goes_on_where_looking_up_gave_up(instance):
    counts, target = instance
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(subset_sum, "MOST_PAIRS", 0)
        patch.setattr(subset_sum, "MOST_LOOKUPS", 0)
        found = select_clusters(counts, target)
    assert found is not None
    check(found, counts, target)
    assert found.missing == fewest_missing(counts, target)


@settings(deadline=None)
@given(instances(), st.integers(0, 60))
def test_nothing_is_returned_exactly_when_nothing_better_exists(instance, limit):
    counts, target = instance
    found = select_clusters(counts, target, better_than=limit)
    assert (found is None) == (fewest_missing(counts, target) >= limit)


def test_clusters_that_lack_a_class_are_used():
    found = select_clusters([[5, 0], [0, 7], [9, 9]], [5, 7])
    assert found is not None
    assert found.clusters == (0, 1)
    assert found.missing == 0


def test_sixty_clusters_are_solved_exactly():
    random = np.random.default_rng(3)
    counts = random.multinomial(300, [0.3, 0.3, 0.4], size=60)
    hidden = random.choice(60, size=12, replace=False)
    found = select_clusters(counts, counts[hidden].sum(axis=0))
    assert found is not None
    assert found.missing == 0


def test_an_answer_that_is_not_proven_says_how_far_off_it_may_be():
    random = np.random.default_rng(5)
    counts = random.integers(0, 60, size=(70, 6)) * 1000 + random.integers(0, 999, size=(70, 6))
    target = (counts.sum(axis=0) * 0.1).astype(int)
    found = select_clusters(counts, target, work_limit=0.05)
    assert found is not None
    assert found.gap == found.missing - found.bound
    assert found.gap >= 0
    assert found == select_clusters(counts, target, work_limit=0.05)


@pytest.mark.parametrize(
    ("counts", "target", "said"),
    [([[1, 2]], [1], "1 counts"), ([[1, -2]], [1, 1], "negative"), ([[1]], [-1], "negative"), ([[1]], [], "0 counts")],
)
def test_impossible_problems_are_refused(counts, target, said):
    with pytest.raises(ValueError, match=said):
        select_clusters(counts, target)


def test_no_cluster_at_all_misses_everything():
    found = select_clusters([], [3, 4])
    assert found is not None
    assert (found.clusters, found.missing) == ((), 7)


def test_the_ways_to_miss_are_all_and_only_those_within_the_limits():
    ways = list(ways_to_miss(3, np.array([1, 3, 2])))
    assert len(set(ways)) == len(ways)
    assert all(sum(way) == 3 and way[0] <= 1 and way[2] <= 2 for way in ways)
    assert len(ways) == 6
