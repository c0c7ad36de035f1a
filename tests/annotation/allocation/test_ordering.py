"""Mixed order: cases of one template never in a row where that is possible."""

from collections import Counter
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.allocation.ordering import spread_templates

templates = st.lists(st.one_of(st.none(), st.integers(0, 5)), max_size=40)


def neighbours(order, template_of):
    return sum(template_of[a] is not None and template_of[a] == template_of[b] for a, b in pairwise(order))


@settings(deadline=None)
@given(templates, st.integers(0, 99))
def test_as_few_neighbours_share_a_template_as_possible(given_templates, seed):
    template_of = dict(enumerate(given_templates))
    order = spread_templates(list(template_of), template_of=template_of, seed=seed)
    assert sorted(order) == list(template_of)
    sizes = Counter(template for template in given_templates if template is not None)
    largest = max(sizes.values(), default=0)
    unavoidable = max(0, largest - (len(order) - largest) - 1)
    assert neighbours(order, template_of) == unavoidable


def test_the_same_seed_gives_the_same_order():
    template_of = {case: case // 5 for case in range(100)}
    one, same, other = (spread_templates(range(100), template_of=template_of, seed=seed) for seed in (1, 1, 2))
    assert one == same != other


def test_large_templates_are_not_bunched_together():
    template_of = {case: 0 if case < 100 else case for case in range(1000)}
    order = spread_templates(range(1000), template_of=template_of, seed=1)
    first_half = sum(template_of[case] == 0 for case in order[:500])
    assert 30 < first_half < 70


def test_cases_without_a_known_template_may_stand_anywhere():
    assert sorted(spread_templates([1, 2, 3], template_of={}, seed=1)) == [1, 2, 3]
