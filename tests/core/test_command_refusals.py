"""What commands say to input they cannot use: one sentence, one JSON document, no traceback, nothing changed."""

import json
from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db.utils import OperationalError, ProgrammingError

from core.commands import database_trouble
from core.progress import CLEAR_LINE
from curation.formats.columns import LIMITS
from curation.lexicon.services import LONGEST_FORM, LONGEST_LEMMA
from curation.models import Form, Functionality, LexiconEntry, Release, Suite, TargetGroup, Template, TestCase
from curation.releases.models import ReleaseState
from evaluation.models import DetectionModel
from evaluation.runners.loading import name_of
from evaluation.runs.options import RunOptions
from tests.curation.releases.factories import make_candidate, make_release, make_suite

pytestmark = pytest.mark.django_db
ROW = "functionality,test_case,label_gold\nident_pos_nh,I like immigrants.,non-hateful\n"


def refused(*arguments: object) -> str:
    """The sentence, after checking that --json gives exactly one document that says the same."""
    out = StringIO()
    with pytest.raises(CommandError) as error:
        call_command(*map(str, arguments), "--json", stdout=out, stderr=StringIO())
    assert json.loads(out.getvalue())["title"] == str(error.value)
    return str(error.value)


def run(*arguments: object) -> dict:
    out = StringIO()
    call_command(*map(str, arguments), "--json", stdout=out, stderr=StringIO())
    return json.loads(out.getvalue())


@pytest.fixture
def row_file(tmp_path):
    path = tmp_path / "a row.csv"
    path.write_text(ROW, encoding="utf-8")
    return path


@pytest.mark.parametrize("key", ["", "two words", "a/b", "suite@1.0.0", "größe", "x" * 61])
def test_a_key_that_fits_no_address_is_refused_and_no_suite_is_left(row_file, key):
    assert "cannot be the key of a suite" in refused("import_suite", key, "--format", "csv", "--path", row_file)
    assert not Suite.objects.exists()


def test_a_file_without_rows_is_refused_and_no_suite_is_left(tmp_path):
    path = tmp_path / "empty.csv"
    path.write_text(ROW.splitlines()[0], encoding="utf-8")
    assert "no cases and no templates" in refused("import_suite", "try", "--format", "csv", "--path", path)
    assert not Suite.objects.exists()


def test_templates_only_reads_no_case_from_a_plain_file(tmp_path):
    path = tmp_path / "cases.csv"
    path.write_text(
        "functionality,test_case,label_gold,templ_id,case_templ\n"
        "ident_pos_nh,Something else.,non-hateful,1,I like my neighbours.\n",
        encoding="utf-8",
    )
    found = run("import_suite", "try", "--format", "csv", "--path", path, "--templates-only")
    assert (found["templates"], found["cases"]) == (1, 0)
    assert run("generate_cases", "try")["generated"] == 1
    run("export_cases", "try", "--out", tmp_path / "out.csv")
    assert "I like my neighbours." in (tmp_path / "out.csv").read_text(encoding="utf-8")


def test_a_language_that_is_not_in_the_folder_is_refused_with_those_that_are(tmp_path):
    folder = tmp_path / "german"
    folder.mkdir()
    (folder / "templates.csv").write_text("functionality,templ_id\n", encoding="utf-8")
    for path in (tmp_path, folder):
        said = refused("import_suite", "try", "--format", "mhc", "--path", path, "--language", "fr")
        assert "'fr' is not in this folder" in said
        assert "de (german)" in said


def test_a_language_folder_with_another_name_asks_for_the_language(tmp_path):
    (tmp_path / "templates.csv").write_text("functionality,templ_id\n", encoding="utf-8")
    assert "--language" in refused("import_suite", "try", "--format", "mhc", "--path", tmp_path)


def test_what_the_operating_system_refuses_is_a_sentence_with_the_place(tmp_path):
    make_suite()
    (tmp_path / "file").write_text("")
    said = refused("export_cases", "small", "--out", tmp_path / "file" / "cases.csv")
    assert str(tmp_path / "file") in said
    assert "Check the path" in said


