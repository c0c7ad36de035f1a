"""Figures, differences, annexes and documents of a release."""

import statistics as reference
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.publishing.annexes import AnnexDocument, AnnexTable, collect, register, write_annex
from curation.publishing.citation import bibtex
from curation.publishing.datasheet import datasheet
from curation.publishing.demographics import suppress_small_cells
from curation.publishing.difference import changelog_draft, compare
from curation.publishing.errors import PublishingError
from curation.publishing.labelling import Labelling
from curation.publishing.records import (
    DATASHEET_SECTIONS,
    QUESTIONS,
    STATEMENT_SECTIONS,
    AgreementRecord,
    GuidelineRecord,
    ReleaseRecords,
)
from curation.publishing.statement import data_statement, missing_sections
from curation.publishing.statistics import Moments, describe
from curation.publishing.values import Author, FrozenCase, ReleaseHead

HEAD = ReleaseHead(suite="demo", version="1.0.0", title="Demo", created="2026-11-16", min_agree=4, raters=5)
A_CASE = FrozenCase(
    key="en-1", language="en", functionality="slur_h", text="one two three", label="hateful", targets=("women",)
)


def test_figures_of_several_languages_do_not_depend_on_the_order_of_cases():
    cases = [
        FrozenCase(key=f"{code}-{n}", language=code, functionality="greeting", text="Hello you.", label="non-hateful")
        for n in range(3)
        for code in ("de", "fr", "zh")
    ]
    mixed = describe(cases)
    assert mixed.by_language == {"de": 3, "fr": 3, "zh": 3}
    assert mixed.as_json() == describe(sorted(cases, key=lambda case: case.key)).as_json()


@given(st.lists(st.integers(0, 10**6), min_size=2))
def test_moments_are_those_of_the_standard_library(values):
    moments = Moments()
    moments.add(values[:1])
    moments.add(values[1:])
    assert moments.mean == pytest.approx(reference.mean(values))
    assert moments.sd == pytest.approx(reference.stdev(values))


def test_moments_of_nothing_are_undefined():
    assert Moments().mean is None
    assert Moments().sd is None


def test_statistics_count_labels_groups_and_lengths():
    other = replace(A_CASE, key="en-2", text="one", label="non-hateful", targets=("women", "Muslims"))
    figures = describe([A_CASE, other, replace(A_CASE, key="en-3", targets=())]).as_json()
    assert figures["by_label"] == {"hateful": 2, "non-hateful": 1}
    assert figures["by_group"] == {"Muslims": 1, "women": 2}
    assert figures["group_balance"] == {"en": 0.5}
    assert figures["without_target"] == 1
    assert figures["words"] == {"n": 3, "total": 7, "squares": 19, "mean": 2.3333, "sd": 1.1547, "min": 1, "max": 3}


def test_words_are_undefined_where_no_blanks_separate_them():
    figures = describe([replace(A_CASE, language="zh", text="我不喜欢")]).as_json()
    assert figures["words"]["mean"] is None
    assert figures["characters"]["mean"] == 4


def test_balance_is_undefined_with_a_single_group():
    assert describe([A_CASE]).group_balance() == {"en": None}


@given(st.dictionaries(st.text(max_size=3), st.integers(0, 30), max_size=8))
def test_no_small_cell_is_shown_nor_can_it_be_worked_out(counts):
    shown = suppress_small_cells(counts)
    hidden = [answer for answer, people in shown.items() if people is None]
    assert all(people is None or people >= 5 for people in shown.values())
    assert len(hidden) != 1 or len(shown) == 1
    assert all(people is None or people == counts[answer] for answer, people in shown.items())


