"""The log of a harness as predictions: on the page, over the API and by the command."""

import json
from io import StringIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command

from curation.models import ReleaseCase
from evaluation.models import EvaluationRun
from tests.curation.releases.factories import make_release, make_suite
from tests.evaluation.results.test_evaluation_api import api_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def release(settings, tmp_path, mira):
    settings.VAR = tmp_path
    return make_release(make_suite(by=mira), cascade="none", by=mira)


@pytest.fixture
def log(release) -> bytes:
    """A log of inspect_ai in which the model is right, wrong once, and once without an answer."""
    samples = []
    for place, (key, label) in enumerate(ReleaseCase.objects.order_by("position").values_list("key", "label")):
        wrong = "non-hateful" if label == "hateful" else "hateful"
        answer = {0: wrong, 1: None}.get(place, label)
        score = {"value": "C" if answer == label else "I"} | ({"answer": answer} if answer else {})
        samples.append({"id": key, "epoch": 1, "scores": {"pattern": score}, "output": {"completion": answer or "?"}})
    return json.dumps({"version": 2, "status": "success", "eval": {}, "samples": samples}, indent=1).encode()


def accuracy() -> float:
    return EvaluationRun.objects.get().report.values["overall"]["accuracy"]


def test_the_page_takes_a_log(client, release, log, mira):
    client.force_login(mira)
    sent = {"release": release.key, "model": "Inspect", "predictions": SimpleUploadedFile("any.bin", log)}
    answer = client.post("/results/upload/", sent)
    assert answer.status_code == 302, answer.content.decode()
    assert accuracy() == pytest.approx(4 / 6)


def test_the_api_takes_a_log(release, log, mira):
    sent = {"release": release.key, "model": "Inspect", "predictions": SimpleUploadedFile("log.json", log)}
    answer = api_of(mira).post("/api/v1/runs/", sent, format="multipart")
    assert answer.status_code == 201, answer.content.decode()
    assert accuracy() == pytest.approx(4 / 6)


def test_the_command_takes_a_log_once_and_says_what_it_read(release, log, tmp_path):
    path = tmp_path / "log"
    path.write_bytes(log)
    for _ in range(2):
        out = StringIO()
        call_command(
            "import_predictions", release.key, "--model", "Inspect", "--path", path, "--json",
            stdout=out, stderr=StringIO(),
        )  # fmt: skip
        told = [problem["problem"] for problem in json.loads(out.getvalue())["problems"]]
        assert told == ["read as the log of inspect_ai", "1 answer names no label"]
    assert accuracy() == pytest.approx(4 / 6)
