"""Bodies that no database keeps or no parser ends: refused with a sentence, never an error of the server."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from rest_framework.test import APIClient

from accounts.plain_values import MOST_LEVELS, problem_with
from annotation.models import Annotation
from annotation.people.participation import annotator_for
from core.models import Job
from curation.catalogue.loading import load_catalogue
from curation.models import Suite
from evaluation.models import Dataset
from tests.annotation.factories import make_open_campaign, ready
from tests.annotation.factories import make_suite as make_labelled_suite
from tests.curation.releases.factories import make_release
from tests.curation.releases.factories import make_suite as make_released_suite

pytestmark = pytest.mark.django_db
UNSTORABLE = {"null": "a\x00b", "first half": "a\ud83d", "second half": "\ude00b"}
unstorable = pytest.mark.parametrize("text", UNSTORABLE.values(), ids=UNSTORABLE.keys())


@pytest.fixture(autouse=True)
def _uploads(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "uploads"


@pytest.fixture
def api(mira) -> APIClient:
    load_catalogue()
    client = APIClient()
    client.force_authenticate(mira)
    return client


def send(api: APIClient, address: str, body: str):
    return api.generic("POST", address, body, content_type="application/json")


def refused(answer, said: str) -> None:
    assert answer.status_code == 400, answer.content
    assert answer["Content-Type"] == "application/problem+json"
    assert said in answer.content.decode()


SUITE = {"key": "fresh", "name": "Fresh", "languages": ["de"]}


@unstorable
@pytest.mark.parametrize(
    "facts", [{"labels": ["hateful", "{}"]}, {"authors": ["{}"]}, {"authors": [{"name": "{}"}]}, {"name": "{}"}]
)
def test_a_text_that_cannot_be_stored_is_refused_with_its_place(api, text, facts):
    body = json.dumps({**SUITE, **facts}).replace("{}", json.dumps(text)[1:-1])
    refused(send(api, "/api/v1/suites/", body), "null character or half of a character")
    assert not Suite.objects.filter(key="fresh").exists()


@unstorable
def test_in_a_form_with_files_as_well(api, text):
    """In a form, JSON stands as text: its escapes are read by the field."""
    for address, facts in (("/api/v1/models/", {"name": "Mine"}), ("/api/v1/runs/", {"release": "a@1"})):
        spec = json.dumps({"kind": "hf", "model": text})
        answer = api.post(address, {**facts, "spec": spec}, format="multipart")
        assert answer.status_code in (400, 404, 415, 422)
        assert answer["Content-Type"] == "application/problem+json"
    assert not Job.objects.exists()


@pytest.mark.parametrize("labels", [5, "hateful", [1, 2], [["a"], ["b"]], {"a": 1}, None])
def test_labels_that_are_no_list_of_words_are_refused(api, labels):
    answer = api.post("/api/v1/suites/", {**SUITE, "labels": labels}, format="json")
    assert answer.status_code in (201, 400, 422)
    assert (answer.status_code == 201) == (labels == [1, 2])  # numbers are read as words


@pytest.mark.parametrize("authors", [5, "Ada", {"name": "Ada"}, [1], [["Ada"]]])
def test_authors_that_are_no_list_of_names_are_refused(api, authors):
    assert api.post("/api/v1/suites/", {**SUITE, "authors": authors}, format="json").status_code in (400, 422)


@pytest.mark.parametrize("depth", [MOST_LEVELS + 1, 900, 100_000])
@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}")])
def test_a_value_nested_without_end_is_refused(api, depth, opening, closing):
    deep = opening * depth + "1" + closing * depth
    said = f"nested more than {MOST_LEVELS} levels deep"
    refused(send(api, "/api/v1/suites/", json.dumps({**SUITE, "authors": 0})[:-2] + deep + "}"), said)
    refused(send(api, "/api/v1/models/", f'{{"name": "Mine", "spec": {deep}}}'), said)
    answer = api.post("/api/v1/runs/", {"release": "a@1", "spec": deep}, format="multipart")
    assert answer.status_code in (400, 404, 422)


def test_a_body_as_deep_as_allowed_and_full_of_escapes_is_read(api):
    body = json.dumps({**SUITE, "name": "Größe 😀", "authors": [{"name": "Ada", "orcid": "0"}] * 60})
    assert "\\u" in body
    assert send(api, "/api/v1/suites/", body).status_code == 201
    assert Suite.objects.get(key="fresh").name == "Größe 😀"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-7", "raw_unicode_escape", "latin-1"])
def test_an_encoding_in_which_unstorable_text_would_not_be_seen_is_refused(api, encoding):
    body = json.dumps({**SUITE, "name": "a\x00b"}).encode(encoding)
    answer = api.generic("POST", "/api/v1/suites/", body, content_type=f"application/json; charset={encoding}")
    refused(answer, "The request cannot be read.")
    assert not Suite.objects.filter(key="fresh").exists()


@pytest.mark.parametrize("encoding", ["utf-8", "UTF8", "us-ascii"])
def test_the_usual_encoding_may_be_named(api, encoding):
    answer = api.generic("POST", "/api/v1/suites/", json.dumps(SUITE), f"application/json; charset={encoding}")
    assert answer.status_code == 201


@pytest.mark.parametrize(
    "spec", [None, 5, [], ["hf:a"], "", True, "hf:" + "x" * 5000, {"kind": "hf", "model": "x" * 5000}]
)
def test_a_spec_that_names_no_model_is_refused(api, spec):
    answer = api.post("/api/v1/models/", {"name": "Mine", "spec": spec}, format="json")
    assert answer.status_code in (400, 422)
    assert not Job.objects.exists()


def test_a_spec_that_is_missing_is_named(api):
    for kind in ("json", "multipart"):
        answer = api.post("/api/v1/models/", {"name": "Mine"}, format=kind)
        assert (answer.status_code, list(answer.json()["fields"])) == (400, ["spec"])
    for spec in ("null", "", "[]", "{}", '["hf:a"]'):  # in a form, JSON stands as text
        answer = api.post("/api/v1/models/", {"name": "Mine", "spec": spec}, format="multipart")
        assert answer.status_code in (400, 422)
    assert not Job.objects.exists()


def test_data_sets_that_no_reader_takes_are_refused(api):
    deep = b'{"text": "a", "label": ' + b"[" * 5000 + b"]" * 5000 + b"}\n"
    for name, content in (("posts." + "x" * 240, b"text,label\na,x\n"), ("posts.jsonl", deep)):
        answer = api.post(
            "/api/v1/datasets/", {"title": "Odd", "file": SimpleUploadedFile(name, content)}, format="multipart"
        )
        assert answer.status_code == 422
    assert not Dataset.objects.exists()


def test_a_field_with_half_a_character_is_named(api, mira):
    release = make_release(make_released_suite(by=mira), cascade="none", by=mira)
    key = release.cases.first().key
    file = SimpleUploadedFile("odd.jsonl", b'{"case_id": "%s", "prediction": "hateful\\ud83d"}' % key.encode())
    answer = api.post(
        "/api/v1/runs/", {"release": release.key, "model": "Odd", "predictions": file}, format="multipart"
    )
    assert answer.status_code == 422
    assert "odd.jsonl, line 1, prediction: the field holds half a character" in answer.json()["title"]


@unstorable
@pytest.mark.parametrize("field", ["comment", "client_id", "label", "unrealistic_because", "assignment"])
def test_a_label_that_cannot_be_stored_is_refused_for_good(client, mira, ana, field, text):
    """A refusal of the 400s is final for the labelling screen: it says so instead of sending it again and again."""
    campaign = make_open_campaign(make_labelled_suite(), mira, batch_size=4)
    ready(campaign, annotator_for(ana))
    client.force_login(ana)
    address = reverse("api-labelling-exchange", args=[campaign.key])
    texts = client.post(address, {"events": []}, content_type="application/json").json()["texts"]
    event = {"client_id": "one", "assignment": texts[0]["assignment"], "label": "hateful", field: text}
    answer = client.post(address, json.dumps({"events": [event]}), content_type="application/json")
    refused(answer, f"events.0.{field}")
    assert not Annotation.objects.exists()
    whole = {**event, field: {"assignment": texts[0]["assignment"], "label": "hateful"}.get(field, "fine")}
    stored = client.post(address, {"events": [whole]}, content_type="application/json").json()
    assert stored["receipts"][0]["status"] == "stored"


def test_values_are_walked_without_recursion():
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    assert "levels deep" in problem_with(deep)
    assert problem_with({"a": ["b", 1, None, True, {"ü": "😀"}]}) == ""
    assert "'a.1'" in problem_with({"a": ["b", "\x00"]})
    assert "A name in the value" in problem_with({"a\x00": 1})