RECORDS = ReleaseRecords(
    agreement=(
        AgreementRecord("all", 3901, 5, 0.9285, fleiss_kappa_ci95=(0.9181, 0.9389)),
        AgreementRecord("fr", 3, 3, None),
    ),
    excluded_by_reason={"disagreement": 22, "template": 132, "reference": 19},
    annotators=12,
    demographics={"gender": {"woman": 8, "man": 4}, "age": {"18-29": 6, "30-39": 5, "60+": 1}},
    languages={"en": "English"},
    pay="16 pounds per hour",
    wellbeing="Daily check-ins",
    labelled_from="2026-01-02",
    labelled_until="2026-02-03",
    guidelines=(GuidelineRecord("en", "1", "Hateful | or not"),),
    prose={"curation_rationale": "We wanted *mild* tests.", "motivation": "Because."},
)


def test_the_data_statement_merges_records_and_prose():
    text = data_statement(HEAD, describe([A_CASE]), RECORDS)
    assert "We wanted *mild* tests.\n\nCases: 1." in text
    assert "fewer than 4 labels equal to the gold label" in text
    assert "| disagreement | 22 |" in text
    assert "| all | 3901 | 5 | 0.93 | 0.92 to 0.94 | – |" in text
    assert "| fr | 3 | 3 | – | – | – |" in text
    assert "16 pounds per hour" in text
    assert r"Hateful \| or not" in text
    assert text.count("*Not written yet.*") == 4


@pytest.mark.parametrize(
    ("labelling", "said"),
    [
        (Labelling(validated=2), "Of 2 cases, 2 are validated (at least 4 labels equal to the gold label)."),
        (Labelling(never_labelled=1), "The only case was never labelled (gold label as written or imported)."),
        (
            Labelling(validated=1, kept_by_decision=2, disputed=1, too_few_labels=1, no_threshold=1),
            "Of 6 cases, 1 is validated (at least 4 labels equal to the gold label), "
            "2 were kept by experts' decisions, 1 is disputed and marked, 1 has too few labels to tell "
            "and 1 was labelled, with no threshold.",
        ),
        (Labelling(), "There is no case."),
    ],
)
def test_what_annotators_said_about_the_cases_is_one_sentence(labelling, said):
    assert labelling.sentence(min_agree=4).startswith(said)


def test_the_data_statement_shows_no_small_cell_and_not_what_few_people_answered():
    text = data_statement(HEAD, describe([A_CASE]), RECORDS)
    assert text.count("| other answers | too few to show |") == 2
    assert not any(f"| {answer} |" in text for answer in ("man", "woman", "60+", "30-39"))
    assert "| 18-29 | 6 |" in text


def test_the_datasheet_has_every_section_and_the_checksum():
    text = datasheet(HEAD, describe([A_CASE]), RECORDS, sha256="ab" * 32)
    for title in ("Motivation", "Composition", "Collection process", "Uses", "Distribution", "Maintenance"):
        assert f"\n## {title}\n" in text
    assert "ab" * 32 in text
    assert "Because." in text


def test_sections_nobody_has_written_are_listed():
    assert missing_sections(RECORDS) == ["speaker_demographic", "speech_situation", "uses", "maintenance"]


def test_prose_for_an_unknown_section_is_refused():
    with pytest.raises(PublishingError, match="no section is called foo; known: curation_rationale"):
        ReleaseRecords(prose={"foo": "bar"})


def test_a_difference_tells_added_removed_text_and_verdict_apart():
    same, old_text, old_verdict, gone = (replace(A_CASE, key=f"en-{number}") for number in range(4))
    new = [
        replace(A_CASE, key="en-10"),
        same,
        replace(old_text, text="other"),
        replace(old_verdict, majority="hateful", direction="general"),
    ]
    difference = compare([same, old_text, old_verdict, gone], new, reasons={"en-3": "disagreement"})
    assert [case.key for case in difference.added] == ["en-10"]
    assert [case.key for case in difference.removed] == ["en-3"]
    assert [change.key for change in difference.changed_text] == ["en-1"]
    assert [(change.key, change.fields) for change in difference.changed_verdict] == [
        ("en-2", ("direction", "label_annotated_maj"))
    ]
    assert [change.key for change in difference.changed_otherwise] == ["en-2"]
    assert difference.unchanged == 1
    draft = changelog_draft(difference, old=HEAD, new=replace(HEAD, version="1.1.0", created="2026-12-01"))
    assert draft.startswith("## 1.1.0 (2026-12-01)\n")
    assert "- 1 case (disagreement 1): en-3" in draft
    assert "- 1 case (direction 1): en-2" in draft
    assert "Unchanged from 1.0.0: 1 case." in draft


