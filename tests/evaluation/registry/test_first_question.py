"""A model that fails its first question is not registered; refusals are told apart from errors."""

import pytest
from django.core.management import CommandError, call_command

from evaluation.models import DetectionModel, EvaluationRun
from evaluation.runs.failing import matching_predictions
from tests.curation.releases.factories import make_release, make_suite
from tests.evaluation.runners.recorded import chat
from tests.evaluation.stub_server import Reply, server

pytestmark = pytest.mark.django_db


@pytest.fixture
def release(settings, tmp_path, mira):
    settings.VAR, settings.ALLOWED_MODEL_HOSTS = tmp_path, ["127.0.0.1"]
    return make_release(make_suite(by=mira), cascade="none", by=mira)


def spec_at(address: str) -> str:
    return f"preset:llama-guard-3-8b?url={address.rsplit('/', 1)[0]}/v1&attempts=1"


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        (Reply(401, {"error": {"message": "wrong key"}}), "HTTP 401"),
        (Reply(503, {}), "did not answer after 1 attempt"),
        (Reply(body=chat("I see no problem here.")), "none of the words"),
    ],
)
def test_the_command_registers_no_model_that_fails_its_first_question(release, reply, says):
    with server(lambda n, body: reply) as (address, requests), pytest.raises(CommandError, match=says):
        call_command("evaluate", release.key, "--model", spec_at(address))
    assert len(requests) == 1
    assert not DetectionModel.objects.exists()


def test_a_known_model_is_not_asked_a_first_question_again(release, capsys):
    with server(lambda n, body: Reply(body=chat("safe"))) as (address, requests):
        call_command("evaluate", release.key, "--model", spec_at(address))
        asked = len(requests)
        call_command("evaluate", release.key, "--model", spec_at(address), "--again")
    assert len(requests) == asked


def test_refusals_are_counted_apart_from_errors(release, capsys):
    replies = ["Es tut mir leid, dabei kann ich nicht helfen.", "maybe"]

    def answer(number, body):
        return Reply(body=chat("safe" if number == 0 else replies[number % 2]))

    with server(answer) as (address, _):
        call_command("evaluate", release.key, "--model", f"{spec_at(address)}&concurrency=1")
    overall = EvaluationRun.objects.get().report.values["overall"]
    assert overall["refusals"] > 0
    assert overall["errors"] > 0
    assert overall["refusals"] + overall["errors"] == overall["n"]
    run = EvaluationRun.objects.get()
    assert matching_predictions(run, {"show": "refused"}).count() == overall["refusals"]
    assert matching_predictions(run, {"show": "unanswered"}).count() == overall["n"]
    told = capsys.readouterr().out
    assert f"{overall['refusals']} refusals, {overall['errors']} answers that cannot be used" in told
