"""Exports of other tools as several of their versions write them, and what is wrong with some, named with its place."""

import json
import zipfile
from datetime import UTC, datetime

import pytest
from django.core.management import call_command

from annotation.labels.exporting import label_records
from annotation.labels.files import read_label_file
from annotation.labels.storing import import_label_file
from annotation.labels.tools.times import read_time
from annotation.models import Annotator
from core.errors import BadInput
from core.tables.recognising import recognise
from curation.formats.registry import read_suite
from tests.annotation.factories import LABELS, make_suite

CASES = {"case-1", "case-2"}

LABEL_STUDIO_NEW = [
    {"id": 7, "data": {"case_id": "case-1", "text": "Hello."}, "annotations": [
        {"id": 1, "completed_by": {"id": 3, "email": "ana@example.org"}, "was_cancelled": False,
         "created_at": "2026-03-02T10:00:00.123456Z", "updated_at": "2026-03-02T10:00:09Z", "lead_time": 3.1,
         "result": [{"from_name": "label", "to_name": "text", "type": "choices", "value": {"choices": ["hateful"]}},
                    {"from_name": "unrealistic", "to_name": "text", "type": "choices",
                     "value": {"choices": ["unrealistic"]}}]},
        {"id": 2, "completed_by": {"id": 4}, "was_cancelled": True, "result": [],
         "created_at": "2026-03-02T10:05:00Z"},
    ]},
    {"id": 8, "data": {"case_id": "case-2", "text": "Bye."}, "annotations": [
        {"id": 3, "completed_by": {"id": 3}, "created_at": "2026-03-02T11:00:00Z", "was_cancelled": False,
         "result": [{"from_name": "label", "type": "choices", "value": {"choices": ["hateful"]}}]},
        {"id": 4, "completed_by": {"id": 3}, "created_at": "2026-03-02T12:00:00Z", "was_cancelled": False,
         "result": [{"from_name": "label", "type": "choices", "value": {"choices": ["non-hateful"]}}]},
    ]},
]  # fmt: skip
LABEL_STUDIO_OLD = [
    {"id": 0, "data": {"case_id": "case-1", "text": "Hello."}, "completions": [
        {"id": 1, "created_at": 1583000000, "lead_time": 2.5,
         "result": [{"from_name": "sentiment", "type": "choices", "value": {"choices": ["hateful"]}}]},
    ]},
]  # fmt: skip
LABEL_STUDIO_MIN = [
    {"id": 1, "case_id": "case-1", "text": "Hello.", "label": "hateful", "comment": "sure", "annotator": 3,
     "annotation_id": 1, "created_at": "2026-03-02T10:00:00Z", "updated_at": "2026-03-02T10:00:09Z", "lead_time": 3.1},
]  # fmt: skip
LABEL_STUDIO_CSV = (
    "annotation_id,annotator,case_id,created_at,id,label,lead_time,text,updated_at\n"
    "1,3,case-1,2026-03-02T10:00:00Z,1,hateful,3.1,Hello.,2026-03-02T10:00:09Z\n"
)
ARGILLA_1 = [
    {"id": "0a1b", "external_id": "case-1", "fields": {"text": "Hello."}, "metadata": "{}", "suggestions": [],
     "responses": [{"user_id": "u-1", "status": "submitted", "values": {"verdict": {"value": "hateful"}}},
                   {"user_id": "u-2", "status": "draft", "values": {"verdict": {"value": "hateful"}}}]},
]  # fmt: skip
ARGILLA_SERVER = [
    {"id": "0a1b", "external_id": "case-1", "fields": {"text": "Hello."}, "metadata": {"case_id": "case-1"},
     "responses": [{"id": "r", "user_id": "u-1", "status": "submitted", "values": {"label": {"value": "hateful"}},
                    "inserted_at": "2026-03-02T10:00:00", "updated_at": "2026-03-02T10:30:00"}]},
]  # fmt: skip
ARGILLA_FLAT = [
    {"id": "case-1", "text": "Hello.", "label.responses": ["hateful", "non-hateful"], "status": "completed",
     "label.responses.users": ["u-1", "u-2"], "label.responses.status": ["submitted", "discarded"]},
]  # fmt: skip
PRODIGY_TEXTCAT = [
    {"text": "Hello.", "meta": {"case_id": "case-1"}, "label": "hateful", "_input_hash": 1, "_task_hash": 2,
     "answer": "accept", "_session_id": "hate-ana", "_timestamp": 1772445600},
    {"text": "Bye.", "meta": {"case_id": "case-2"}, "label": "hateful", "_input_hash": 3, "_task_hash": 4,
     "answer": "reject", "_session_id": "hate-ana", "_timestamp": 1772445700},
    {"text": "Bye.", "meta": {"case_id": "case-2"}, "label": "hateful", "_input_hash": 3, "_task_hash": 4,
     "answer": "ignore", "_session_id": "hate-bo", "_timestamp": 1772445800},
]  # fmt: skip
DOCCANO_OLD = [
    {"id": 1, "text": "Hello.", "meta": {"case_id": "case-1"}, "annotation_approver": None, "labels": ["hateful"]},
]
DOCCANO_OLDER = [
    {"id": 1, "text": "Hello.", "meta": {"case_id": "case-1"}, "annotation_approver": None,
     "annotations": [{"id": 5, "label": "hateful", "user": 2, "created_at": "2020-06-01T08:00:00.5Z"}]},
]  # fmt: skip
MTURK = (
    '"HITId","AssignmentId","WorkerId","AssignmentStatus","SubmitTime","Input.case_id","Input.text",{answers}\n'
    '"H1","A1","W1","Approved","Thu Jul 02 08:30:00 PDT 2026","case-1","Hello.",{first}\n'
    '"H1","A2","W2","Rejected","Thu Jul 02 08:31:00 PDT 2026","case-1","Hello.",{first}\n'
)
PACKED = '"[{""label"":{""label"":""hateful""},""comment"":""sure""}]"'
TICKED = '"true","false"'
PROLIFIC = (
    "Submission id,Participant id,Status,Started at,Completed at,Time taken,Completion code\n"
    "671b,5e90,APPROVED,2026-10-25T12:27:09.179000Z,2026-10-25T12:46:18.540000Z,1150,CODE\n"
)
EARLY = datetime(2026, 3, 2, 10, tzinfo=UTC)


