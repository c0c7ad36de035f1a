"""Sorting on disk: the same order as in memory, and memory that does not grow with what is sorted."""

import random
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curation.publishing import sorting
from curation.publishing.blocks import Block, values_of
from curation.publishing.canonical import ReleaseChecksum, natural_order, release_sha256
from curation.publishing.sorting import SortedRecords, content_of, in_order, keyed
from curation.publishing.spool import CaseSpool
from curation.publishing.values import FrozenCase

texts = st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=6)


@pytest.fixture
def little_memory(monkeypatch):
    """Some hundred records are too many."""
    monkeypatch.setattr(sorting, "IN_MEMORY", 2_000)
    monkeypatch.setattr(sorting, "AT_ONCE", 300)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.lists(st.binary(max_size=40), max_size=20), max_size=20))
def test_records_come_back_sorted_as_often_as_wanted(lots):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sorting, "IN_MEMORY", 500)
        patch.setattr(sorting, "AT_ONCE", 100)
        records = SortedRecords()
        for lot in lots:
            records.extend(lot)
        expected = sorted(record for lot in lots for record in lot)
        assert list(records) == expected
        assert list(records) == expected
        assert len(records) == len(expected)


@given(st.lists(st.tuples(texts, texts)))
def test_records_with_a_key_are_in_the_order_of_its_texts(keys):
    records = sorted(keyed(key, b"content") for key in keys)
    assert records == [keyed(key, b"content") for key in sorted(keys)]
    assert all(content_of(record) == b"content" for record in records)


@pytest.mark.usefixtures("little_memory")
def test_rows_are_sorted_by_the_texts_of_their_key():
    rows = [[f"de-{number}", f"text {number}\n"] for number in range(500)]
    random.Random(1).shuffle(rows)
    assert list(in_order(rows, key=lambda row: natural_order(row[0]))) == [
        [f"de-{number}", f"text {number}\n"] for number in range(500)
    ]


def test_memory_does_not_grow_with_what_is_sorted(monkeypatch):
    monkeypatch.setattr(sorting, "IN_MEMORY", 200_000)
    monkeypatch.setattr(sorting, "AT_ONCE", 2_000)
    numbers = random.Random(1)

    def peak(lots: int) -> int:
        tracemalloc.start()
        records = SortedRecords()
        for _ in range(lots):
            records.extend([numbers.randbytes(100) for _ in range(500)])
        assert sum(1 for _ in records) == lots * 500
        try:
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    assert peak(60) < 1.5 * peak(6)


def some_cases(count: int) -> list[FrozenCase]:
    cases = [
        FrozenCase(key=f"de-{number}", language="de", functionality="f", text=f"Text {number}.", label="hateful")
        for number in range(count)
    ]
    random.Random(1).shuffle(cases)
    return cases


def test_the_checksum_is_the_same_whether_cases_waited_on_disk_or_not(monkeypatch):
    cases = some_cases(300)
    expected = release_sha256(cases)
    monkeypatch.setattr(sorting, "IN_MEMORY", 2_000)
    assert release_sha256(cases) == expected


@pytest.mark.usefixtures("little_memory")
def test_an_id_that_came_twice_is_found_on_disk_too():
    checksum = ReleaseChecksum()
    for key in (*map(str, range(200)), "7"):
        checksum.add(key, "0" * 64)
    with pytest.raises(ValueError, match="'7' occurs twice"):
        checksum.hexdigest()


@pytest.mark.usefixtures("little_memory")
def test_the_spool_gives_cases_in_natural_order_from_disk_too(tmp_path):
    cases = some_cases(300)
    spool = CaseSpool(tmp_path / "spool")
    spool.fill(Block.of_rows([values]) for values in map(values_of, cases))
    assert (tmp_path / "spool").stat().st_size > 2_000
    assert [case.key for block in spool for case in block.cases()] == [f"de-{number}" for number in range(300)]
    assert spool.sha256 == release_sha256(cases)
