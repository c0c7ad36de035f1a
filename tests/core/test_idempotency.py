"""A request with an idempotency key is carried out once."""

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.models import ApiToken, Scope
from accounts.services import tokens
from core.idempotency.models import KEPT_FOR, LONGEST_REQUEST, KeyedRequest
from curation.models import Suite

pytestmark = pytest.mark.django_db
SUITES = "/api/v1/suites/"


def client_of(user, key: str = "") -> APIClient:
    _token, secret = tokens.create_token(user, name="test", scope=Scope.WRITE)
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}", **({"HTTP_IDEMPOTENCY_KEY": key} if key else {}))
    return client


def suite(key: str = "one") -> dict:
    return {"key": key, "name": "One", "languages": ["de"]}


@pytest.fixture(autouse=True)
def german(db):
    from curation.models import Language

    Language.objects.get_or_create(code="de", defaults={"name": "German"})


def test_a_repeated_request_gets_the_first_answer_and_makes_nothing(mira):
    client = client_of(mira, "abc")
    first, again = client.post(SUITES, suite()), client.post(SUITES, suite())
    assert (first.status_code, again.status_code) == (201, 201), first.content
    assert again.content == first.content
    assert (first.get("Idempotent-Replayed"), again.get("Idempotent-Replayed")) == (None, "true")
    assert Suite.objects.filter(key="one").count() == 1


def test_without_a_key_every_request_is_carried_out(mira):
    client = client_of(mira)
    assert [client.post(SUITES, suite()).status_code for _ in range(2)] == [201, 422]
    assert not KeyedRequest.objects.exists()


def test_a_key_of_another_request_is_refused(mira):
    client = client_of(mira, "abc")
    client.post(SUITES, suite())
    refused = client.post(SUITES, suite("two"))
    assert refused.status_code == 422
    assert refused.json()["code"] == "idempotency_key_reused"
    assert not Suite.objects.filter(key="two").exists()


def test_a_refused_request_can_be_corrected_under_its_key(mira):
    client = client_of(mira, "abc")
    assert client.post(SUITES, suite() | {"languages": ["xx"]}).status_code >= 400
    assert client.post(SUITES, suite()).status_code == 201


def test_keys_of_two_people_and_of_two_tokens_have_nothing_to_do_with_each_other(mira, emil):
    client_of(mira, "abc").post(SUITES, suite())
    other_token = client_of(mira, "abc").post(SUITES, suite())
    assert other_token.json()["code"] not in ("request_in_progress", "idempotency_key_reused")
    assert other_token.get("Idempotent-Replayed") is None
    assert client_of(emil, "abc").post(SUITES, suite()).get("Idempotent-Replayed") is None


@pytest.mark.parametrize("key", ["", "a b", "x" * 201, "gr\u00fcn"])
def test_a_key_that_is_none_is_refused(mira, key):
    refused = client_of(mira).post(SUITES, suite(), HTTP_IDEMPOTENCY_KEY=key)
    assert refused.status_code in (400, 422)
    assert "printable ASCII" in refused.json()["title"]


def test_while_a_request_is_carried_out_its_repetition_waits(mira):
    client = client_of(mira, "abc")
    client.post(SUITES, suite())
    KeyedRequest.objects.update(status=None)
    refused = client.post(SUITES, suite())
    assert (refused.status_code, refused.json()["code"]) == (409, "request_in_progress")


def test_the_key_of_a_process_that_died_can_be_used_again(mira):
    client = client_of(mira, "abc")
    client.post(SUITES, suite())
    Suite.objects.all().delete()  # as if nothing had been committed
    KeyedRequest.objects.update(status=None, started_at=timezone.now() - LONGEST_REQUEST - timedelta(seconds=1))
    assert client.post(SUITES, suite()).status_code == 201


def test_a_request_that_fails_changes_nothing_and_keeps_nothing(mira, monkeypatch):
    from curation.catalogue import api

    def break_down(*_arguments, **_options):
        Suite.objects.create(key="half", name="Half")
        raise RuntimeError("power cut")

    monkeypatch.setattr(api.SuiteViewSet, "create", break_down)
    client = client_of(mira, "abc")
    client.raise_request_exception = False
    assert client.post(SUITES, suite()).status_code == 500
    assert not Suite.objects.filter(key="half").exists()
    assert not KeyedRequest.objects.exists()


def test_answers_are_forgotten_after_a_day(mira):
    client = client_of(mira, "abc")
    client.post(SUITES, suite())
    KeyedRequest.objects.update(started_at=timezone.now() - KEPT_FOR - timedelta(seconds=1))
    assert client.post(SUITES, suite()).status_code == 422  # carried out again: the suite is there
    assert not KeyedRequest.objects.exists()


def test_an_answer_with_a_secret_is_not_stored(mira):
    browser = APIClient()
    browser.force_login(mira)
    made = browser.post("/api/v1/tokens/", {"name": "ci", "scope": "read"}, HTTP_IDEMPOTENCY_KEY="abc")
    assert made.status_code == 201
    secret = made.json()["token"]
    assert KeyedRequest.objects.get().body is None
    again = browser.post("/api/v1/tokens/", {"name": "ci", "scope": "read"}, HTTP_IDEMPOTENCY_KEY="abc")
    assert (again.status_code, again.json()["code"]) == (409, "already_carried_out")
    assert secret not in again.content.decode()
    assert ApiToken.objects.filter(user=mira, name="ci").count() == 1


def test_strangers_are_asked_to_sign_in_and_leave_no_row():
    assert APIClient().post(SUITES, suite(), HTTP_IDEMPOTENCY_KEY="abc").status_code == 401
    assert not KeyedRequest.objects.exists()


def test_an_upload_is_carried_out_once(mira):
    client = client_of(mira, "abc")

    def upload():
        rows = b"case_id,functionality,test_case,label_gold\n1,slur_h,You f*g,hateful\n"
        file = SimpleUploadedFile("cases.csv", rows)
        return client.post(f"{SUITES}import/", {"file": file, "suite": "up", "format": "csv"}, format="multipart")

    first, again = upload(), upload()
    assert first.status_code == 202, first.content
    assert json.loads(first.content) == json.loads(again.content)


@pytest.mark.django_db(transaction=True)
def test_of_requests_at_the_same_time_one_is_carried_out(mira):
    if connection.vendor != "postgresql":
        pytest.skip("SQLite's database in memory has one connection for all threads")
    _token, secret = tokens.create_token(mira, name="test", scope=Scope.WRITE)

    def send(_number: int) -> int:
        client = APIClient()
        client.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}", HTTP_IDEMPOTENCY_KEY="abc")
        try:
            return client.post(SUITES, suite()).status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(send, range(8)))
    assert set(answers) <= {201, 409}
    assert 201 in answers
    assert Suite.objects.filter(key="one").count() == 1