def lines(records):
    return "".join(json.dumps(record) + "\n" for record in records)


VERSIONS = {
    "label_studio, an object per person": (
        "label_studio", json.dumps(LABEL_STUDIO_NEW),
        {("case-1", "label_studio:3", "hateful", EARLY.replace(microsecond=123456)),
         ("case-2", "label_studio:3", "non-hateful", EARLY.replace(hour=12))},
        {"unanswered": 1, "earlier": 1},
    ),
    "label_studio before 1.0": (
        "label_studio", json.dumps(LABEL_STUDIO_OLD, indent=2),
        {("case-1", "1", "hateful", datetime.fromtimestamp(1583000000, tz=UTC))}, {},
    ),
    "label_studio, JSON-MIN": (
        "label_studio", json.dumps(LABEL_STUDIO_MIN), {("case-1", "label_studio:3", "hateful", EARLY)}, {},
    ),
    "label_studio, CSV": ("label_studio", LABEL_STUDIO_CSV, {("case-1", "label_studio:3", "hateful", EARLY)}, {}),
    "argilla 1": ("argilla", json.dumps(ARGILLA_1), {("case-1", "argilla:u-1", "hateful", None)}, {"unfinished": 1}),
    "argilla, its server": (
        "argilla", json.dumps(ARGILLA_SERVER),
        {("case-1", "argilla:u-1", "hateful", EARLY.replace(minute=30))}, {},
    ),
    "argilla, flattened": (
        "argilla", json.dumps(ARGILLA_FLAT), {("case-1", "argilla:u-1", "hateful", None)}, {"unanswered": 1},
    ),
    "prodigy, textcat": (
        "prodigy", lines(PRODIGY_TEXTCAT),
        {("case-1", "prodigy:hate-ana", "hateful", datetime.fromtimestamp(1772445600, tz=UTC)),
         ("case-2", "prodigy:hate-ana", "non-hateful", datetime.fromtimestamp(1772445700, tz=UTC))},
        {"unanswered": 1},
    ),
    "doccano before 1.5": ("doccano", lines(DOCCANO_OLD), {("case-1", "doccano:export", "hateful", None)}, {}),
    "doccano with users": (
        "doccano", lines(DOCCANO_OLDER),
        {("case-1", "doccano:2", "hateful", datetime(2020, 6, 1, 8, 0, 0, 500000, tzinfo=UTC))}, {},
    ),
    "mturk, packed": (
        "mturk", MTURK.format(answers='"Answer.taskAnswers"', first=PACKED),
        {("case-1", "mturk:W1", "hateful", datetime(2026, 7, 2, 15, 30, tzinfo=UTC))}, {"rejected": 1},
    ),
    "mturk, ticked": (
        "mturk", MTURK.format(answers='"Answer.label.hateful","Answer.label.non-hateful"', first=TICKED),
        {("case-1", "mturk:W1", "hateful", datetime(2026, 7, 2, 15, 30, tzinfo=UTC))}, {"rejected": 1},
    ),
}  # fmt: skip


