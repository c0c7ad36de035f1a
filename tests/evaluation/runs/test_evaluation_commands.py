"""evaluate, report and finetune as scripts call them."""

import json
from io import StringIO
from xml.etree import ElementTree

import pytest
from django.core.management import call_command, load_command_class
from django.core.management.base import CommandError

from evaluation.models import EvaluationRun, Prediction, Report
from evaluation.registry.services import runner_settings
from evaluation.runs.failing import matching_predictions
from evaluation.runs.models import RunState
from tests.curation.releases.factories import make_release, make_suite
from tests.evaluation.factories import allow_models

pytestmark = pytest.mark.django_db
SPEC = "python:tests.evaluation.factories:by_word"


@pytest.fixture
def release(settings, tmp_path):
    settings.VAR = tmp_path
    allow_models(settings)
    return make_release(make_suite(), cascade="none")


def run(*arguments: object) -> dict:
    out = StringIO()
    call_command(*map(str, arguments), "--json", stdout=out, stderr=StringIO())
    return json.loads(out.getvalue())


def refused(*arguments: object) -> tuple[str, dict]:
    out = StringIO()
    with pytest.raises(CommandError) as error:
        call_command(*map(str, arguments), "--json", stdout=out, stderr=StringIO())
    return str(error.value), json.loads(out.getvalue())


def test_a_model_is_run_and_measured(release):
    found = run("evaluate", release.key, "--model", SPEC, "--name", "Words")
    model = found["models"]["Words"]
    assert found["release"] == "small@1.0.0"
    assert model["overall"]["accuracy"] == 1.0
    assert model["by_functionality"]["derog_neg_emote_h"]["n"] == 2
    assert model["run"]["source"] == "run"


def test_the_same_model_again_makes_no_second_run(release):
    first = run("evaluate", release.key, "--model", SPEC)
    assert run("evaluate", release.key, "--model", SPEC) == first
    assert EvaluationRun.objects.count() == 1


def test_a_new_run_takes_the_answers_of_the_old_one(release, monkeypatch):
    run("evaluate", release.key, "--model", SPEC)
    monkeypatch.setattr(
        "evaluation.runners.python_callable.PythonRunner.predict", lambda *a, **k: pytest.fail("asked again")
    )
    run("evaluate", release.key, "--model", SPEC, "--again")
    assert EvaluationRun.objects.finished().count() == 2


def test_answers_that_cannot_be_used_are_told_with_the_reason(release):
    said = StringIO()
    call_command(
        "evaluate",
        release.key,
        model="python:tests.evaluation.factories:no_word_for_it",
        stdout=StringIO(),
        stderr=said,
    )
    wrong = release.cases.filter(text__contains="dislike").count()
    assert said.getvalue().startswith(
        f"{wrong} of {release.cases.count()} cases got no usable answer, which is not right. Most often: "
    )
    assert "nasty" in said.getvalue()


@pytest.mark.parametrize("command", ["evaluate", "import_predictions", "finetune"])
def test_a_label_map_given_in_two_pieces_adds_up(command):
    needed = {"evaluate": ["r@1", "--model=m"], "import_predictions": ["r@1", "--model=m", "--path=f"]}
    arguments = [*needed.get(command, ["--data=f", "--encoder=linear", "--out=d"])]
    parser = load_command_class("evaluation", command).create_parser("manage.py", command)
    found = parser.parse_args([*arguments, "--label-map", "a=hateful", "--label-map", "b=non-hateful"])
    assert found.label_map == ["a=hateful", "b=non-hateful"]


def test_an_unfinished_run_is_gone_on_with(release, monkeypatch):
    from evaluation.runs import predicting

    monkeypatch.setattr(predicting, "score_run", lambda run: 1 / 0)
    message, _ = refused("evaluate", release.key, "--model", SPEC)
    assert "ZeroDivisionError" in message
    unfinished = EvaluationRun.objects.get()
    assert unfinished.state == RunState.FAILED
    before = set(unfinished.predictions.values_list("pk", flat=True))
    monkeypatch.undo()
    assert run("evaluate", release.key, "--model", SPEC)["models"]
    assert EvaluationRun.objects.get().state == RunState.DONE
    assert set(Prediction.objects.values_list("pk", flat=True)) == before


