"""Plain CSV: what is required, what is optional, and every bad row at once."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from curation.formats.plain import COLUMNS, read_plain, write_plain
from curation.formats.values import CaseValue, VariantValue


@pytest.fixture
def read(tmp_path):
    def read(text: str | bytes, **options):
        path = tmp_path / "cases.csv"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_plain(path, **{"language": "en", **options})

    return read


def test_three_columns_are_enough(read):
    values = read("functionality,test_case,label_gold\ngreeting,Hello.,non-hateful\n")
    assert values.problems == []
    assert values.cases == [CaseValue("1", "en", "greeting", "Hello.", "non-hateful")]


def test_all_columns_are_read_in_any_order(read):
    header = ",".join(reversed(COLUMNS))
    values = read(f"{header}\nI like [identity].,7,,,like,likes,general,women,non-hateful,I like women.,praise,c1\n")
    assert not values.problems
    (case,) = values.cases
    assert (case.key, case.template, case.template_text, case.focus_words) == ("c1", "7", "I like [identity].", "likes")
    assert values.templates[0].variants[0].text == "I like [identity]."


def test_every_bad_row_is_reported_with_its_column(read):
    values = read(
        "case_id,functionality,test_case,label_gold\n"
        "1,greeting,Hello.,nonhateful\n"
        "1,greeting,Hello.,non-hateful\n"
        ",greeting,Hello.,non-hateful\n"
        "4,,Hello.,non-hateful\n"
        "5,greeting,  ,non-hateful\n"
        "6,greeting,Hello.,\n"
        "7,greeting,Hello.,Hateful\n"
    )
    assert [(problem.row, problem.column) for problem in values.problems] == [
        (2, "label_gold"),
        (3, "case_id"),
        (4, "case_id"),
        (5, "functionality"),
        (6, "test_case"),
        (7, "label_gold"),
        (8, "label_gold"),
    ]
    assert values.cases == []
    assert values.has_errors
    assert values.problems[0].fix == "write 'non-hateful'"
    assert values.problems[-1].fix == "write 'hateful'"


def test_other_labels_are_those_of_the_suite(read):
    text = "functionality,test_case,label_gold\na,b,toxic\n"
    assert read(text).has_errors
    assert not read(text, labels=("toxic", "fine")).has_errors


def test_references_to_nothing_are_reported(read):
    values = read(
        "case_id,functionality,test_case,label_gold,ref_case_id,ref_templ_id,templ_id,case_templ\n"
        "1,a,b,hateful,9,,1,b\n"
        "2,a,b,hateful,1,8,1,b\n"
    )
    assert [(problem.row, problem.column) for problem in values.problems] == [(2, "ref_case_id"), (3, "ref_templ_id")]


def test_rows_of_one_template_agree_in_their_functionality(read):
    values = read("functionality,test_case,label_gold,templ_id,case_templ\na,b,hateful,1,x\nz,c,hateful,1,x\n")
    assert [(problem.row, problem.column) for problem in values.problems] == [(3, "functionality")]
    assert values.has_errors


def test_several_texts_of_one_template_are_kept_as_variants_with_a_warning(read):
    values = read(
        "functionality,test_case,label_gold,templ_id,case_templ\n"
        "a,Kein Nachbar kam.,hateful,1,Kein [identity] kam.\n"
        "a,Keine Frau kam.,hateful,1,Keine [identity] kam.\n"
        "a,Niemand kam.,hateful,1,\n"
    )
    (problem,) = values.problems
    assert (problem.severity, problem.row, problem.column) == ("warning", 3, "case_templ")
    assert "has 2 texts; each case keeps its own" in problem.problem
    (template,) = values.templates
    assert template.variants == (
        VariantValue("Variant=1", "Kein [identity] kam.", 0),
        VariantValue("Variant=2", "Keine [identity] kam.", 1),
    )
    assert [case.template_text for case in values.cases] == ["Kein [identity] kam.", "Keine [identity] kam.", ""]


def test_a_case_of_our_own_export_may_refer_to_one_that_was_retired(read):
    case = CaseValue(
        "2", "en", "greeting", "Hello.", "non-hateful", template="1", refers_to="9", refers_to_template="8"
    )
    values = read(write_plain([case]))
    assert values.problems == []
    assert (values.cases[0].refers_to, values.cases[0].refers_to_template) == ("9", "8")


def test_our_own_export_without_a_language_says_how_it_is_read(read):
    (problem,) = read(write_plain([CaseValue("2", "cs", "greeting", "Ahoj.", "non-hateful")]), language=None).problems
    assert (problem.severity, problem.column) == ("warning", "language")
    assert "read as 'en'" in problem.problem


def lines(*objects: object) -> str:
    return "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in objects)


def test_json_lines_are_told_by_their_content(read):
    greeting = {"functionality": "greeting", "test_case": "'=Hello, \u2028 you", "label_gold": "non-hateful"}
    values = read(lines({**greeting, "case_id": 7}, {**greeting, "case_id": 8, "target_ident": None, "note": ["a"]}))
    assert [problem.severity for problem in values.problems] == ["warning"]  # 'note' is not known, and is kept
    assert [case.key for case in values.cases] == ["7", "8"]
    assert {case.text for case in values.cases} == {greeting["test_case"]}
    assert values.cases[1].extra == (("note", '["a"]'),)


def test_every_fault_in_json_lines_has_its_line_and_field(read):
    good = {"functionality": "greeting", "test_case": "Hello.", "label_gold": "non-hateful"}
    text = lines(good) + "\n" + lines({**good, "label_gold": "fine"}, [1]) + '{"functionality": \n'
    text += '{"functionality": "a", "test_case": "\\ud800", "label_gold": "hateful"}\n' + lines({"test_case": "Bye."})
    places = {(problem.row, problem.column) for problem in read(text).problems}
    assert places == {
        (3, "label_gold"), (4, None), (5, None), (6, "test_case"), (7, "functionality"), (7, "label_gold"),
    }  # fmt: skip


@pytest.mark.parametrize("text", ['[{"test_case": "Hello."]', '{\n  "test_case": "Hello."\n}\n'])
def test_json_that_is_not_one_object_per_line_is_refused_with_one_sentence(read, text):
    (problem,) = read(text).problems
    assert (problem.row, problem.severity) == (1, "error")
    assert "one JSON object per line" in problem.fix


def test_a_json_list_of_objects_is_read_like_its_lines(read):
    good = {"functionality": "greeting", "test_case": "Hello.", "label_gold": "non-hateful"}
    found = read(json.dumps([good, {**good, "label_gold": "fine"}], indent=1))
    assert [case.text for case in found.cases] == ["Hello."]
    assert [(problem.row, problem.column) for problem in found.problems] == [(2, "label_gold")]


def test_a_template_without_text_is_named_all_the_same(read):
    """What is left out together with a case is found by its template, so the link must not be lost."""
    values = read("functionality,test_case,label_gold,templ_id\na,b,hateful,1\na,c,hateful,1\n")
    assert not values.problems
    assert [(template.key, template.variants) for template in values.templates] == [("1", ())]


def test_a_template_that_cannot_be_read_is_a_warning_with_its_position(read):
    values = read("functionality,test_case,label_gold,templ_id,case_templ\na,b,hateful,1,I like [identty].\n")
    (problem,) = values.problems
    assert (problem.severity, problem.row, problem.column) == ("warning", 2, "case_templ")
    assert problem.problem.startswith("character 8: no placeholder is called 'identty'")


def test_a_language_column_wins_over_the_option(read):
    values = read("functionality,test_case,label_gold,language\na,b,hateful,de\na,c,hateful,\n", language="fr")
    assert [case.language for case in values.cases] == ["de", "fr"]
    assert read("functionality,test_case,label_gold,language\na,b,hateful,not a code\n").has_errors


def test_unknown_columns_are_kept_and_only_a_warning(read):
    values = read("functionality,test_case,label_gold,note\na,b,hateful,check this\n")
    assert [problem.severity for problem in values.problems] == ["warning"]
    assert values.cases[0].extra == (("note", "check this"),)
    assert write_plain(values.cases).decode().splitlines()[0].endswith(",note")


def test_outer_blanks_of_texts_are_kept(read):
    values = read("functionality,test_case,label_gold\na, b ,hateful\n")
    assert values.cases[0].text == " b "


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(data=st.binary(max_size=200))
def test_no_bytes_behind_a_good_header_crash_the_reader(read, data):
    read(b"case_id,functionality,test_case,label_gold,ref_case_id,templ_id,language\n" + data)


texts = st.text(st.characters(blacklist_characters="\0", blacklist_categories=["Cs"]), min_size=1, max_size=12)
filled = texts.filter(str.strip)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    cases=st.lists(
        st.builds(
            CaseValue,
            key=filled.filter(lambda key: not key.endswith(".0")),
            language=st.sampled_from(["de", "en"]),
            functionality=filled,
            text=filled,
            label=st.sampled_from(["hateful", "non-hateful"]),
            target=texts,
            direction=texts,
            focus_words=texts,
        ),
        min_size=1,
        max_size=5,
        unique_by=lambda case: case.key,
    )
)
def test_what_is_exported_is_imported_as_it_was(read, cases):
    values = read(write_plain(cases), language=cases[0].language)
    assert values.problems == []
    assert values.cases == cases


RELEASED = (
    "case_id,functionality,functionality_class,test_case,label_gold,target_ident,ref_case_id,ref_templ_id,templ_id,language,"
    "origin,label_annotated,label_annotated_maj,disagreement_in_case,disagreement_in_template,provenance,extra,sha256\n"
    '7,greeting,polite,\'@you: hello.,non-hateful,,3,9,1,nl,import,"[""hateful""]",hateful,True,True,,'
    '"{""note"":""=kept""}",00\n'
)


def test_the_cases_of_a_release_come_in_as_they_were_before_it_was_made_safe_for_spreadsheets(read):
    values = read(RELEASED)
    assert values.problems == []
    (case,) = values.cases
    assert (case.text, case.language, case.extra) == ("@you: hello.", "nl", (("note", "=kept"),))


def test_a_case_of_a_release_may_refer_to_one_that_was_left_out(read):
    values = read(RELEASED)
    assert (values.cases[0].refers_to, values.templates[0].refers_to) == ("3", "9")


def test_an_apostrophe_in_any_other_file_is_part_of_the_text(read):
    values = read("functionality,test_case,label_gold\ngreeting,'@you: hello.,non-hateful\n")
    assert values.cases[0].text == "'@you: hello."
