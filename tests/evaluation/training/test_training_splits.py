from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.training.algorithm.loop import class_weights, training_order
from evaluation.training.algorithm.rows import LabelledRow, split_rows, split_stratified

counts = st.lists(st.integers(min_value=3, max_value=80), min_size=1, max_size=4)


@given(counts, st.integers(min_value=0, max_value=9))
def test_every_row_is_in_exactly_one_part(sizes, seed):
    labels = [f"class {index}" for index, size in enumerate(sizes) for _ in range(size)]
    split = split_stratified(labels, seed=seed)
    assert sorted((*split.train, *split.validation, *split.test)) == list(range(len(labels)))


@given(counts, st.integers(min_value=0, max_value=9))
def test_every_class_keeps_its_share_in_every_part(sizes, seed):
    labels = [f"class {index}" for index, size in enumerate(sizes) for _ in range(size)]
    split = split_stratified(labels, seed=seed)
    for part, share in ((split.train, 0.8), (split.validation, 0.1), (split.test, 0.1)):
        found = Counter(labels[position] for position in part)
        for index, size in enumerate(sizes):
            assert found[f"class {index}"] >= 1
            assert abs(found[f"class {index}"] - share * size) < 2


def test_the_seed_decides_the_split():
    labels = ["a", "b"] * 50
    assert split_stratified(labels, seed=1) == split_stratified(labels, seed=1)
    assert split_stratified(labels, seed=1) != split_stratified(labels, seed=2)


def test_a_class_too_small_to_split_is_named():
    with pytest.raises(ValueError, match="class 'b' has 2 rows"):
        split_stratified(["a"] * 9 + ["b"] * 2, seed=0)


def test_shares_must_add_up():
    with pytest.raises(ValueError, match="add up to 1"):
        split_stratified(["a"] * 9, seed=0, shares=(0.5, 0.1, 0.1))


def rows(**parts: int) -> list[LabelledRow]:
    return [LabelledRow(f"{part} {i}", "ab"[i % 2], part) for part, count in parts.items() for i in range(count)]


def test_a_published_split_is_kept():
    data = rows(train=10, dev=4, test=6)
    split = split_rows(data, seed=0, as_published=True)
    assert [len(part) for part in (split.train, split.validation, split.test)] == [10, 4, 6]
    assert {data[position].split for position in split.test} == {"test"}


def test_without_a_dev_part_a_tenth_of_train_is_for_validation_and_test_stays_untouched():
    data = rows(train=40, test=6)
    split = split_rows(data, seed=0, as_published=True)
    assert [len(part) for part in (split.train, split.validation, split.test)] == [36, 4, 6]
    assert not set(split.train) & set(split.validation)


def test_data_without_a_published_split_is_refused():
    with pytest.raises(ValueError, match="no published split"):
        split_rows(rows(train=10), seed=0, as_published=True)


@given(st.lists(st.integers(min_value=1, max_value=50), min_size=1, max_size=200), st.integers(0, 5))
def test_an_epoch_sees_every_row_once_in_batches_of_the_right_size(lengths, epoch):
    batches = training_order(lengths, batch_size=16, seed=3, epoch=epoch)
    assert sorted(position for batch in batches for position in batch) == list(range(len(lengths)))
    assert len(batches) == -(-len(lengths) // 16)


def test_epochs_differ_and_repeat_with_the_seed():
    lengths = list(range(1, 101))
    first = training_order(lengths, batch_size=8, seed=1, epoch=0)
    assert first == training_order(lengths, batch_size=8, seed=1, epoch=0)
    assert first != training_order(lengths, batch_size=8, seed=1, epoch=1)


def test_rare_classes_weigh_more_and_balanced_ones_weigh_one():
    assert class_weights([0, 1, 0, 1], classes=2) == [1.0, 1.0]
    assert class_weights([0, 0, 0, 1], classes=2) == [4 / 6, 2.0]
    with pytest.raises(ValueError, match="no training row"):
        class_weights([0, 0], classes=2)