@pytest.mark.parametrize("version", sorted(VERSIONS))
def test_versions_of_exports_are_read(version, tmp_path):
    tool, text, expected, skipped = VERSIONS[version]
    path = tmp_path / "export"
    path.write_text(text, encoding="utf-8")
    assert recognise(path) == tool
    found = read_label_file(path, cases=CASES, labels=LABELS)
    assert found.problems == []
    assert {(one.case, one.annotator, one.label, one.time) for one in found.labels} == expected
    assert dict(found.skipped) == skipped


def test_flags_and_comments_come_along(tmp_path):
    path = tmp_path / "export.json"
    path.write_text(json.dumps(LABEL_STUDIO_NEW))
    flags = {one.case: one.is_unrealistic for one in read_label_file(path, cases=CASES, labels=LABELS).labels}
    assert flags == {"case-1": True, "case-2": False}
    path.write_text(json.dumps(LABEL_STUDIO_MIN))
    assert [one.comment for one in read_label_file(path, cases=CASES, labels=LABELS).labels] == ["sure"]


def test_labels_of_a_shared_doccano_project_have_no_annotator(tmp_path):
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("all.jsonl", lines([{"id": 1, "text": "Hello.", "case_id": "case-1", "label": ["hateful"]}]))
    [label] = read_label_file(path, cases=CASES, labels=LABELS).labels
    assert (label.is_identified, label.annotator, label.label) == (False, "1", "hateful")


FAULTS = {
    "a label the suite does not have": (
        [{"id": 1, "text": "Hi", "case_id": "case-1", "label": ["spam"], "Comments": []}], "'spam' is not a label"),
    "several labels": (
        [{"id": 1, "text": "Hi", "case_id": "case-1", "label": LABELS}], "the case has several labels here"),
    "no case id": ([{"id": 1, "text": "Hi", "label": ["hateful"]}], "there is no case_id"),
    "an unknown case": ([{"id": 1, "text": "Hi", "case_id": "case-9", "label": ["hateful"]}], "has no case 'case-9'"),
    "the number of a label": (
        [{"text": "Hi", "meta": {"case_id": "case-1"}, "annotations": [{"label": 4, "user": 1}]}], "the number 4"),
    "no time": (
        [{"text": "Hi", "case_id": "case-1", "accept": ["hateful"], "answer": "accept", "_annotator_id": "a",
          "_timestamp": "soon"}], "'soon' is not a time"),
    "half a character": (
        [{"text": "Hi", "case_id": "case-1", "label": ["hateful"], "Comments": ["\ud800"]}], "half a character"),
}  # fmt: skip


@pytest.mark.parametrize("fault", sorted(FAULTS))
def test_what_is_wrong_is_named_with_its_row(fault, tmp_path):
    records, sentence = FAULTS[fault]
    path = tmp_path / "ana.jsonl"
    path.write_text("\n" + lines(records))
    found = read_label_file(path, cases=CASES, labels=LABELS)
    [problem] = found.problems
    assert sentence in problem.problem
    assert (problem.file, problem.row, problem.is_error) == ("ana.jsonl", 2, True)
    assert problem.fix


def test_a_damaged_archive_is_refused(tmp_path):
    path = tmp_path / "export.zip"
    path.write_bytes(b"PK\x03\x04 and no more")
    [problem] = read_label_file(path, cases=CASES, labels=LABELS, layout="doccano").problems
    assert problem.problem == "this archive cannot be unpacked"


@pytest.mark.parametrize("value", ["soon", "Thu Foo 02 08:30:00 PDT 2026", "Thu Jul 02 08:30:00 XYZ 2026", 1e300, True])
def test_what_is_no_time_is_refused(value):
    with pytest.raises((ValueError, OverflowError)):
        read_time(value)


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("a.json", json.dumps(LABEL_STUDIO_NEW), "this looks like a Label Studio export"),
        ("b.jsonl", lines(PRODIGY_TEXTCAT), "this looks like a Prodigy export"),
        ("c.csv", PROLIFIC, "this looks like Prolific's list of submissions"),
    ],
)
@pytest.mark.parametrize("format_name", ["csv", "hatecheck", "hatemojicheck"])
def test_where_cases_are_expected_the_tool_is_named(name, text, sentence, format_name, tmp_path):
    path = tmp_path / name
    path.write_text(text)
    [problem] = read_suite(format_name, path).problems
    assert problem.problem.startswith(sentence)
    assert problem.fix


