"""A run may be restricted to the languages a model knows, and a service may be told the language of each text."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import StringIO

import pytest
from django.core.management import call_command
from django.urls import reverse

from core.errors import BadInput
from core.jobs import services as jobs
from curation.catalogue.loading import load_catalogue
from curation.formats.values import CaseValue, SuiteValues
from curation.importing.services import import_values
from curation.models import Language, Suite
from evaluation.models import EvaluationRun
from evaluation.registry.services import load, register_model
from evaluation.results.comparing import compare_runs
from evaluation.results.leaderboard import leaderboard_of
from evaluation.results.reporting import as_json, newest_runs
from evaluation.runners import ConfigurationError
from evaluation.runs.failing import matching_predictions
from evaluation.runs.services import request_run
from tests.curation.releases.factories import make_release
from tests.evaluation.factories import allow_models, registered

pytestmark = pytest.mark.django_db
WORDS = "python:tests.evaluation.factories:by_word"


@pytest.fixture
def release(settings, mira):
    """Two texts in English and in two kinds of Portuguese; the first is the same in all three."""
    allow_models(settings)
    load_catalogue()
    portuguese = Language.objects.get(code="pt")
    portuguese.pk, portuguese.code, portuguese.name = None, "pt-BR", "Brazilian Portuguese"
    portuguese.save()
    Suite.objects.create(key="two", name="Two", labels=["hateful", "non-hateful"], raters=3, threshold=2)
    values = SuiteValues()
    for language in ("en", "pt", "pt-BR"):
        for number, text in enumerate(("OK", f"I dislike {language}"), 1):
            functionality, label = (("ident_neutral_nh", "non-hateful"), ("derog_neg_emote_h", "hateful"))[number - 1]
            values.cases.append(CaseValue(f"{language}-{number}", language, functionality, text, label))
    import_values("two", values, format_name="csv", by=mira)
    return make_release(Suite.objects.get(key="two"), cascade="none", by=mira)


@pytest.fixture
def service() -> Iterator[tuple[str, list[dict]]]:
    """A service that calls everything harmless: its address, and what it was sent."""
    sent: list[dict] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            sent.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(200)
            self.send_header("Content-Length", "14")
            self.end_headers()
            self.wfile.write(b'{"score": 0.1}')

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/", sent
    server.shutdown()
    server.server_close()


def finished(run: EvaluationRun) -> EvaluationRun:
    jobs.perform(run.job.key, worker="test")
    run.refresh_from_db()
    assert run.state == "done", run.error
    return run


def spec_for(url: str, **more) -> dict:
    answer = {"url": url, "answer": {"score": "score"}, "threshold": 0.5}
    return {"kind": "http", "body": {"text": "{text}", "in": ["{language}"]}, **answer, **more}


def test_only_cases_in_the_chosen_languages_are_asked_about_and_measured(release, mira):
    run = finished(request_run(release, registered("by_word", name="Words"), by=mira, languages=["pt"]))
    assert run.languages == ["pt", "pt-BR"]
    assert set(run.predictions.values_list("release_case__language", flat=True)) == {"pt", "pt-BR"}
    assert run.report.values["overall"]["n"] == 4
    assert run.report.values["overall"]["unanswered"] == 0
    assert list(run.report.values["by_language"]) == ["pt", "pt-BR"]


def test_page_api_and_command_restrict_a_run_alike(client, release, mira):
    registered("by_word", name="Words")
    client.force_login(mira)
    client.post(reverse("evaluation:model-run", args=["words"]), {"release": release.key, "languages": "en"})
    on_page = EvaluationRun.objects.get()
    body = json.dumps({"release": release.key, "model": "words", "languages": ["en"]})
    sent = client.post("/api/v1/runs/", body, content_type="application/json")
    assert (sent.json()["key"], sent.json()["languages"]) == (on_page.key, ["en"])
    out = StringIO()
    arguments = ("--model", WORDS, "--name", "Words", "--languages", "en", "--json")
    call_command("evaluate", release.key, *arguments, stdout=out, stderr=StringIO())
    found = json.loads(out.getvalue())["models"]["Words (en only)"]
    assert (found["run"]["key"], found["overall"]["n"]) == (on_page.key, 2)


def test_a_language_the_release_does_not_have_is_refused(release, mira):
    with pytest.raises(BadInput, match=r"two@1.0.0 has no case in de\. Its languages are: en, pt, pt-BR"):
        request_run(release, registered("by_word", name="Words"), by=mira, languages=["en", "de"])


def test_all_languages_are_no_restriction(release, mira):
    assert request_run(release, registered("by_word", name="Words"), by=mira, languages=["en", "pt"]).options == {}


def test_a_restricted_run_hides_no_complete_one_and_ranks_nowhere(release, mira):
    version = registered("by_word", name="Words")
    version.model.on_leaderboard = True
    version.model.save()
    complete = finished(request_run(release, version, by=mira))
    restricted = finished(request_run(release, version, by=mira, languages=["en"]))
    assert newest_runs(release) == [complete]
    assert [entry.run for entry in leaderboard_of(release).entries] == [complete]
    assert list(as_json(release, [restricted])["models"]) == ["Words (en only)"]


def test_models_are_compared_on_the_languages_both_know(release, mira):
    one = finished(request_run(release, registered("by_word", name="Words"), by=mira, languages=["en"]))
    other = finished(request_run(release, registered("always_hateful", name="Always"), by=mira))
    assert compare_runs(one, other)["overall"]["n"] == 2


def test_a_service_is_told_the_language_of_every_text_and_asked_once_for_each(release, mira, service):
    url, sent = service
    spec = spec_for(url)
    finished(request_run(release, register_model("Service", spec, load(spec), by=None), by=mira))
    assert sorted((one["text"], one["in"][0]) for one in sent) == [
        ("I dislike en", "en"), ("I dislike pt", "pt"), ("I dislike pt-BR", "pt-BR"),
        ("OK", "en"), ("OK", "pt"), ("OK", "pt-BR"),
    ]  # fmt: skip


def test_a_service_that_names_its_languages_is_asked_about_those_only(release, mira, service):
    url, sent = service
    spec = spec_for(url, languages=["pt", "de"])
    run = finished(request_run(release, register_model("Service", spec, load(spec), by=None), by=mira))
    assert run.languages == ["pt", "pt-BR"]
    assert {one["in"][0] for one in sent} == {"pt", "pt-BR"}


def test_a_batch_cannot_have_one_language(service):
    spec = spec_for(service[0], batch_size=4, body={"texts": "{texts}", "in": "{language}"})
    with pytest.raises(ConfigurationError, match="several languages"):
        load_description(spec)


def load_description(spec):
    from evaluation.runners import RunnerSettings
    from evaluation.runners.descriptions import read_http_description

    return read_http_description({**spec, "answer": {"score": "s", "items": "i"}}, settings=RunnerSettings())


def test_unanswered_cases_are_listed_apart_from_wrong_ones(release, mira):
    run = finished(request_run(release, registered("no_word_for_it", name="Odd"), by=mira))
    shown = {show: matching_predictions(run, {"show": show}).count() for show in ("wrong", "unanswered", "right")}
    assert shown == {"wrong": 0, "unanswered": 3, "right": 3}
    assert run.report.values["overall"]["unanswered"] == 3