def test_a_rule_that_is_not_met_fails_the_build_and_is_named(release, tmp_path):
    junit = tmp_path / "junit.xml"
    message, found = refused(
        *("evaluate", release.key, "--model", "python:tests.evaluation.factories:always_hateful", "--junit", junit),
        *("--fail-under", "ident_pos_nh.accuracy>=0.6", "overall.accuracy>0"),
    )
    assert message.startswith("1 of 2 rules are not met: ident_pos_nh.accuracy>=0.6")
    told = found["rules"][0]
    assert (told["rule"], told["value"], told["is_met"]) == ("ident_pos_nh.accuracy>=0.6", 0.0, False)
    assert (told["ci95"], told["n"], told["templates"]) == ([0.0, pytest.approx(0.6576, abs=0.001)], 3, 2)
    (suite,) = ElementTree.parse(junit).getroot()
    assert suite.get("failures") == "1"
    assert suite.find("testcase/failure").get("message") == (
        "ident_pos_nh.accuracy is 0.0000 (95 % interval 0.00 to 0.66) on 3 cases of 2 templates, wanted >= 0.6"
    )


def test_a_junit_report_fails_where_a_model_is_worse_than_guessing(release, tmp_path):
    run("evaluate", release.key, "--model", "python:tests.evaluation.factories:always_hateful", "--name", "Always")
    run("report", release.key, "--out", tmp_path, "--format", "junit")
    (suite,) = ElementTree.parse(tmp_path / "report-small-1.0.0.xml").getroot()
    failed = [case.get("name") for case in suite.findall("testcase[failure]")]
    assert failed == ["ident_pos_nh", "ident_neutral_nh"]
    assert suite.get("failures") == "2"


def test_a_report_can_be_held_against_rules(release, tmp_path):
    run("evaluate", release.key, "--model", SPEC, "--name", "Words")
    message, found = refused(
        *("report", release.key, "--out", tmp_path, "--format", "junit", "csv", "--fail-under", "*.accuracy.low>=0.5")
    )
    assert message.startswith("3 of 3 rules are not met: Words: by_functionality.")
    assert [rule["model"] for rule in found["rules"]] == ["Words"] * 3
    assert all(rule["value"] == rule["ci95"][0] for rule in found["rules"])
    (suite,) = ElementTree.parse(tmp_path / "report-small-1.0.0.xml").getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("3", "3")
    assert (tmp_path / "report-small-1.0.0.csv").is_file()


def test_the_terminal_says_how_sure_a_rule_is(release):
    out = StringIO()
    call_command(
        *("evaluate", release.key, "--model", SPEC, "--fail-under", "overall.accuracy>=0.9"),
        stdout=out, stderr=StringIO(),
    )  # fmt: skip
    assert "95 % interval" in out.getvalue()
    assert "yes, but the limit lies within the interval" in out.getvalue()


def test_results_that_were_measured_by_an_older_version_are_measured_again(release):
    run("evaluate", release.key, "--model", SPEC, "--name", "Words")
    report = Report.objects.get()
    fresh = report.values
    report.values = {**fresh, "overall": {"n": 1, "ci95": [0, 1]}}
    report.save()
    found = run("rescore", release.key)
    assert found["rescored"] == [EvaluationRun.objects.get().key]
    assert Report.objects.get().values == fresh


def test_rules_that_are_met_end_well(release):
    found = run("evaluate", release.key, "--model", SPEC, "--fail-under", "by_target.immigrants.accuracy>=100%")
    assert [rule["is_met"] for rule in found["rules"]] == [True]


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        ("nonsense", "is not a rule"),
        ("no_such_nh.accuracy>=0.5", "has no 'no_such_nh'"),
        ("overall.speed>=1", "no 'overall.speed'"),
    ],
)
def test_a_rule_nobody_can_check_is_refused(release, rule, why):
    message, _ = refused("evaluate", release.key, "--model", SPEC, "--fail-under", rule)
    assert why in message


