import json

import pytest

from core.inference.errors import ConfigurationError, InferenceError, LabelsUnclear
from evaluation.runners.loading import load_runner
from evaluation.runners.settings import RunnerSettings
from evaluation.runners.upload import read_predictions

SETTINGS = RunnerSettings()
KNOWN = ["1", "2", "3"]


@pytest.fixture
def upload(tmp_path):
    def read(text: str, *, name: str = "predictions.csv", **options):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return read_predictions(path, known=KNOWN, settings=SETTINGS, **options)

    return read


def problems_of(upload, text, **options) -> str:
    with pytest.raises(ConfigurationError) as caught:
        upload(text, **options)
    return str(caught.value)


def test_labels_and_scores_are_read(upload):
    found = upload("case_id,prediction,score\n1,hateful,0.9\n2,NON-HATEFUL,\n3,hateful,1\n")
    assert [(a.label, a.score) for a in found.answers.values()] == [
        ("hateful", 0.9),
        ("non-hateful", None),
        ("hateful", 1.0),
    ]
    assert found.missing == ()


def test_json_lines_are_read(upload):
    lines = "\n".join(json.dumps({"case_id": int(case), "label": "hateful"}) for case in KNOWN)
    assert set(upload(lines, name="p.jsonl").answers) == set(KNOWN)


def test_a_model_is_picked_by_its_column(upload):
    text = "case_id,B-D,B-F\n1,hateful,non-hateful\n2,hateful,hateful\n3,hateful,hateful\n"
    assert upload(text, model="B-F").answers["1"].label == "non-hateful"
    assert upload(text, model="B-D").answers["1"].label == "hateful"


def test_the_only_column_that_can_be_a_model_is_taken_whatever_its_name(upload):
    text = "case_id,functionality,test_case,label_gold,mine\n" + "".join(
        f"{i},f,t,hateful,non-hateful\n" for i in KNOWN
    )
    found = upload(text, model="another name")
    assert {answer.label for answer in found.answers.values()} == {"non-hateful"}


def test_several_columns_without_the_models_name_are_refused(upload):
    assert "found: B-D, B-F" in problems_of(upload, "case_id,B-D,B-F\n1,hateful,hateful\n", model="C")


def test_a_file_without_ids_is_refused(upload):
    assert "no column holds case ids" in problems_of(upload, "text,label\nx,hateful\n")


def test_unknown_doubled_and_missing_ids_are_named_with_their_rows(upload):
    said = problems_of(upload, "case_id,label\n1,hateful\n1,hateful\n77,hateful\n")
    assert "77 (row 4)" in said
    assert "1 (row 3)" in said
    assert "2 cases of the release have no prediction: 2, 3" in said


def test_missing_cases_can_be_allowed_and_are_still_named(upload):
    found = upload("case_id,label\n1,hateful\n", allow_missing=True)
    assert found.missing == ("2", "3")
    assert [problem.severity for problem in found.problems] == ["warning"]


def test_unknown_labels_are_named_with_their_rows(upload):
    said = problems_of(upload, "case_id,label\n1,hatefull\n2,hateful\n3,hatefull\n")
    assert "'hatefull' is not a label here (2 rows: 2, 4)" in said


def test_a_label_map_translates(upload):
    found = upload("case_id,label\n1,1\n2,0\n3,1\n", label_map={"1": "hateful", "0": "non-hateful"})
    assert [answer.label for answer in found.answers.values()] == ["hateful", "non-hateful", "hateful"]


@pytest.mark.parametrize("score", ["high", "1.5", "nan", "-0.1"])
def test_scores_outside_zero_to_one_are_refused(upload, score):
    said = problems_of(upload, f"case_id,label,score\n1,hateful,{score}\n2,hateful,1\n3,hateful,0\n")
    assert f"{score} (row 2)" in said


@pytest.mark.parametrize(
    ("text", "name", "says"),
    [
        ("", "p.csv", "has no header"),
        ("case_id,label\n", "p.csv", "holds no predictions"),
        ("case_id,label\n1,hateful,0.5\n", "p.csv", "row 2|line 2"),
        ('{"case_id": 1}\n[1]\n', "p.jsonl", "line 2: the line is JSON, but not an object"),
        ("{broken\n", "p.jsonl", "line 1"),
    ],
)
def test_files_that_cannot_be_read_say_why(upload, text, name, says):
    with pytest.raises(ConfigurationError, match=says):
        upload(text, name=name)


