"""The checksum: order does not matter, one letter does; and every file gives back the cases it was given."""

import csv
import hashlib
import io
import json
import unicodedata
from dataclasses import fields, replace
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.tables.cells import defuse, restore
from curation.fields import COLUMNS, FIELDS, OPTIONAL
from curation.publishing.blocks import Block, in_blocks, values_of
from curation.publishing.canonical import (
    canonical_bytes,
    canonical_lines,
    case_sha256,
    from_record,
    json_text,
    natural_order,
    release_sha256,
    to_record,
)
from curation.publishing.errors import PublishingError
from curation.publishing.integrity import changed_fields, field_checksums
from curation.publishing.readers import read_csv, read_jsonl, read_parquet
from curation.publishing.rows import csv_pieces
from curation.publishing.spool import CaseSpool
from curation.publishing.values import FrozenCase
from curation.publishing.writers.csv_files import CsvWriter
from curation.publishing.writers.jsonl import JsonlWriter
from curation.publishing.writers.parquet import ParquetWriter
from curation.publishing.writers.profiles import own_profile

text = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=30)
keys = st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=12)
groups = st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters=";"), min_size=1, max_size=8)
flags = st.sampled_from([True, False, None])


def frozen_cases() -> st.SearchStrategy[FrozenCase]:
    return st.builds(
        FrozenCase,
        key=keys,
        language=text,
        functionality=text,
        text=text,
        label=text,
        functionality_class=text,
        targets=st.lists(groups, max_size=3).map(tuple),
        direction=text,
        focus_words=text,
        focus_lemma=text,
        refers_to=text,
        refers_to_template=text,
        template=text,
        template_text=text,
        origin=text,
        labels_given=st.lists(text, max_size=5).map(tuple),
        majority=text,
        disagreement_in_case=flags,
        disagreement_in_template=flags,
        provenance=text,
        extra=st.dictionaries(text, text, max_size=2).map(lambda extra: tuple(sorted(extra.items()))),
        contrast_set=text,
        perturbation_set=text,
    )


def block_of(cases: list[FrozenCase]) -> Block:
    return Block.of_rows(map(values_of, cases), [case_sha256(case) for case in cases])


many = st.lists(frozen_cases(), min_size=1, max_size=6, unique_by=lambda case: case.key)
A_CASE = FrozenCase(key="en-1", language="en", functionality="ident_pos_nh", text="Café", label="non-hateful")


@settings(max_examples=40, deadline=None)
@given(many, st.randoms(use_true_random=False))
def test_the_checksum_does_not_depend_on_order(cases, random):
    shuffled = list(cases)
    random.shuffle(shuffled)
    assert release_sha256(cases) == release_sha256(shuffled)


@settings(max_examples=40, deadline=None)
@given(many, st.data())
def test_one_changed_letter_changes_the_checksum(cases, data):
    position = data.draw(st.integers(0, len(cases) - 1))
    case = cases[position]
    changed = list(cases)
    changed[position] = replace(case, text=data.draw(text.filter(lambda other: other != case.text)))
    assert release_sha256(cases) != release_sha256(changed)


@pytest.mark.parametrize("name", [field.name for field in fields(FrozenCase)])
def test_every_field_takes_part_in_the_checksum(name):
    others: dict[str, Any] = {
        "targets": ("women",),
        "labels_given": ("hateful",),
        "disagreement_in_case": False,
        "disagreement_in_template": False,
        "extra": (("gender_male", ""),),
    }
    changed = replace(A_CASE, **{name: others.get(name, "something else")})
    assert case_sha256(changed) != case_sha256(A_CASE)
    before, after = field_checksums(block_of([A_CASE, changed]))
    assert len(changed_fields(before, after)) == 1


def test_a_case_more_or_less_changes_the_checksum():
    other = replace(A_CASE, key="en-2")
    assert len({release_sha256([A_CASE]), release_sha256([other]), release_sha256([A_CASE, other])}) == 3


def test_the_checksum_is_what_sha256sum_would_say():
    other = replace(A_CASE, key="en-10")
    lines = [f"{case_sha256(case)}  {case.key}\n" for case in (other, A_CASE)]
    lines.sort(key=lambda line: line.split("  ")[1])
    expected = hashlib.sha256(("touchstone release 1\n" + "".join(lines)).encode()).hexdigest()
    assert release_sha256([A_CASE, other]) == expected


def test_the_canonical_bytes_never_change_by_accident():
    # a released checksum must hold for years: whoever changes this digest breaks every published release
    assert case_sha256(A_CASE) == "3cbdf5fcace38566103e514df13e7126fd422580577210ed89da9df83620c395"
    assert release_sha256([A_CASE]) == "873852680e09e65a8a5d34f6d9a11cea728c138ef7d3a08e4583f3fc71d6830d"


def test_composed_and_decomposed_letters_are_different_texts():
    decomposed = replace(A_CASE, text=unicodedata.normalize("NFD", A_CASE.text))
    assert case_sha256(decomposed) != case_sha256(A_CASE)


def test_the_order_of_extra_columns_does_not_matter():
    one = replace(A_CASE, extra=(("a", "1"), ("b", "2")))
    assert case_sha256(one) == case_sha256(replace(A_CASE, extra=(("b", "2"), ("a", "1"))))


