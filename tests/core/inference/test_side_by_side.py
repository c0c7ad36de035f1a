"""Batches on threads of their own: nothing is lost, an error arrives, and stopping waits for what has begun."""

import threading
from collections.abc import Iterator
from contextlib import closing

import pytest
import torch

from core.inference.side_by_side import each_on_its_own_thread


@pytest.fixture(autouse=True)
def three_threads() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(3)
    yield
    torch.set_num_threads(before)


def test_every_batch_is_answered_once():
    assert sorted(each_on_its_own_thread(lambda number: number * 2, range(100))) == list(range(0, 200, 2))
    assert list(each_on_its_own_thread(lambda number: number, [])) == []


def test_as_many_batches_run_at_once_as_there_are_threads_each_with_one_thread_inside():
    meeting = threading.Barrier(3, timeout=30)

    def work(number: int) -> int:
        meeting.wait()  # breaks unless three are here at the same time
        return torch.get_num_threads()

    assert list(each_on_its_own_thread(work, range(6))) == [1] * 6


def test_the_number_of_threads_is_as_before_afterwards():
    list(each_on_its_own_thread(lambda number: number, range(5)))
    assert torch.get_num_threads() == 3


def test_an_error_of_one_batch_reaches_the_caller():
    def work(number: int) -> int:
        if number == 4:
            raise ValueError("batch 4 is bad")
        return number

    with pytest.raises(ValueError, match="batch 4 is bad"):
        list(each_on_its_own_thread(work, range(100)))
    assert torch.get_num_threads() == 3


def test_no_new_batch_begins_after_closing():
    begun: list[int] = []
    with closing(each_on_its_own_thread(lambda number: begun.append(number), range(1000))) as answers:
        next(answers)
    assert len(begun) < 10
    assert torch.get_num_threads() == 3
