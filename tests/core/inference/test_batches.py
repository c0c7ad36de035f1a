import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.inference.batches import plan_batches
from evaluation.runners.chunking import cache_key, cut_into_chunks, text_hash

lengths = st.lists(st.integers(min_value=1, max_value=600), max_size=200)


@given(lengths, st.integers(min_value=1, max_value=2048))
def test_every_text_is_in_exactly_one_batch(lengths, budget):
    batches = plan_batches(lengths, budget=budget)
    assert sorted(position for batch in batches for position in batch) == list(range(len(lengths)))


@given(lengths, st.integers(min_value=1, max_value=2048))
def test_no_batch_exceeds_the_budget_unless_one_text_alone_does(lengths, budget):
    for batch in plan_batches(lengths, budget=budget):
        cost = max(lengths[position] for position in batch) * len(batch)
        assert cost <= budget or len(batch) == 1


def test_texts_of_like_length_share_a_batch_longest_first():
    assert plan_batches([2, 9, 2, 9], budget=18) == [[1, 3], [0, 2]]


def test_a_budget_of_nothing_is_refused():
    with pytest.raises(ValueError, match="at least 1"):
        plan_batches([1], budget=0)


@given(st.lists(st.integers(), max_size=300), st.integers(min_value=1, max_value=50))
def test_chunks_lose_nothing_double_nothing_and_are_even(items, size):
    chunks = list(cut_into_chunks(items, size=size))
    assert [item for chunk in chunks for item in chunk] == items
    sizes = [len(chunk) for chunk in chunks]
    assert not sizes or (max(sizes) <= size and max(sizes) - min(sizes) <= 1 and min(sizes) >= 1)


def test_a_chunk_of_nothing_is_refused():
    with pytest.raises(ValueError, match="at least one item"):
        list(cut_into_chunks([1], size=0))


@given(st.text(), st.text())
def test_the_cache_key_tells_texts_and_models_apart(one, other):
    assert (cache_key("m", one) == cache_key("m", other)) == (one == other)
    assert cache_key("m", one) != cache_key("n", one)


def test_a_doubled_blank_is_another_text():
    assert text_hash("a b") != text_hash("a  b")
