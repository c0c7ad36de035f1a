"""Groups of annotators: a simulated effect is found, and where there is none, none is claimed."""

import numpy as np
import pytest

from annotation.measures.perspectives import compare_groups, label_shift, tabulate
from annotation.measures.votes import Vote

LABELS = ("hateful", "non-hateful")


def simulated(effect: float, *, seed: int, people: int = 24, cases: int = 60, each: int = 5):
    """Votes of two halves of a crowd, of which members say 'hateful' more often. People differ by themselves, too."""
    generator = np.random.default_rng(seed)
    members = {person for person in range(people) if person % 2}
    bias = generator.normal(0, 0.08, people)
    votes = []
    for case in range(cases):
        usual = generator.uniform(0.25, 0.6)
        for person in generator.choice(people, each, replace=False):
            chance = usual + bias[person] + (effect if person in members else 0.0)
            votes.append(Vote(case, int(person), LABELS[0] if generator.random() < chance else LABELS[1]))
    return votes, members


def test_a_simulated_effect_is_recovered():
    found = [label_shift(*simulated(0.2, seed=seed), "hateful", seed=1, draws=200) for seed in range(150)]
    assert np.mean([one.difference for one in found]) == pytest.approx(0.2, abs=0.02)
    assert np.mean([one.interval[0] <= 0.2 <= one.interval[1] for one in found]) >= 0.92
    assert np.mean([one.p_value < 0.05 for one in found]) > 0.7


def test_without_an_effect_no_more_than_one_in_twenty_is_called_one():
    found = [label_shift(*simulated(0.0, seed=seed), "hateful", seed=1, draws=400) for seed in range(200)]
    assert np.mean([one.p_value < 0.05 for one in found]) <= 0.08
    assert np.mean([one.interval[0] <= 0 <= one.interval[1] for one in found]) >= 0.93


def test_a_group_that_got_harder_cases_is_not_called_harsher():
    """Everyone labels alike; members saw mostly the hateful cases."""
    votes = [
        Vote(case, person, LABELS[case % 2])
        for case in range(40)
        for person in range(8)
        if person % 2 or case % 2 == 0 or case % 8 == 1
    ]
    shift = label_shift(votes, {0, 2, 4, 6}, "hateful", seed=1)
    assert shift.difference == pytest.approx(0)


def test_without_a_case_in_common_nothing_is_compared():
    votes = [Vote(0, 1, "hateful"), Vote(1, 2, "hateful")]
    assert label_shift(votes, {1}, "hateful", seed=1).difference is None
    assert label_shift([], set(), "hateful", seed=1).difference is None


def test_groups_are_compared_with_all_others():
    votes, members = simulated(0.35, seed=3)
    group_of = {person: "A" if person in members else "B" for person in range(24)}
    found = compare_groups(votes, group_of, labels=LABELS, positive="hateful", template_of={}, seed=1, draws=300)
    assert set(found) == {"A", "B"}
    assert found["A"]["difference"] == pytest.approx(-found["B"]["difference"])
    assert found["A"]["positive_share"] > found["B"]["positive_share"]
    assert found["A"]["annotators"] == found["B"]["annotators"] == 12
    assert 0 < found["A"]["majority_differs"] <= found["A"]["majority_compared"] <= 60
    assert found["A"]["majority_differs"] == found["B"]["majority_differs"]
    assert found["A"]["p_value"] < 0.05
    assert found["A"]["fleiss_kappa_ci95"] is not None


def test_a_table_counts_votes():
    table = tabulate([Vote("a", 1, "hateful"), Vote("a", 2, "hateful"), Vote("b", 1, "non-hateful")], LABELS)
    assert (table.cases, table.counts.tolist()) == (("a", "b"), [[2, 0], [0, 1]])
