"""Importing suites: everything or nothing, and twice is once."""

import io

import openpyxl
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.db import IntegrityError, connection

from annotation.labels.storing import import_label_file
from annotation.models import Annotation
from core.errors import BadInput
from core.jobs import services as jobs
from core.models import Job
from curation.formats.registry import read_suite
from curation.formats.values import LabelValue
from curation.importing.services import import_file, import_values, labels_for
from curation.models import CaseVerdict, Functionality, Suite, TemplateVersion, TestCase

pytestmark = pytest.mark.django_db

GOOD = """case_id,functionality,test_case,label_gold,target_ident,templ_id,case_templ
a-1,derog_neg_emote_h,I dislike immigrants.,hateful,immigrants,t1,I dislike immigrants.
a-2,ident_pos_nh,I like immigrants.,non-hateful,immigrants,t2,I like immigrants.
"""


@pytest.fixture
def csv_file(tmp_path):
    def write(text: str, name: str = "cases.csv"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


def bring_in(path, suite="try", **options):
    return import_file(path, suite=suite, format="csv", language="en", **options)


def refused_places(path, **options):
    """Row and column of every error of an import that is refused."""
    with pytest.raises(BadInput) as refused:
        bring_in(path, **options)
    assert all(problem["file"] == path.name and problem["fix"] for problem in refused.value.problems)
    return [(item["row"], item["column"]) for item in refused.value.problems if item["severity"] == "error"]


def test_a_plain_file_becomes_a_suite(csv_file):
    report = bring_in(csv_file(GOOD))
    assert (report.cases, report.templates, report.functionalities) == (2, 2, 2)
    case = TestCase.objects.get(suite__key="try", key="a-1")
    assert (case.text, case.target.name, case.functionality.gold_label) == (
        "I dislike immigrants.",
        "immigrants",
        "hateful",
    )
    assert case.target.groups.get().key == "immigrants"


def test_importing_twice_changes_nothing(csv_file):
    path = csv_file(GOOD)
    bring_in(path)
    before = list(TestCase.objects.order_by("id").values())
    report = bring_in(path)
    assert not any(report.new.values())
    assert not any(report.changed.values())
    assert list(TestCase.objects.order_by("id").values()) == before


def test_a_dry_run_tells_what_would_change_and_changes_nothing(csv_file):
    report = bring_in(csv_file(GOOD), dry_run=True)
    assert report.new["cases"] == 2
    assert not Suite.objects.exists()


def test_one_bad_row_keeps_everything_out_and_all_bad_rows_are_named(csv_file):
    bad = GOOD + "a-1,derog_neg_emote_h,Doubled id.,hateful,,,\na-4,derog_neg_emote_h,Odd label.,perhaps,,,\n"
    with pytest.raises(BadInput) as refused:
        bring_in(csv_file(bad))
    rows = {problem["row"] for problem in refused.value.problems if problem["severity"] == "error"}
    assert rows >= {4, 5}
    assert all(problem["fix"] for problem in refused.value.problems)
    assert not Suite.objects.exists()


def test_a_label_that_contradicts_the_functionality_is_refused(csv_file):
    with pytest.raises(BadInput, match="derog_neg_emote_h"):
        bring_in(csv_file(GOOD.replace("immigrants.,hateful", "immigrants.,non-hateful")))
    assert not Suite.objects.exists()


def test_another_text_under_a_known_id_is_refused(csv_file):
    bring_in(csv_file(GOOD))
    with pytest.raises(BadInput, match="a-1"):
        bring_in(csv_file(GOOD.replace("dislike", "distrust")))
    assert TestCase.objects.get(key="a-1").text == "I dislike immigrants."


def test_a_new_wording_of_a_template_is_a_new_version(csv_file):
    bring_in(csv_file(GOOD))
    other = (
        GOOD.replace("a-1,", "b-1,")
        .replace("a-2,", "b-2,")
        .replace("I like immigrants.\n", "I really like immigrants.\n")
    )
    report = bring_in(csv_file(other.replace("I like immigrants.,non", "I really like immigrants.,non")))
    assert report.changed["templates"] == 1
    states = TemplateVersion.objects.filter(template__key="t2").order_by("number").values_list("number", "state")
    assert list(states) == [(1, "superseded"), (2, "approved")]


def test_an_unknown_functionality_is_added_with_its_label(csv_file):
    bring_in(csv_file("functionality,test_case,label_gold\nirony_nh,How nice.,non-hateful\n"))
    assert Functionality.objects.get(key="irony_nh").gold_label == "non-hateful"


def test_an_unknown_language_is_refused_with_the_known_ones(csv_file):
    with pytest.raises(BadInput, match=r"'xx'.*en"):
        import_values("try", read_suite("csv", csv_file(GOOD), language="xx"), format_name="csv")


def test_a_missing_path_is_said(tmp_path):
    with pytest.raises(BadInput, match="no such file"):
        bring_in(tmp_path / "nothing.csv")


def test_two_suites_do_not_share_words(shared_data):
    for key in ("one", "two"):
        values = read_suite("hatecheck", shared_data / "hatecheck", templates_only=True)
        import_values(key, values, format_name="hatecheck")
    one, two = Suite.objects.get(key="one"), Suite.objects.get(key="two")
    assert one.entries.count() == two.entries.count() == 25
    assert not set(one.entries.values_list("id")) & set(two.entries.values_list("id"))


def test_every_row_that_contradicts_its_functionality_is_named(csv_file):
    rows = [
        "functionality,test_case,label_gold",
        "derog_neg_emote_h,One.,non-hateful",  # the catalogue says hateful
        "derog_neg_emote_h,Two.,hateful",
        "ident_pos_nh,Three.,hateful",
    ]
    assert refused_places(csv_file("\n".join(rows))) == [(row, "label_gold") for row in (2, 4)]
    assert not Suite.objects.exists()


def test_a_new_functionality_with_several_labels_becomes_mixed_and_its_cases_keep_theirs(csv_file):
    rows = ["case_id,functionality,test_case,label_gold", "1,irony,One.,non-hateful", "2,irony,Two.,hateful"]
    (warning,) = bring_in(csv_file("\n".join(rows))).problems
    assert (warning.row, warning.severity) == (3, "warning")
    assert Functionality.objects.get(key="irony").gold_label == ""
    assert dict(TestCase.objects.values_list("key", "gold_label")) == {"1": "non-hateful", "2": "hateful"}
    assert bring_in(csv_file("\n".join(rows))).problems == []  # it is known to be mixed now


def test_every_row_of_another_text_under_a_known_id_is_named(csv_file):
    bring_in(csv_file(GOOD))
    changed = GOOD.replace("I like immigrants.,non", "I love immigrants.,non")
    assert refused_places(csv_file(changed)) == [(3, "test_case")]


def test_a_file_that_says_something_else_about_a_known_case_is_warned_about(csv_file):
    bring_in(csv_file(GOOD))
    report = bring_in(csv_file(GOOD.replace("hateful,immigrants,t1", "hateful,women,t1")))
    (warning,) = report.problems
    assert (warning.row, warning.column, warning.severity) == (2, "target_ident", "warning")
    assert "'immigrants' in the suite, 'women' in the file" in warning.problem
    assert TestCase.objects.get(key="a-1").target.name == "immigrants"
    assert not bring_in(csv_file(GOOD.replace("hateful,immigrants,t1", "hateful,,t1"))).problems


def test_a_new_suite_can_have_labels_of_its_own(csv_file):
    other = csv_file("functionality,test_case,label_gold\nrude,Go away.,toxic\nkind,Well done.,fine\n")
    with pytest.raises(BadInput, match="or give a new suite labels of its own"):
        bring_in(other)
    bring_in(other, labels=("toxic", "fine"))
    assert Suite.objects.get(key="try").labels == ["toxic", "fine"]
    assert not any(bring_in(other).new.values())  # now they are the suite's


@pytest.mark.parametrize("labels", [("toxic",), ("toxic", "toxic"), ("toxic", " "), ("toxic", "x" * 61)])
def test_labels_that_cannot_be_told_apart_are_refused(labels):
    with pytest.raises(BadInput, match="label"):
        labels_for("try", labels)


def test_a_suite_keeps_its_labels(csv_file):
    bring_in(csv_file(GOOD))
    with pytest.raises(BadInput, match="has the labels hateful, non-hateful"):
        bring_in(csv_file(GOOD), labels=("toxic", "fine"))


class OpenSavepoints:
    """Counts the savepoints that are open while statements about the labels of a suite run."""

    def __init__(self) -> None:
        self.open: list[str] = []
        self.during_labels: list[int] = []

    def __call__(self, execute, sql, params, many, context):
        if sql.startswith("SAVEPOINT"):
            self.open.append(sql.removeprefix("SAVEPOINT "))
        elif sql.startswith("RELEASE SAVEPOINT"):
            self.open.remove(sql.removeprefix("RELEASE SAVEPOINT "))
        elif "annotation_assignment" in sql or "curation_caseverdict" in sql:
            self.during_labels.append(len(self.open))
        return execute(sql, params, many, context)


def labelled_values(path, *names):
    values = read_suite("csv", path, language="en", labels=labels_for("try"))
    values.labels = [LabelValue(case.key, name, case.label) for case in values.cases for name in names]
    return values


@pytest.mark.django_db(transaction=True)
def test_labels_that_come_with_a_suite_are_stored_without_an_open_savepoint(csv_file):
    """With one open, SQLite takes ever longer for a row once the pages no longer fit into its cache."""
    savepoints = OpenSavepoints()
    with connection.execute_wrapper(savepoints):
        import_values("try", labelled_values(csv_file(GOOD), "1", "2", "3"), format_name="csv")
    assert (Annotation.objects.count(), CaseVerdict.objects.count()) == (6, 2)
    assert savepoints.during_labels
    assert not any(savepoints.during_labels)


@pytest.mark.django_db(transaction=True)
def test_a_file_of_labels_is_stored_without_an_open_savepoint(csv_file, tmp_path):
    bring_in(csv_file(GOOD))
    keys = TestCase.objects.values_list("key", flat=True)
    file = tmp_path / "labels.csv"
    file.write_text("case_id,annotator,label\n" + "".join(f"{key},ana,hateful\n" for key in keys), encoding="utf-8")
    savepoints = OpenSavepoints()
    with connection.execute_wrapper(savepoints):
        import_label_file(Suite.objects.get(key="try"), file, by=None)
    assert savepoints.during_labels
    assert not any(savepoints.during_labels)


def test_labels_that_cannot_be_stored_keep_the_whole_suite_out(csv_file):
    with pytest.raises(IntegrityError):
        import_values("try", labelled_values(csv_file(GOOD), "1", "1"), format_name="csv")
    assert not Suite.objects.exists()
    assert not TestCase.objects.exists()


def workbook(*sheets: str) -> bytes:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for place, title in enumerate(sheets, 1):
        sheet = book.create_sheet(title)
        sheet.append(["functionality", "test_case", "label_gold"])
        sheet.append(["ident_pos_nh", f"Text {place}.", "non-hateful"])
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def test_the_command_reads_the_sheet_it_is_told(tmp_path):
    path = tmp_path / "cases.xlsx"
    path.write_bytes(workbook("notes", "cases"))
    asked = ["try", "--format", "csv", "--path", str(path), "--sheet", "cases"]
    call_command("import_suite", *asked, stdout=io.StringIO())
    assert [case.text for case in TestCase.objects.all()] == ["Text 2."]


@pytest.mark.parametrize("surface", ["page", "api"])
def test_page_and_api_read_the_sheet_they_are_told(surface, client, mira):
    client.force_login(mira)
    file = SimpleUploadedFile("cases.xlsx", workbook("notes", "cases"))
    asked = {"file": file, "suite": "try", "format": "csv", "sheet": "cases"}
    client.post("/suites/import/" if surface == "page" else "/api/v1/suites/import/", asked)
    jobs.perform(Job.objects.get().key, worker="test")
    assert [case.text for case in TestCase.objects.all()] == ["Text 2."]


def test_a_sheet_that_is_not_there_is_refused_with_those_that_are(tmp_path):
    path = tmp_path / "cases.xlsx"
    path.write_bytes(workbook("notes", "cases"))
    [problem] = read_suite("csv", path, sheet="cses").problems
    assert (problem.problem, problem.fix) == ("the workbook has no sheet 'cses'", "choose from: notes, cases")


@pytest.mark.parametrize(("format_name", "says"), [("csv", "the file is not a workbook"), ("mhc", "has no sheets")])
def test_a_sheet_of_what_has_none_is_refused(format_name, says, csv_file):
    [problem] = read_suite(format_name, csv_file(GOOD), sheet="cases").problems
    assert says in problem.problem
    assert problem.fix == "leave the sheet out"