def test_a_file_that_is_not_utf8_is_refused(tmp_path):
    (tmp_path / "p.csv").write_bytes("case_id,label\n1,häßlich\n".encode("latin-1"))
    with pytest.raises(ConfigurationError, match="not UTF-8"):
        read_predictions(tmp_path / "p.csv", known=KNOWN, settings=SETTINGS)


def test_a_thousand_wrong_ids_are_told_in_one_sentence(upload):
    said = problems_of(upload, "case_id,label\n" + "".join(f"x{i},hateful\n" for i in range(1000)), allow_missing=True)
    assert "1,000 unknown case ids" in said
    assert len(said) < 1000


def test_a_model_that_is_only_uploaded_cannot_be_run():
    with pytest.raises(InferenceError, match="Import a file of predictions"):
        load_runner("upload", settings=SETTINGS).predict(["a"])


@pytest.mark.parametrize(
    ("first", "second"),
    [("1", "0"), ("1.0", "0.0"), ("True", "False"), ("Hateful", "not hateful"), ("HATEFUL", "non_hateful")],
)
def test_usual_spellings_are_understood_without_a_word(upload, first, second):
    found = upload(f"case_id,label\n1,{first}\n2,{second}\n3,{first}\n")
    assert [answer.label for answer in found.answers.values()] == ["hateful", "non-hateful", "hateful"]
    assert found.problems == ()


def test_scores_without_labels_are_cut_at_a_half_and_that_is_noted(upload):
    found = upload("case_id,P\n1,0.5\n2,0.49\n3,0.93\n", model="Perspective")
    assert [(a.label, a.score) for a in found.answers.values()] == [
        ("hateful", 0.5),
        ("non-hateful", 0.49),
        ("hateful", 0.93),
    ]
    assert found.reading["threshold"] == 0.5
    assert "read as scores" in found.problems[0].problem
    assert [p.severity for p in found.problems] == ["warning"]


def test_a_threshold_cuts_the_scores_also_beside_labels_and_on_other_scales(upload):
    beside = upload("case_id,label,score\n1,hateful,0.2\n2,hateful,0.9\n3,hateful,0.8\n", threshold=0.85)
    assert [answer.label for answer in beside.answers.values()] == ["non-hateful", "hateful", "non-hateful"]
    percent = upload("case_id,P\n1,20\n2,90\n3,80\n", threshold=85)
    assert [(a.label, a.score) for a in percent.answers.values()][1] == ("hateful", None)
    assert "'n/a' is not a label here" in problems_of(upload, "case_id,P\n1,20\n2,n/a\n3,80\n", threshold=85)


def test_severity_words_and_class_names_are_read_as_usual_and_that_is_noted(upload):
    severities = upload("case_id,SN\n1,severe\n2,no\n3,mild\n", model="SN")
    assert [answer.label for answer in severities.answers.values()] == ["hateful", "non-hateful", "hateful"]
    assert "mild = hateful" in severities.problems[0].problem
    classes = upload("case_id,label\n1,hate\n2,offensive\n3,neither\n")
    assert [answer.label for answer in classes.answers.values()] == ["hateful", "non-hateful", "non-hateful"]


def test_a_label_map_to_a_label_the_suite_does_not_have_is_refused(upload):
    said = problems_of(upload, "case_id,label\n1,x\n", label_map={"x": "toxic"})
    assert "'x' means 'toxic'" in said
    assert "hateful or non-hateful" in said


def test_the_column_can_be_named_and_a_wrong_name_is_refused_with_those_there_are(upload):
    text = "case_id,B-D,B-F\n1,hateful,non-hateful\n2,hateful,hateful\n3,hateful,hateful\n"
    assert upload(text, model="my BERT", column="b-f").answers["1"].label == "non-hateful"
    assert "It has: case_id, B-D, B-F" in problems_of(upload, text, column="B-X")
    assert "say which column" in problems_of(upload, text, model="my BERT")


