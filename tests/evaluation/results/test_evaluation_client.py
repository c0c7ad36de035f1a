"""The Python client against the real server."""

import sys
from pathlib import Path

import httpx
import numpy as np
import pytest

from accounts.models import Scope
from accounts.services.tokens import create_token
from evaluation.registry.options import ModelFacts
from evaluation.registry.services import change_model
from tests.curation.releases.factories import make_release, make_suite
from tests.evaluation.factories import allow_models, run_model

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "clients" / "python"))

from touchstone_client import Client, NotFound, TouchstoneError


@pytest.fixture
def release(transactional_db, settings, tmp_path, mira):
    settings.VAR = tmp_path
    allow_models(settings)
    return make_release(make_suite(by=mira), cascade="none", by=mira)


@pytest.fixture
def client(live_server, release, mira):
    _, secret = create_token(mira, name="notebook", scope=Scope.WRITE)
    with Client(live_server.url, token=secret) as client:
        yield client


def test_the_whole_way_of_a_notebook(client, release, mira):
    finished = run_model(release, "by_word", name="Words", by=mira)
    assert [found.key for found in client.releases()] == [release.key]
    cases = list(client.cases(release.key))
    assert len(cases) == release.cases.count()
    assert [model.name for model in client.models()] == ["Words"]

    sent = client.upload_predictions(
        release.key, model="Always", answers={case.case_id: {"label": "hateful", "score": 0.9} for case in cases}
    )
    assert client.wait(sent, every=0.1, timeout=5).state == "done"
    assert client.report(sent)["by_label"]["hateful"]["accuracy"] == 1.0
    wrong = list(client.answers(sent))
    assert {(answer["gold"], answer["label"]) for answer in wrong} == {("non-hateful", "hateful")}
    functionality = wrong[0]["functionality"]
    some = client.answers(sent, functionality=functionality)
    assert {answer["functionality"] for answer in some} == {functionality}
    assert client.compare(finished.key, sent)["overall"]["first"] == 1.0

    assert client.leaderboard(release.key) == []
    facts = ModelFacts(trained_on=["en"], on_leaderboard=True)
    change_model(finished.model_version.model, facts, by=mira)
    assert [entry["model"] for entry in client.leaderboard(release.key)] == ["Words"]


def test_a_notebook_takes_documents_and_shares_results(client, release, mira):
    words = run_model(release, "by_word", name="Words", by=mira)
    run_model(release, "always_hateful", name="Always", by=mira)
    assert b"Always" in client.document(release.key, "csv")
    assert b"Always" not in client.document(release.key, "csv", models=["Words"])
    link = client.share(words.key)
    page = httpx.get(link)
    assert page.status_code == 200
    assert "Words" in page.text
    with pytest.raises(TouchstoneError, match="no format 'docx'"):
        client.document(release.key, "docx")


def test_what_the_server_refuses_is_raised_with_its_sentence(client, release):
    with pytest.raises(NotFound, match="no release 'small@9'"):
        client.evaluate("small@9", model="Words")
    with pytest.raises(TouchstoneError, match="unknown"):
        client.upload_predictions(release.key, model="Always", answers={"nobody": "hateful"})


def test_other_words_and_numbers_of_numpy_are_sent_from_a_notebook(client, release):
    cases = list(client.cases(release.key))
    words = {case.case_id: "bin" if case.label == "hateful" else "keep" for case in cases}
    sent = client.upload_predictions(
        release.key, model="Words", answers=words, label_map={"bin": "hateful", "keep": "non-hateful"}
    )
    assert client.report(sent)["overall"]["accuracy"] == 1.0
    scores = {case.case_id: np.float32(case.label == "hateful") * np.float32(0.75) for case in cases}
    sent = client.upload_predictions(release.key, model="Scores", answers=scores)
    assert client.report(sent)["overall"]["accuracy"] == 1.0
    with pytest.raises(TypeError, match="neither a label nor a score"):
        client.upload_predictions(release.key, model="Nonsense", answers={"1": object()})
