"""evaluate, report and finetune as scripts call them."""

from __future__ import annotations

import json
from io import StringIO
from xml.etree import ElementTree

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from evaluation.models import EvaluationRun, Prediction
from evaluation.models.runs import RunState
from tests.release_ground import make_release, make_suite

pytestmark = pytest.mark.django_db
SPEC = "python:tests.evaluation_ground:by_word"


@pytest.fixture
def release(settings, tmp_path):
    settings.VAR = tmp_path
    settings.ALLOWED_COMMAND_MODELS = ["tests.evaluation_ground:by_word", "tests.evaluation_ground:always_hateful"]
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


def test_an_unfinished_run_is_gone_on_with(release, monkeypatch):
    from evaluation.services import predicting

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
        *("evaluate", release.key, "--model", "python:tests.evaluation_ground:always_hateful", "--junit", junit),
        *("--fail-under", "ident_pos_nh.accuracy>=0.6", "overall.accuracy>0"),
    )
    assert message.startswith("1 of 2 rules are not met: ident_pos_nh.accuracy>=0.6")
    assert found["rules"][0] == {"rule": "ident_pos_nh.accuracy>=0.6", "value": 0.0, "is_met": False}
    (suite,) = ElementTree.parse(junit).getroot()
    assert suite.get("failures") == "1"
    assert suite.find("testcase/failure").get("message") == "ident_pos_nh.accuracy is 0.0000, wanted >= 0.6"


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
    run("evaluate", release.key, "--model", "python:tests.evaluation_ground:always_hateful", "--name", "Always")
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
    assert "small@1.0.0,by_label,hateful,,Always,2,2,1.0," in files[".csv"].read_text()
    assert len(found["files"]) == 6


def test_a_report_about_an_unknown_model_names_those_there_are(release, tmp_path):
    run("evaluate", release.key, "--model", SPEC, "--name", "Words")
    message, _ = refused("report", release.key, "--models", "Nobody", "--out", tmp_path)
    assert "no result of 'Nobody'" in message
    assert "Words" in message


@pytest.mark.parametrize(
    ("more", "why"),
    [
        (["--label-map", "0"], "is not FROM=TO"),
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