def test_tabs_semicolons_and_json_lists_are_read(upload):
    assert len(upload("case_id\tlabel\n1\t1\n2\t0\n3\t1\n", name="p.tsv").answers) == 3
    assert len(upload("Case_ID;Label\n1;1\n2;0\n3;1\n").answers) == 3
    listed = json.dumps([{"case_id": int(case), "label": 1} for case in KNOWN], indent=1)
    assert len(upload(listed, name="p.json").answers) == 3


def test_ids_that_pandas_made_decimal_numbers_are_found(upload):
    assert set(upload("case_id,label\n1.0,1\n2.0,0\n3.0,1\n").answers) == set(KNOWN)


def test_cases_that_the_release_leaves_out_are_mentioned_and_not_refused(upload):
    found = upload("case_id,label\n1,1\n2,0\n3,1\n77,1\n", left_out=["77"])
    assert set(found.answers) == set(KNOWN)
    assert [(p.severity, "leaves out: 77" in p.problem) for p in found.problems] == [("warning", True)]


def test_an_empty_cell_is_no_prediction(upload):
    assert "1 case of the release has no prediction: 2" in problems_of(upload, "case_id,label\n1,1\n2,\n3,1\n")


def test_a_file_as_excel_saves_it_in_germany_is_read(upload):
    found = upload("\ufeffsep=;\r\ncase_id;prediction;score\r\n1;hateful;0,9\r\n2;non-hateful;0,25\r\n3;hateful;1\r\n")
    assert [answer.score for answer in found.answers.values()] == [0.9, 0.25, 1.0]


def test_rows_are_counted_with_the_line_that_excel_puts_first(upload):
    assert "9 (row 4)" in problems_of(upload, "sep=;\ncase_id;prediction\n1;hateful\n9;hateful\n", allow_missing=True)


def test_numbers_that_are_no_shares_need_a_threshold_and_are_told_in_one_sentence(upload):
    with pytest.raises(LabelsUnclear, match=r"numbers from 3 to 71\.5\. Say by a threshold"):
        upload("case_id,score\n1,3\n2,71.5\n3,40\n")


def test_a_file_with_many_columns_and_none_of_ids_names_a_few(upload):
    assert "c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, ...)" in problems_of(
        upload, ",".join(f"c{number}" for number in range(50)) + "\n" + ",".join("x" * 50) + "\n"
    )


@pytest.mark.parametrize(
    "rows", ["1,hateful,0.01\n2,hateful,0.01\n3,hateful,0.01", "1,hateful,0.1\n2,non-hateful,0.9\n3,non-hateful,0.8"]
)
def test_scores_that_say_the_other_label_are_refused(upload, rows):
    problems = problems_of(upload, f"case_id,prediction,score\n{rows}\n")
    assert "3 scores contradict the label beside them: first hateful with 0." in problems
    assert "how sure the model is of 'hateful'" in problems


def test_a_few_scores_that_contradict_their_label_are_noted(upload):
    found = upload("case_id,prediction,score\n1,hateful,0.9\n2,hateful,0.1\n3,non-hateful,0.2\n")
    (note,) = found.problems
    assert (note.severity, note.row) == ("warning", 3)
    assert "1 score contradicts the label beside it: hateful with 0.1" in note.problem


def test_labels_that_follow_from_another_threshold_are_noted_with_it(upload):
    found = upload("case_id,prediction,score\n1,hateful,0.9\n2,non-hateful,0.8\n3,non-hateful,0.7\n")
    assert "at a threshold of about 0.9" in found.problems[0].problem


@pytest.mark.parametrize("cell", ["NaN", "inf"])
def test_a_score_that_is_no_number_is_told_as_such(upload, cell):
    problems = problems_of(upload, f"case_id,score\n1,0.9\n2,{cell}\n3,0.1\n")
    assert f"the score '{cell}' is not a number (row 3)" in problems
    assert "threshold" not in problems


def test_scores_that_are_cut_at_another_threshold_contradict_nothing(upload):
    found = upload("case_id,score\n1,0.75\n2,0.75\n3,0.75\n", threshold=0.8)
    assert {answer.label for answer in found.answers.values()} == {"non-hateful"}
    assert found.problems == ()
