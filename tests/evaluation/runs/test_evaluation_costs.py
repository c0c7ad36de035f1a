"""Language models that are paid by the token: what a run will cost, and what it has used."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import StringIO

import pytest
from django.core.management import call_command
from rest_framework.test import APIClient

from core.jobs import services as jobs
from evaluation import file_store
from evaluation.artefacts.services import folder_of
from evaluation.attacks.scores import request_score
from evaluation.attacks.sets import sets_of
from evaluation.models import Attack, EvaluationRun, ModelVersion
from evaluation.registry.options import ModelFacts
from evaluation.registry.services import change_model, load, register_model
from evaluation.runs import loaded
from evaluation.runs.costing import estimate_attack, estimate_run
from evaluation.runs.services import request_run
from tests.curation.releases.factories import make_release, make_suite
from tests.evaluation.attacks.factories import make_attack
from tests.evaluation.factories import allow_models, registered, run_model

pytestmark = pytest.mark.django_db


@pytest.fixture
def address() -> Iterator[str]:
    """A language model that calls everything hateful: 30 tokens read, 2 written, each time."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            answer = {"choices": [{"message": {"content": "hateful"}, "finish_reason": "stop"}]}
            content = json.dumps({**answer, "usage": {"prompt_tokens": 30, "completion_tokens": 2}}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    server.server_close()


@pytest.fixture
def release(settings, tmp_path, mira):
    settings.VAR = tmp_path
    loaded._slot.clear()
    allow_models(settings)
    return make_release(make_suite(by=mira), cascade="none", by=mira)


def spec_of(address: str) -> dict:
    price = {"input_per_million": 1000.0, "output_per_million": 10000.0, "currency": "EUR"}
    return {"kind": "chat", "url": address, "model": "m", "price": price, "max_tokens": 10}


@pytest.fixture
def version(release, address) -> ModelVersion:
    spec = spec_of(address)
    return register_model("Chatty", spec, load(spec, release.suite.labels), by=None)


def finished(release, version, mira) -> EvaluationRun:
    run = request_run(release, version, by=mira)
    jobs.perform(run.job.key, worker="test")
    run.refresh_from_db()
    assert run.state == "done", run.error
    return run


def test_a_run_is_estimated_by_the_texts_that_are_new(release, version, mira):
    estimate = estimate_run(release, version)
    assert (estimate.requests, estimate.output_tokens, estimate.currency) == (6, 60, "EUR")
    assert estimate.cost == pytest.approx(estimate.input_tokens / 1000 + 0.6)
    finished(release, version, mira)
    assert estimate_run(release, version).requests == 0


def test_a_model_that_is_not_paid_by_the_token_has_no_estimate(release):
    assert estimate_run(release, registered("by_word", name="Words")) is None


def test_the_record_holds_what_each_run_used(release, version, mira):
    first = finished(release, version, mira)
    assert first.environment["used"] == {
        "requests": 6, "input_tokens": 180, "output_tokens": 12, "refusals": 0, "cost": pytest.approx(0.3),
    }  # fmt: skip
    second = make_release(release.suite, "1.1.0", cascade="none", by=mira)
    # Every text is known by now, and the runner that is still loaded has counted the first run.
    assert finished(second, version, mira).environment["used"] == {}


def test_the_estimate_is_on_the_page_and_in_the_api(client, release, version, mira, emil):
    client.force_login(mira)
    assert "Estimate the cost" in client.get("/models/chatty/").content.decode()
    shown = client.get("/models/chatty/estimate/", {"release": release.key}).content.decode()
    assert "asks about 6 new texts" in shown
    assert "EUR" in shown
    api = APIClient()
    api.force_authenticate(mira)
    found = api.get("/api/v1/models/chatty/estimate/", {"release": release.key}).json()
    assert (found["requests"], found["currency"]) == (6, "EUR")
    registered("by_word", name="Words")
    assert api.get("/api/v1/models/words/estimate/", {"release": release.key}).json()["cost"] is None
    api.force_authenticate(emil)
    assert api.get("/api/v1/models/chatty/estimate/", {"release": release.key}).status_code == 403


def test_the_command_tells_the_cost_before_it_asks(release, address, tmp_path):
    description = tmp_path / "chat.yaml"
    description.write_text(json.dumps({name: value for name, value in spec_of(address).items() if name != "kind"}))
    told = StringIO()
    call_command("evaluate", release.key, "--model", f"chat:{description}", "--json", stdout=StringIO(), stderr=told)
    assert "6 requests" in told.getvalue()
    assert "EUR" in told.getvalue()


@pytest.fixture
def attack(release, settings, tmp_path, mira) -> Attack:
    settings.MEDIA_ROOT = tmp_path / "uploads"
    return make_attack(mira)


def texts_of(attack: Attack) -> int:
    return len({text for found in sets_of(attack).values() for text in found.texts})


def test_an_attack_is_estimated_by_the_texts_that_are_not_answered(attack, version, mira):
    estimate = estimate_attack(attack, version)
    assert (estimate.requests, estimate.output_tokens) == (texts_of(attack), 10 * texts_of(attack))
    assert estimate.cost == pytest.approx(estimate.input_tokens / 1000 + estimate.output_tokens / 100)
    score = request_score(attack, version, by=mira)
    memory = file_store.root() / "attack_answers" / f"{score.pk}.jsonl"
    memory.parent.mkdir(parents=True)
    memory.write_text(json.dumps([sets_of(attack)["quo"].texts[0], "hateful"]) + "\n")
    assert estimate_attack(attack, version).requests == texts_of(attack) - 1
    jobs.perform(score.job.key, worker="test")
    assert estimate_attack(attack, version).requests == 0
    assert estimate_attack(attack, registered("by_word", name="Words")) is None


def test_the_estimate_of_an_attack_is_on_both_pages_and_in_the_api(client, attack, version, mira, emil):
    client.force_login(mira)
    address = f"/attacks/{attack.key}/estimate/"
    for page in (attack.get_absolute_url(), "/models/chatty/attacks/"):
        shown = client.get(page).content.decode()
        assert "What will it cost?" in shown
        assert address in shown
    shown = client.get(address, {"model": version.key}).content.decode()
    assert f"asks about {texts_of(attack)} new texts" in shown
    assert "EUR" in shown
    assert client.get(address, {"model": "x"}).status_code == 404
    api = APIClient()
    api.force_authenticate(mira)
    found = api.get(f"/api/v1{address}", {"model": "chatty"}).json()
    assert (found["requests"], found["currency"]) == (texts_of(attack), "EUR")
    assert api.get(f"/api/v1{address}", {"model": "nobody"}).status_code == 422
    client.force_login(emil)
    assert client.get(address, {"model": version.key}).status_code == 403
    api.force_authenticate(emil)
    assert api.get(f"/api/v1{address}", {"model": "chatty"}).status_code == 403


def test_no_price_is_asked_for_where_no_model_is_paid(client, attack, mira):
    registered("by_word", name="Words")
    client.force_login(mira)
    assert "What will it cost?" not in client.get(attack.get_absolute_url()).content.decode()


def test_the_attack_command_tells_the_cost_before_it_asks_or_only_that(attack, address, tmp_path):
    description = tmp_path / "chat.yaml"
    description.write_text(json.dumps({name: value for name, value in spec_of(address).items() if name != "kind"}))
    asked = ["attack", "run", "--sets", str(folder_of(attack)), "--model", f"chat:{description}"]
    out = StringIO()
    call_command(*asked, "--estimate", "--json", stdout=out)
    assert json.loads(out.getvalue())["cost"]["requests"] == texts_of(attack)
    told = StringIO()
    call_command(*asked, "--out", str(tmp_path / "answers"), "--json", stdout=StringIO(), stderr=told)
    assert f"{texts_of(attack)} requests" in told.getvalue()
    out = StringIO()
    by_word = "python:tests.evaluation.factories:by_word"
    call_command("attack", "run", "--sets", str(folder_of(attack)), "--model", by_word, "--estimate", stdout=out)
    assert "is not paid by the token" in out.getvalue()


def test_results_follow_the_languages_a_model_was_trained_on(release, mira):
    run = run_model(release, "by_word", name="Words", by=mira)
    assert run.report.values["by_language"]["en"]["shots"] is None
    for languages, shots in ((["en"], "many"), (["de"], "zero"), ([], None)):
        change_model(run.model_version.model, ModelFacts(trained_on=languages), by=mira)
        run.report.refresh_from_db()
        assert run.report.values["by_language"]["en"]["shots"] == shots