def test_json_text_is_the_same_for_the_same_content():
    assert json_text({"b": 1, "a": ["ü"]}) == json_text({"a": ["ü"], "b": 1}) == '{"a":["ü"],"b":1}'


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"key": ""}, "case id"),
        ({"key": "a\nb"}, "case id"),
        ({"targets": ("women; men",)}, "target group"),
        ({"targets": ("",)}, "target group"),
        ({"extra": (("a", "1"), ("a", "2"))}, "same name"),
        ({"text": "half \ud83d"}, "surrogate"),
    ],
)
def test_what_could_not_be_read_back_is_refused(changes, message):
    with pytest.raises(PublishingError, match=message):
        canonical_bytes(replace(A_CASE, **changes))


def test_a_repeated_key_is_refused():
    with pytest.raises(PublishingError, match="'en-1' occurs twice"):
        release_sha256([A_CASE, replace(A_CASE, text="other")])


def test_an_empty_optional_field_changes_neither_bytes_nor_checksum():
    plain = canonical_bytes(A_CASE)
    assert b"contrast_set" not in plain
    assert canonical_lines(block_of([A_CASE])) == [plain]
    in_a_set = replace(A_CASE, contrast_set="7")
    assert canonical_bytes(in_a_set) == plain[:-1] + b',"contrast_set":"7"}'
    assert canonical_lines(block_of([A_CASE, in_a_set])) == [plain, canonical_bytes(in_a_set)]


@given(frozen_cases())
def test_the_canonical_object_holds_the_whole_case(case):
    said = tuple(field.column for field in OPTIONAL if getattr(case, field.name))
    assert tuple(to_record(case)) == (*COLUMNS, *said)
    assert from_record(json.loads(canonical_bytes(case))) == case


@given(st.text(alphabet="'=+-@\t\r\na ＝", max_size=6) | text)
def test_defusing_can_be_undone(cell):
    assert restore(defuse(cell)) == cell


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1+2", "@SUM(A1)", "\t=1", "\r=1", "＝1+1"])
def test_formulas_are_defused(cell):
    assert defuse(cell) == "'" + cell


@pytest.mark.parametrize("cell", ["", "-", "'tis", "a=b", "I hate spam"])
def test_harmless_cells_stay(cell):
    assert defuse(cell) == cell


@settings(max_examples=30, deadline=None)
@given(many)
@pytest.mark.parametrize(
    ("writer", "reader"),
    [
        (lambda path: CsvWriter(path, own_profile(FIELDS)), read_csv),
        (JsonlWriter, read_jsonl),
        (lambda path: ParquetWriter(path, FIELDS), read_parquet),
    ],
)
def test_a_file_gives_back_the_cases_it_was_given(writer, reader, cases):
    with TemporaryDirectory() as folder:
        path = Path(folder) / "cases"
        out = writer(path)
        out.write(block_of(cases))
        out.close()
        assert list(reader(path)) == [(case, case_sha256(case)) for case in cases]


@settings(max_examples=30, deadline=None)
@given(many)
def test_the_spool_gives_cases_in_natural_order_with_their_checksums(cases):
    with TemporaryDirectory() as folder:
        spool = CaseSpool(Path(folder) / "spool")
        spool.fill(in_blocks(cases, size=2))
        expected = sorted(cases, key=lambda case: natural_order(case.key))
        assert [case for block in spool for case in block.cases()] == expected
        assert [sha256 for block in spool for sha256 in block.sha256] == [case_sha256(case) for case in expected]
        assert spool.sha256 == release_sha256(cases)


def test_members_of_an_enumeration_are_published_as_their_texts(tmp_path):
    class Label(StrEnum):
        HATEFUL = "hateful"

    spool = CaseSpool(tmp_path / "spool")
    spool.fill(in_blocks([replace(A_CASE, label=Label.HATEFUL)]))
    (block,) = spool
    (case,), (sha256,) = block.cases(), block.sha256
    assert type(case.label) is str
    assert (case, sha256) == (replace(A_CASE, label="hateful"), case_sha256(replace(A_CASE, label="hateful")))


@given(many)
def test_the_canonical_bytes_are_plain_json_of_the_record_also_in_blocks(cases):
    expected = [json.dumps(to_record(case), ensure_ascii=False, separators=(",", ":")).encode() for case in cases]
    assert [canonical_bytes(case) for case in cases] == expected
    assert canonical_lines(block_of(cases)) == expected


@given(st.lists(st.lists(st.text(alphabet="a ,;\"'\r\n\t-=", max_size=4), min_size=2, max_size=2), min_size=1))
def test_csv_is_what_any_reader_expects(rows):
    written = b"".join(csv_pieces(("one", "two"), rows)).decode()
    header, *found = csv.reader(io.StringIO(written, newline=""))
    assert header == ["one", "two"]
    assert [[restore(cell) for cell in row] for row in found] == rows


def test_a_row_of_one_empty_cell_is_not_an_empty_line():
    assert b"".join(csv_pieces(("one",), [("",), ("a",)])) == b'one\n""\na\n'


def test_a_block_that_cannot_be_published_says_which_case():
    with pytest.raises(PublishingError, match="case 'en-2': a target group"):
        canonical_lines(Block.of_rows(map(values_of, [A_CASE, replace(A_CASE, key="en-2", targets=("a; b",))])))


def test_numbers_in_keys_count_as_numbers():
    assert sorted(["de-10", "de-9", "ar-100", "de-009"], key=natural_order) == ["ar-100", "de-009", "de-9", "de-10"]


def test_a_jsonl_line_without_its_last_member_has_the_digest_it_names(tmp_path):
    out = JsonlWriter(tmp_path / "cases.jsonl")
    out.write(block_of([A_CASE]))
    out.close()
    line = (tmp_path / "cases.jsonl").read_bytes().strip()
    body, _, named = line.rpartition(b',"sha256":')
    assert hashlib.sha256(body + b"}").hexdigest() == json.loads(named[:-1])
