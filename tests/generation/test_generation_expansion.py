"""Expansion of plans: counted before, sampled by seed, groups in balance."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generation.expansion.plans import Axis, Combination, Entry, Plan, count_plans
from generation.expansion.sampling import expand


def axis(name, size, groups=()):
    if groups:
        return Axis(name, tuple(Entry(f"{g}{i}", f"{g}{i}", g) for g in groups for i in range(size)))
    return Axis(name, tuple(Entry(f"{name}{i}", f"{name}{i}") for i in range(size)))


def render(combination: Combination) -> str:
    return " ".join([combination.template, *combination.values.values()])


PLANS = st.lists(
    st.tuples(st.integers(1, 4), st.integers(1, 3), st.sampled_from(["f1", "f2"]), st.booleans()),
    min_size=1,
    max_size=5,
).map(
    lambda rows: [
        Plan(f"t{number}", (axis("verb", verbs), axis("ident", names, "ABC" if grouped else ())), stratum)
        for number, (verbs, names, stratum, grouped) in enumerate(rows)
    ]
)


@given(PLANS)
@settings(deadline=None)
def test_the_count_is_what_a_full_expansion_gives(plans):
    count = count_plans(plans)
    expansion = expand(plans, render=render)
    assert len(expansion.filled) == count.total == sum(count.by_stratum.values())
    assert expansion.by_group == {group: size for group, size in count.by_group.items() if size}
    assert len({item.text for item in expansion.filled}) == count.total


@given(PLANS, st.integers(1, 60), st.integers(0, 5))
@settings(deadline=None)
def test_a_sample_is_seeded_part_of_the_whole_and_balanced_within_each_template(plans, size, seed):
    whole = {item.text for item in expand(plans, render=render).filled}
    sample = expand(plans, render=render, size=size, seed=seed)
    texts = [item.text for item in sample.filled]
    assert texts == [item.text for item in expand(plans, render=render, size=size, seed=seed).filled]
    assert len(set(texts)) == len(texts)
    assert set(texts) <= whole
    assert min(size, len(whole)) <= len(texts) < size + 3
    for plan in plans:
        counts = Counter(item.combination.group for item in sample.filled if item.combination.template == plan.template)
        assert len(set(counts.values())) <= 1


def test_strata_and_templates_get_equal_shares():
    plans = [Plan(f"t{i}", (axis("verb", 50),), "large" if i < 9 else "small") for i in range(10)]
    sample = expand(plans, render=render, size=20)
    assert Counter(item.combination.stratum for item in sample.filled) == {"large": 10, "small": 10}
    assert max(Counter(i.combination.template for i in sample.filled if i.combination.stratum == "large").values()) == 2


def test_a_small_sample_of_a_huge_plan_is_quick():
    plan = Plan("t", tuple(axis(name, 1000) for name in "abcd"))
    assert plan.count == 1000**4
    assert len(expand([plan], render=render, size=10).filled) == 10


def test_grouped_axes_agree_on_the_group():
    plan = Plan("t", (axis("ident", 1, "AB"), axis("slur", 2, "ABC")))
    assert plan.groups == ("A", "B")
    assert plan.count == 4
    for combination in plan.combinations():
        assert {entry.group for _, entry in combination.entries} == {combination.group}


def test_near_duplicates_are_left_out_for_all_groups_alike():
    verbs = Axis(
        "verb", tuple(Entry(text, text) for text in ("sing very early today", "sing very early todays", "bake"))
    )
    plan = Plan("t", (axis("ident", 1, "AB"), verbs))
    expansion = expand([plan], render=render, near_duplicate_similarity=0.9)
    assert expansion.by_group == {"A": 2, "B": 2}
    assert (expansion.near_duplicates, expansion.left_out_for_balance) == (2, 0)


def test_the_same_sentence_about_two_groups_is_no_duplicate():
    plan = Plan("t", (axis("ident", 1, ("women", "woman")),))
    expansion = expand([plan], render=lambda c: "the very same text", near_duplicate_similarity=0.9)
    assert len(expansion.filled) == 2


def test_unequal_groups_are_named():
    entries = (Entry("a", "a", "A"), Entry("b", "b", "A"), Entry("c", "c", "B"))
    assert count_plans([Plan("t", (Axis("ident", entries),))]).unbalanced == ("t",)


def test_stopping_keeps_what_is_done():
    seen = []
    expansion = expand(
        [Plan("t", (axis("verb", 9),))],
        render=render,
        on_progress=lambda done, total: seen.append(done),
        should_stop=lambda: len(seen) == 4,
    )
    assert expansion.was_stopped
    assert len(expansion.filled) == 4


def test_what_makes_no_sense_is_refused():
    with pytest.raises(ValueError, match="some entries have a group"):
        Plan("t", (Axis("x", (Entry("a", "a", "A"), Entry("b", "b"))),))
    with pytest.raises(ValueError, match="share a template"):
        count_plans([Plan("t", ()), Plan("t", ())])
    with pytest.raises(ValueError, match="at least one text"):
        expand([], render=render, size=0)