def test_a_model_that_may_not_run_is_refused_with_the_reason(release):
    message, problem = refused("evaluate", release.key, "--model", "python:os:getcwd")
    assert "not listed in the settings" in message
    assert problem["code"] == "model_refused"


def test_a_report_is_written_in_every_format(release, tmp_path):
    run("evaluate", release.key, "--model", SPEC, "--name", "Words")
    run("evaluate", release.key, "--model", "python:tests.evaluation.factories:always_hateful", "--name", "Always")
    formats = ("html", "pdf", "latex", "csv", "json", "junit")
    found = run("report", release.key, "--models", "Words", "always", "--out", tmp_path / "out", "--format", *formats)
    files = {path.suffix: path for path in (tmp_path / "out").iterdir()}
    assert set(files) == {".html", ".pdf", ".tex", ".csv", ".json", ".xml"}
    assert json.loads(files[".json"].read_text())["models"].keys() == {"Words", "Always"}
    assert files[".pdf"].read_bytes().startswith(b"%PDF-")
    page = files[".html"].read_text()
    assert "<svg" in page
    assert "src=" not in page
    assert r"\textbf{100.0} & \underline{0.0}" in files[".tex"].read_text()
    assert "small@1.0.0,by_label,hateful,,Always,2,1,2,1.0," in files[".csv"].read_text()
    assert len(found["files"]) == 6


def test_the_pdf_shows_the_charts_of_the_html_file(release, tmp_path, monkeypatch):
    shown = {}
    monkeypatch.setattr("evaluation.reports.pdf.as_pdf", lambda *_, charts, language: shown.update(charts) or b"%PDF-")
    for function, name in (("by_word", "Words"), ("always_hateful", "Always")):
        run("evaluate", release.key, "--model", f"python:tests.evaluation.factories:{function}", "--name", name)
    run("report", release.key, "--models", "Words", "Always", "--out", tmp_path, "--format", "html", "pdf")
    (page,) = (path.read_text() for path in tmp_path.glob("*.html"))
    titles = {"Accuracy by functionality, with 95 % intervals: Words", "Calibration: what the scores mean: Words"}
    assert titles <= set(shown)
    assert all(title in page for title in shown)


def test_a_report_about_an_unknown_model_names_those_there_are(release, tmp_path):
    run("evaluate", release.key, "--model", SPEC, "--name", "Words")
    message, _ = refused("report", release.key, "--models", "Nobody", "--out", tmp_path)
    assert "no result of 'Nobody'" in message
    assert "Words" in message


@pytest.mark.parametrize(
    ("more", "why"),
    [
        (["--label-map", "0"], "'0' is not a pair"),
        (["--label-map", "1=hateful"], "'0' is not in the label map"),
        (["--text-column", "tweet"], "no column 'tweet'"),
        ([], "Nothing was trained"),
    ],
)
def test_finetune_refuses_with_one_clear_sentence(tmp_path, more, why):
    data = tmp_path / "data.csv"
    data.write_text("text,label\nI like rain.,0\nI like snow.,0\n")
    message, problem = refused("finetune", "--data", data, "--encoder", "nowhere", "--out", tmp_path / "out", *more)
    assert why in message
    assert problem["code"] == "bad_input"


def test_finetune_starts_only_from_encoders_that_are_allowed(tmp_path, settings):
    data, elsewhere = tmp_path / "data.csv", tmp_path / "encoder"
    data.write_text("text,label\n" + "".join(f"Text {number},{number % 2}\n" for number in range(40)))
    elsewhere.mkdir()
    (elsewhere / "model.safetensors").write_bytes(b"")
    settings.MODEL_FOLDERS, settings.MODEL_HUB = [str(tmp_path / "models")], False
    for encoder, why in ((elsewhere, "models may not be read from"), ("owner/model", "hub are switched off")):
        message, _ = refused("finetune", "--data", data, "--encoder", encoder, "--out", tmp_path / "out")
        assert why in message


def predictions_of(release, path, column="label", cells=("1", "0")):
    wrong = {"hateful": cells[0], "non-hateful": cells[1]}
    rows = [f"{key},{wrong[label]}" for key, label in release.cases.values_list("key", "label")]
    path.write_text("\n".join([f"case_id,{column}", *rows]), encoding="utf-8")
    return path