def test_files_of_cases_and_our_own_labels_are_no_foreign_files(tmp_path):
    path = tmp_path / "cases"
    for text in (
        "functionality,test_case,label_gold\n",
        lines([{"functionality": "greeting", "test_case": "Hi", "label_gold": "hateful"}]),
        lines([{"campaign": "a", "case_id": "1", "annotator": "x", "label": "hateful", "time": "2026-01-01"}]),
        "", "{", "[1, 2]", '"',
    ):  # fmt: skip
        path.write_text(text)
        assert recognise(path) == ""


@pytest.fixture
def suite():
    suite = make_suite(templates=1, per_template=2, raters=1, threshold=1)
    for number, case in enumerate(suite.cases.order_by("id"), 1):
        suite.cases.filter(pk=case.pk).update(key=f"case-{number}")
    return suite


@pytest.mark.django_db
def test_an_import_keeps_who_and_when_under_a_pseudonym(suite, tmp_path):
    path = tmp_path / "export.json"
    path.write_text(json.dumps(LABEL_STUDIO_NEW))
    tried = import_label_file(suite, path, by=None, dry_run=True)
    assert (tried["tool"], tried["by_label"]) == ("Label Studio", {"hateful": 1, "non-hateful": 1})
    assert not suite.campaigns.exists()
    report = import_label_file(suite, path, by=None)
    assert (report["labels"], report["annotators"], report["new"]) == (2, 1, 2)
    records = list(label_records(list(suite.campaigns.all())))
    assert [record["time"] for record in records] == [
        "2026-03-02T10:00:00.123456+00:00", "2026-03-02T12:00:00+00:00",
    ]  # fmt: skip
    annotator = Annotator.objects.get()
    assert {record["annotator"] for record in records} == {annotator.pseudonym}
    assert annotator.external_id == "small:label_studio:3"


@pytest.mark.django_db
def test_a_newer_export_of_the_same_study_does_not_count_labels_twice(suite, tmp_path):
    path = tmp_path / "export.jsonl"
    path.write_text(lines(PRODIGY_TEXTCAT[:1]))
    import_label_file(suite, path, by=None)
    assert import_label_file(suite, path, by=None)["new"] == 0
    path.write_text(lines(PRODIGY_TEXTCAT))
    with pytest.raises(BadInput, match=r"1 label of export\.jsonl came with an earlier import, “Labels from export”"):
        import_label_file(suite, path, by=None)
    later = {**PRODIGY_TEXTCAT[0], "_timestamp": 1782445600}
    path.write_text(lines([later]))
    assert import_label_file(suite, path, by=None)["new"] == 1


@pytest.mark.django_db
def test_a_refusal_and_the_command_name_the_tool(suite, tmp_path, capsys):
    path = tmp_path / "ana.jsonl"
    path.write_text(lines(FAULTS["several labels"][0]))
    with pytest.raises(BadInput, match=r"ana\.jsonl looks like a doccano export with 1 problem"):
        import_label_file(suite, path, by=None)
    path.write_text(PROLIFIC)
    with pytest.raises(BadInput) as refused:
        import_label_file(suite, path, by=None)
    assert "list of submissions, which holds no labels" in refused.value.problems[0]["problem"]
    path.write_text(lines(PRODIGY_TEXTCAT))
    call_command("import_labels", "small", "--path", str(path), "--dry-run")
    assert "This looks like a Prodigy export: 2 labels of 1 annotator on 2 cases" in capsys.readouterr().out


def test_a_fault_in_an_archive_names_the_file_in_it(tmp_path):
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("ana.jsonl", lines([{"id": 1, "text": "Hi", "case_id": "case-1", "label": ["hateful"]}]))
        archive.writestr("bo.jsonl", lines([{"id": 1, "text": "Hi", "case_id": "case-1", "label": ["spam"]}]))
    [problem] = read_label_file(path, cases=CASES, labels=LABELS).problems
    assert (problem.file, problem.row, problem.column) == ("export.zip", 1, "bo.jsonl: label")
