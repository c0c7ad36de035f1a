"""Items in batches, read no further than asked for."""

from itertools import count

from hypothesis import given
from hypothesis import strategies as st

from core.batches import in_batches


@given(st.lists(st.integers(), max_size=50), st.integers(1, 10))
def test_batches_hold_all_items_in_order_and_only_the_last_is_shorter(items, size):
    batches = list(in_batches(items, size))
    assert [item for batch in batches for item in batch] == items
    assert all(len(batch) == size for batch in batches[:-1])
    assert [] not in batches


def test_an_endless_source_is_read_a_batch_at_a_time():
    numbers = count()
    assert next(in_batches(numbers, 3)) == [0, 1, 2]
    assert next(numbers) == 3