def test_the_changelog_says_which_rules_changed_and_what_came_back():
    back = replace(A_CASE, key="en-2")
    difference = compare([A_CASE], [A_CASE, back], reasons={"en-2": "Excluded before: Annotators disagreed."})
    draft = changelog_draft(difference, old=HEAD, new=replace(HEAD, version="1.1.0", policy="mark", min_agree=3))
    assert f"### Rules\n\n- Cases with a disagreement: {HEAD.policy}, now mark\n" in draft
    assert "now 3" in draft
    assert "- Restored 1 case: en-2. Excluded before: Annotators disagreed." in draft
    assert "### Rules" not in changelog_draft(difference, old=HEAD, new=HEAD)


def test_an_entry_for_latex_takes_no_name_apart_and_says_the_checksum():
    authors = (Author(given_names="Ada", family_name="L_ovelace"), Author(name="Institute of Tests & Co"))
    entry = bibtex(replace(HEAD, title="50% mild", authors=authors, url="https://example.org/a_b"), sha256="0" * 64)
    assert entry.startswith(f"@misc{{{HEAD.suite}-{HEAD.version},\n")
    assert r"author = {L\_ovelace, Ada and {Institute of Tests \& Co}}," in entry
    assert r"title = {{50\% mild}}," in entry
    assert "SHA-256 " + "0" * 64 in entry
    assert "url = {https://example.org/a_b}," in entry


def test_long_lists_are_shortened_in_the_changelog():
    draft = changelog_draft(
        compare([], [replace(A_CASE, key=f"en-{number}") for number in range(12)]), old=HEAD, new=HEAD
    )
    assert "- 12 cases (slur_h 12): en-0, en-1, en-2" in draft
    assert "en-9 and 2 more" in draft


def test_two_equal_releases_do_not_differ():
    difference = compare([A_CASE], [A_CASE])
    assert difference.is_empty
    assert "No case differs from 1.0.0." in changelog_draft(difference, old=HEAD, new=HEAD)


def test_registered_sources_are_asked_in_order_of_their_names(monkeypatch):
    monkeypatch.setattr("curation.publishing.annexes._sources", {})  # without those the apps registered
    document = AnnexDocument("b.md", "B", "text")
    register("z", lambda head: [AnnexDocument("z.md", head.reference, "")])
    register("b", lambda head: [document])
    assert [annex.title for annex in collect(HEAD)] == ["B", "demo@1.0.0"]
    with pytest.raises(PublishingError, match="two sources of annexes are called 'b'"):
        register("b", lambda head: [])


@pytest.mark.parametrize("name", ["../up.md", "/etc/x.md", "a/../b.md", "noending", ".hidden.md"])
def test_a_document_cannot_leave_its_folder(tmp_path, name):
    with pytest.raises(PublishingError, match="cannot name an annex"):
        write_annex(AnnexDocument(name, "", ""), tmp_path)


def test_an_annex_cannot_replace_another(tmp_path):
    table = AnnexTable("labels", "", (("a", ""),), [("1",)])
    write_annex(table, tmp_path)
    with pytest.raises(PublishingError, match="two annexes are called 'labels'"):
        write_annex(table, tmp_path)


def test_a_row_of_the_wrong_width_is_named(tmp_path):
    with pytest.raises(PublishingError, match="annex 'labels', row 3: it has 2 cells for 1 columns"):
        write_annex(AnnexTable("labels", "", (("a", ""),), [("1",), ("1", "2")]), tmp_path)


def test_every_section_has_a_question_for_its_writer():
    assert set(QUESTIONS) == set(STATEMENT_SECTIONS) | set(DATASHEET_SECTIONS)