def test_cases_are_not_written_over_a_folder(tmp_path):
    make_suite()
    assert "is not a file" in refused("export_cases", "small", "--out", tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_the_folder_of_an_export_is_made(tmp_path):
    make_suite()
    assert run("export_cases", "small", "--out", tmp_path / "new" / "cases.csv")["cases"]
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["cases.csv"]


def test_freezing_names_every_reason_also_those_that_do_not_occur():
    make_suite()
    found = run("freeze", "small", "--release", "1.0.0", "--policy", "mark")
    assert found["excluded_by_reason"] == {"disagreement": 0, "template": 0, "reference": 0}


def test_a_version_that_waits_to_be_published_is_called_a_candidate(mira):
    candidate = make_candidate(make_suite(by=mira), by=mira)
    assert "exists already (Candidate)" in refused("freeze", "small", "--release", candidate.version)
    assert Release.objects.get().state == ReleaseState.CANDIDATE


def test_a_folder_that_is_not_there_is_not_taken_for_a_suite(tmp_path):
    assert "There is no folder" in refused("verify_release", tmp_path / "nowhere")


def test_a_report_without_results_says_what_to_do_first(tmp_path):
    release = make_release(make_suite(), cascade="none")
    assert "import_predictions first" in refused("report", release.key, "--out", tmp_path / "report")
    assert not (tmp_path / "report").exists()


def test_uploaded_predictions_are_not_a_model_to_run():
    release = make_release(make_suite(), cascade="none")
    assert "import_predictions" in refused("evaluate", release.key, "--model", "upload")
    assert not DetectionModel.objects.exists()


def test_a_folder_is_no_file_of_predictions(tmp_path):
    release = make_release(make_suite(), cascade="none")
    assert "is a folder" in refused("import_predictions", release.key, "--model", "m", "--path", tmp_path)


def test_a_host_that_is_not_permitted_is_refused_with_the_setting_that_permits_it(tmp_path):
    release = make_release(make_suite(), cascade="none")
    description = tmp_path / "model.yaml"
    description.write_text("url: https://api.example.org/v1\nmodel: some\n", encoding="utf-8")
    assert "ALLOWED_MODEL_HOSTS" in refused("evaluate", release.key, "--model", f"chat:{description}")


def test_a_model_keeps_the_dots_of_its_name():
    assert name_of("hf:owner/detector-v1.5") == "detector-v1.5"
    assert name_of("http:models/our.api.yaml") == "our.api"


def test_a_table_of_limits_is_that_of_the_database():
    fields = {
        "case_id": (TestCase, "key"), "mhc_case_id": (TestCase, "key"), "ref_case_id": (TestCase, "refers_to"),
        "functionality": (Functionality, "key"), "templ_id": (Template, "key"),
        "ref_templ_id": (Template, "refers_to"), "target_ident": (TargetGroup, "name"), "TARGET": (TargetGroup, "name"),
        "direction": (TestCase, "direction"), "focus_words": (TestCase, "focus_words"),
        "focus_lemma": (TestCase, "focus_lemma"), "label_gold": (TestCase, "gold_label"),
        "contrast_set": (TestCase, "contrast_set"), "perturbation_set": (TestCase, "perturbation_set"),
    }  # fmt: skip
    assert {name: model._meta.get_field(field).max_length for name, (model, field) in fields.items()} == LIMITS
    assert LexiconEntry._meta.get_field("lemma").max_length == LONGEST_LEMMA
    assert Form._meta.get_field("text").max_length == LONGEST_FORM


def test_a_word_that_no_database_could_hold_is_refused(tmp_path):
    folder = tmp_path / "dutch"
    (folder / "placeholders").mkdir(parents=True)
    (folder / "templates.csv").write_text(
        "functionality,templ_id,case_templ,label_gold,trans_manual\nident_pos_nh,1,x,non-hateful,Ik mag [IDENT_P].\n"
    )
    for name in ("IDENT", "SLR"):
        (folder / "placeholders" / f"{name}.csv").write_text(f"TARGET,[{name}_P]\nwomen,{'v' * 301}\n")
    assert "301 characters" in refused("import_suite", "try", "--format", "mhc", "--path", folder)


def test_a_cell_that_no_database_could_hold_is_refused_with_its_place(tmp_path):
    path = tmp_path / "long.csv"
    path.write_text(f"case_id,{ROW.splitlines()[0]}\n{'1' * 81},ident_pos_nh,I like you.,non-hateful\n")
    said = refused("import_suite", "try", "--format", "csv", "--path", path)
    assert "row 2, column 'case_id'" in said
    assert "at most 80 are allowed" in said


def test_classes_that_do_not_tell_can_be_named_on_the_command_line(tmp_path):
    pairs = {"LABEL_0": "non-hateful", "LABEL_1": "hateful"}
    spec = RunOptions(release="a@1", model=f"hf:{tmp_path}", label_map=pairs).model_spec()
    assert spec == {"kind": "hf", "model": str(tmp_path), "labels": {"LABEL_0": "non-hateful", "LABEL_1": "hateful"}}
    release = make_release(make_suite(), cascade="none")
    for model, pair, why in (("hf:x", "LABEL_1", "is not a pair"), ("chat:x.yaml", "a=b", "into the file")):
        assert why in refused("evaluate", release.key, "--model", model, "--label-map", pair)


def test_a_candidate_is_not_evaluated_and_the_refusal_says_what_to_do(mira, tmp_path):
    candidate = make_candidate(make_suite(by=mira), by=mira)
    assert "is not published (state: Candidate)" in refused("evaluate", candidate.key, "--model", "hf:x")
    assert "publish it" in refused("import_predictions", candidate.key, "--model", "m", "--path", tmp_path / "x.csv")


def test_a_database_that_is_away_is_a_sentence_and_a_wrong_statement_is_not_hidden():
    away = OperationalError("connection failed: port 5999\n\tIs the server running?")
    assert str(database_trouble(away)) == (
        "The database cannot be used: connection failed: port 5999. Check DATABASE_URL and the server."
    )
    assert "migrate" in str(database_trouble(ProgrammingError('relation "curation_suite" does not exist')))
    with pytest.raises(ProgrammingError):
        database_trouble(ProgrammingError("syntax error"))


def test_stopping_a_command_prints_no_traceback(monkeypatch):
    make_suite()

    def stop(*_arguments, **_options):
        raise KeyboardInterrupt

    monkeypatch.setattr("curation.management.commands.generate_cases.generate_cases", stop)
    with pytest.raises(CommandError, match="Stopped") as stopped:
        call_command("generate_cases", "small", stdout=StringIO())
    assert stopped.value.returncode == 130


def test_the_line_of_progress_is_gone_before_the_result_is_printed(monkeypatch):
    make_suite()
    screen = Terminal()
    monkeypatch.setattr("sys.stderr", screen)
    call_command("generate_cases", "small", stdout=screen)
    assert "100%" in screen.getvalue()
    last = screen.getvalue().rpartition(CLEAR_LINE)[2]
    assert "new cases" in last
    assert "100%" not in last


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True
