"""HateCheck's files: templates, words and labels out of three tables."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from curation.formats.hatecheck import read_hatecheck
from curation.formats.values import LabelValue
from curation.formats.writing_hatecheck import write_hatecheck

CASES = """\
,functionality,case_id,test_case,label_gold,target_ident,direction,focus_words,focus_lemma,ref_case_id,ref_templ_id,templ_id,case_templ
0,praise_nh,1,I like women.,non-hateful,women,general,like,like,,,1,I like [IDENTITY_P].
1,praise_nh,2,I like men.,non-hateful,men,general,like,like,,,1,I like [IDENTITY_P].
2,leet_nh,3,I like w0men.,non-hateful,women,general,like,like,1.0,1.0,2,I like [IDENTITY_P_leet].
3,leet_nh,4,I like m3n.,non-hateful,men,general,like,like,2.0,1.0,2,I like [IDENTITY_P_leet].
4,other_nh,5,Hello there.,non-hateful,,-,,,,,3,Hello there.
"""
WORDS = """\
Placeholder,Values
[IDENTITY_S],"woman, man"
[IDENTITY_P],"women, men"
[IDENTITY_P_leet],"w0men, m3n"
"""
LABELS = """\
,functionality,case_id,templ_id,test_case,label_gold,label_1,label_2
0,praise_nh,1,1,I like women.,non-hateful,hateful,
1,praise_nh,2,1,I like men.,non-hateful,non-hateful,non-hateful
"""


@pytest.fixture
def folder(tmp_path):
    def write(cases=CASES, words=WORDS, labels=LABELS):
        for name, text in (
            ("all_cases.csv", cases),
            ("template_placeholders.csv", words),
            ("all_annotations.csv", labels),
        ):
            if text is not None:
                (tmp_path / name).write_text(text, encoding="utf-8")
        return tmp_path

    return write


def errors(values):
    return [(problem.file, problem.row, problem.column) for problem in values.problems if problem.severity == "error"]


def test_cases_templates_words_and_labels_are_read(folder):
    values = read_hatecheck(folder())
    assert values.problems == []
    assert [template.key for template in values.templates] == ["1", "2", "3"]
    assert values.templates[1].refers_to == "1"
    assert values.cases[2].refers_to == "1"
    assert [(entry.key, entry.lemma, entry.target) for entry in values.entries] == [
        ("identity-01", "woman", "women"),
        ("identity-02", "man", "men"),
    ]
    assert {(form.features, form.perturbation) for form in values.forms} == {
        ("Number=Sing", ""),
        ("Number=Plur", ""),
        ("Number=Plur", "leet"),
    }
    assert values.labels == [
        LabelValue("1", "label_1", "hateful"),
        LabelValue("2", "label_1", "non-hateful"),
        LabelValue("2", "label_2", "non-hateful"),
    ]


def test_the_file_of_cases_may_be_named_itself(folder):
    assert read_hatecheck(folder() / "all_cases.csv").cases == read_hatecheck(folder()).cases


def test_templates_only_leaves_cases_and_labels_out_and_needs_no_texts(folder):
    without = "\n".join(",".join(cells[:3] + cells[4:]) for cells in (line.split(",") for line in CASES.splitlines()))
    values = read_hatecheck(folder(cases=without), templates_only=True)
    assert values.problems == []
    assert values.cases == values.labels == []
    assert len(values.templates) == 3
    assert [entry.target for entry in values.entries] == ["women", "men"]


def test_every_bad_row_in_every_file_is_reported_at_once(folder):
    cases = CASES.replace("4,other_nh,5,Hello there.,non-hateful", "4,other_nh,4,Hello there.,fine")
    cases = cases.replace(",2.0,1.0,2,", ",99,1.0,2,")
    values = read_hatecheck(
        folder(
            cases=cases,
            words=WORDS.replace('"w0men, m3n"', '"w0men"'),
            labels=LABELS + "2,x,77,1,x,hateful,hateful,\n3,leet_nh,3,2,x,hateful,maybe,\n",
        )
    )
    assert errors(values) == [
        ("all_cases.csv", 6, "case_id"),
        ("all_cases.csv", 6, "label_gold"),
        ("all_cases.csv", 5, "ref_case_id"),
        ("template_placeholders.csv", 4, "Values"),
        ("all_annotations.csv", 4, "case_id"),
        ("all_annotations.csv", 5, "label_1"),
    ]


def test_rows_of_one_template_must_agree(folder):
    values = read_hatecheck(folder(cases=CASES.replace("1,I like [IDENTITY_P].\n1,", "1,I love [IDENTITY_P].\n1,")))
    assert ("all_cases.csv", 3, "case_templ") in errors(values)


def test_a_token_without_words_is_an_error_that_lists_what_is_known(folder):
    values = read_hatecheck(folder(words=WORDS.replace("[IDENTITY_P_leet]", "[IDENTITY_S_leet]")))
    (problem,) = (problem for problem in values.problems if "[IDENTITY_P_leet]" in problem.problem)
    assert problem.severity == "error"
    assert "known: [IDENTITY_P], [IDENTITY_S], [IDENTITY_S_leet]" in problem.problem


def test_without_words_or_labels_the_cases_come_with_a_warning(folder):
    values = read_hatecheck(folder(words=None, labels=None))
    assert not values.has_errors
    assert {problem.file for problem in values.problems} == {"template_placeholders.csv", "all_annotations.csv"}
    assert len(values.cases) == 5


def test_one_unreadable_file_does_not_make_a_thousand_problems(folder):
    values = read_hatecheck(folder(cases=CASES.replace("case_templ", "template")))
    assert [(problem.row, problem.column) for problem in values.problems] == [(1, "case_templ")]


def test_a_folder_without_the_files_says_what_is_missing(tmp_path):
    (problem,) = read_hatecheck(tmp_path).problems
    assert "all_cases.csv" in problem.problem
    (problem,) = read_hatecheck(tmp_path / "absent").problems
    assert "no such file" in problem.problem


def test_annotations_are_counted_again_on_export(folder):
    files = write_hatecheck(read_hatecheck(folder()))
    rows = files["all_annotations.csv"].decode().splitlines()
    assert rows[0].endswith("label_1,label_2,count_label_h,count_label_nh,label_annot_maj")
    assert rows[1].endswith("hateful,,1,0,hateful")
    assert rows[2].endswith("non-hateful,non-hateful,0,2,non-hateful")
    assert rows[3].endswith(",,,0,0,")
    assert files["template_placeholders.csv"].decode().splitlines() == WORDS.splitlines()


def test_texts_tell_the_word_where_rows_are_in_another_order(folder):
    lines = CASES.splitlines()
    swapped = "\n".join([lines[0], lines[2], lines[1], lines[4], lines[3], lines[5]]) + "\n"
    values = read_hatecheck(folder(cases=swapped))
    assert not values.problems
    assert [entry.target for entry in values.entries] == ["women", "men"]


def test_without_texts_contradicting_orders_are_reported(folder):
    lines = CASES.splitlines()
    swapped = "\n".join([lines[0], lines[2], lines[1], *lines[3:]]) + "\n"
    values = read_hatecheck(folder(cases=swapped), templates_only=True)
    assert [problem.severity for problem in values.problems] == ["warning", "warning"]
    assert "different groups" in values.problems[0].problem


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    data=st.binary(max_size=120),
    name=st.sampled_from(["all_cases.csv", "template_placeholders.csv", "all_annotations.csv"]),
    templates_only=st.booleans(),
)
def test_no_bytes_in_any_of_the_files_crash_the_reader(folder, data, name, templates_only):
    root = folder()
    header = (root / name).read_bytes().split(b"\n")[0]
    for content in (header + b"\n" + data, data):
        (root / name).write_bytes(content)
        read_hatecheck(root, templates_only=templates_only)