def test_predictions_as_scores_are_imported_with_what_was_guessed(release, tmp_path):
    path = predictions_of(release, tmp_path / "p.csv", column="P", cells=("0.7", "0.2"))
    found = run("import_predictions", release.key, "--model", "Perspective", "--path", path)
    assert found["models"]["Perspective"]["overall"]["accuracy"] == 1.0
    assert "read as scores" in found["problems"][0]["problem"]
    assert run("import_predictions", release.key, "--model", "Perspective", "--path", path) == found
    assert EvaluationRun.objects.count() == 1


def test_the_installation_says_where_models_lie_and_run(release, settings, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    settings.MODEL_FOLDERS, settings.MODEL_HUB, settings.MODEL_DEVICE = [str(tmp_path / "models")], False, "cuda:1"
    settings.VAR = tmp_path / "var"
    settings.ALLOWED_COMMAND_MODELS = ["mine='/opt/my models/run' --fast"]
    assert "may not be read" in refused("evaluate", release.key, "--model", f"hf:{tmp_path / 'elsewhere'}")[0]
    assert "switched off" in refused("evaluate", release.key, "--model", "hf:owner/name")[0]
    found = runner_settings()
    assert found.device == "cuda:1"
    assert found.allowed_commands["mine"] == ["/opt/my models/run", "--fast"]


def test_the_same_file_read_otherwise_is_another_run(release, tmp_path):
    path = predictions_of(release, tmp_path / "p.csv", column="P", cells=("0.7", "0.2"))
    run("import_predictions", release.key, "--model", "P", "--path", path)
    strict = run("import_predictions", release.key, "--model", "P", "--path", path, "--threshold", "0.8")
    assert strict["models"]["P"]["by_label"]["hateful"]["accuracy"] == 0.0
    assert strict["models"]["P"]["near_threshold"]["threshold"] == 0.8
    assert EvaluationRun.objects.count() == 2


def test_what_is_wrong_with_a_file_is_told_once(release, tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text("case_id,prediction\nnobody,hateful\n")
    said, problem = refused("import_predictions", release.key, "--model", "M", "--path", path)
    assert said == (
        "Nothing was imported. mine.csv, line 2, case_id: 1 unknown case id: nobody (row 2). "
        "Use the ids of this release. (1 more)"
    )
    assert len(problem["problems"]) == 2


def test_other_words_need_a_label_map_and_get_one(release, tmp_path):
    path = predictions_of(release, tmp_path / "p.csv", cells=("bin", "keep"))
    said, document = refused("import_predictions", release.key, "--model", "M", "--path", path)
    assert "'keep' is not a label here" in said
    assert "'bin' is not a label here" in document["problems"][1]["problem"]
    assert document["problems"][0]["column"] == "label"
    words = ("--label-map", "bin=hateful", "keep=non-hateful")
    found = run("import_predictions", release.key, "--model", "M", "--path", path, *words)
    assert found["models"]["M"]["overall"]["accuracy"] == 1.0
    said, _ = refused("import_predictions", release.key, "--model", "M", "--path", path, "--label-map", "bin")
    assert "'bin' is not a pair" in said


def test_results_in_the_terminal_stand_beside_the_trivial_models(release, tmp_path):
    out = StringIO()
    path = predictions_of(release, tmp_path / "p.csv")
    call_command("import_predictions", release.key, "--model", "M", "--path", str(path), stdout=out)
    assert "always hateful" in out.getvalue()
    assert "always non-hateful" in out.getvalue()
    assert "100.0" in out.getvalue()


def test_cases_that_a_file_leaves_out_are_among_the_unanswered(release, tmp_path):
    path = predictions_of(release, tmp_path / "p.csv")
    path.write_text("\n".join(path.read_text().splitlines()[:-1]), encoding="utf-8")
    found = run("import_predictions", release.key, "--model", "M", "--path", path, "--allow-missing")
    assert found["models"]["M"]["overall"]["unanswered"] == 1
    assert "1 case of the release has no prediction" in found["problems"][0]["problem"]
    made = EvaluationRun.objects.get()
    assert matching_predictions(made, {"show": "unanswered"}).count() == 1
