"""The report of one model: everything in one plain dictionary."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.metrics.columns import Row
from evaluation.metrics.report import measure

HATEFUL, FINE = LABELS = ("hateful", "non-hateful")

rows_of_any_kind = st.lists(
    st.builds(
        Row,
        case=st.uuids().map(str),
        gold=st.sampled_from(LABELS),
        predicted=st.sampled_from([*LABELS, None]),
        score=st.one_of(st.none(), st.floats(0, 1)),
        functionality=st.sampled_from(["slur_h", "negation_nh", ""]),
        functionality_class=st.sampled_from(["slur", "negation", ""]),
        language=st.sampled_from(["de", "ar", ""]),
        targets=st.sampled_from([(), ("women",), ("women", "Muslims")]),
        is_identity_template=st.booleans(),
        direction=st.sampled_from(["general", "directed", ""]),
        focus_word=st.sampled_from(["word", ""]),
        origin=st.sampled_from(["template", "llm"]),
        agreement=st.sampled_from(["5/5", "4/5", ""]),
        template=st.one_of(st.none(), st.sampled_from("abc")),
    ),
    unique_by=lambda row: row.case,
    max_size=30,
)


def shares_in(value, key=""):
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from shares_in(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from shares_in(inner, key)
    elif key in ("accuracy", "macro_f1", "micro_f1", "consistency", "ece", "share", "p", "p_holm"):
        yield value


@settings(max_examples=40, deadline=None)
@given(rows_of_any_kind)
def test_any_rows_give_json_with_shares_between_zero_and_one(rows):
    report = measure(rows, labels=LABELS, positive=HATEFUL)
    json.dumps(report, allow_nan=False)
    assert all(share is None or 0 <= share <= 1 for share in shares_in(report))
    assert report["overall"]["n"] == len(rows)
    assert report["overall"]["unanswered"] == sum(row.predicted is None for row in rows)


@settings(max_examples=15, deadline=None)
@given(rows_of_any_kind, st.randoms())
def test_the_order_of_rows_changes_no_figure(rows, random):
    shuffled = list(rows)
    random.shuffle(shuffled)
    one, other = (measure(some, labels=LABELS, positive=HATEFUL) for some in (rows, shuffled))
    for key in ("overall", "by_functionality", "by_target", "by_label", "confusion", "baselines", "by_slur"):
        assert one[key] == other[key]


def test_the_report_has_every_part():
    report = measure([Row("1", HATEFUL, FINE)], labels=LABELS, positive=HATEFUL)
    assert {
        "overall",
        "by_functionality",
        "by_class",
        "by_label",
        "by_target",
        "by_language",
        "by_direction",
        "by_focus_word",
        "by_slur",
        "by_origin",
        "by_agreement",
        "contrast_pairs",
        "gaps",
        "confusion",
        "baselines",
        "calibration",
        "near_threshold",
    } <= set(report)


def test_only_identity_templates_speak_about_groups():
    rows = [
        Row("1", HATEFUL, HATEFUL, targets=("women",), is_identity_template=True),
        Row("2", HATEFUL, FINE, targets=("women",), is_identity_template=False),
    ]
    assert measure(rows, labels=LABELS, positive=HATEFUL)["by_target"]["women"]["n"] == 1


def test_languages_are_marked_many_shot_or_zero_shot():
    rows = [Row("1", HATEFUL, HATEFUL, language="de"), Row("2", HATEFUL, HATEFUL, language="ar")]
    marked = measure(rows, labels=LABELS, positive=HATEFUL, trained_on=["de"])["by_language"]
    assert {language: found["shots"] for language, found in marked.items()} == {"de": "many", "ar": "zero"}
    unknown = measure(rows, labels=LABELS, positive=HATEFUL)["by_language"]
    assert unknown["de"]["shots"] is None


def test_templates_of_two_languages_are_different_templates():
    rows = [Row("1", HATEFUL, HATEFUL, language="de", template="7"), Row("2", FINE, FINE, language="ar", template="7")]
    assert measure(rows, labels=LABELS, positive=HATEFUL)["overall"]["templates"] == 2


def test_slurs_are_told_apart_inside_their_functionality():
    rows = [
        Row("1", FINE, FINE, functionality="slur_reclaimed_nh", focus_word="q*eer"),
        Row("2", HATEFUL, FINE, functionality="slur_h", focus_word="q*eer"),
        Row("3", HATEFUL, FINE, functionality="negation_h", focus_word="hate"),
    ]
    found = measure(rows, labels=LABELS, positive=HATEFUL)["by_slur"]
    assert set(found) == {"slur_reclaimed_nh", "slur_h"}
    assert found["slur_reclaimed_nh"]["q*eer"]["accuracy"] == 1


def test_the_seed_makes_the_report_repeatable():
    rows = [Row(str(n), LABELS[n % 2], LABELS[n % 3 > 0], template=str(n // 2)) for n in range(40)]
    one, same = (measure(rows, labels=LABELS, positive=HATEFUL) for _ in range(2))
    assert one == same


def test_an_unknown_positive_label_is_refused():
    with pytest.raises(ValueError, match="positive label 'hate' is unknown"):
        measure([], labels=LABELS, positive="hate")
