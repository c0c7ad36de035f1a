"""API tokens by API: shown once, scoped, expiring, revocable, one's own."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.models import ApiToken, Scope, User
from accounts.services import tokens

pytestmark = pytest.mark.django_db


def bearer(secret: str) -> APIClient:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}")
    return client


def api_of(user: User, scope: Scope = Scope.WRITE) -> APIClient:
    return bearer(tokens.create_token(user, name="test", scope=scope)[1])


def browser_of(user: User) -> APIClient:
    client = APIClient()
    client.force_login(user)
    return client


def test_a_token_makes_no_tokens_whatever_it_may_else(ana):
    refused = api_of(ana).post("/api/v1/tokens/", {"name": "child", "scope": "write"})
    assert (refused.status_code, refused.json()["code"]) == (403, "not_allowed")
    assert ApiToken.objects.count() == 1


def test_a_session_that_was_not_confirmed_lately_makes_no_token(ana):
    api = browser_of(ana)
    with time_machine.travel(timezone.now() + timedelta(minutes=16)):
        refused = api.post("/api/v1/tokens/", {"name": "late", "scope": "read"})
    assert (refused.status_code, refused.json()["code"]) == (403, "confirmation_needed")
    assert not ApiToken.objects.exists()


def test_a_token_expires_after_ninety_days_and_never_later_than_a_year(ana):
    made = browser_of(ana).post("/api/v1/tokens/", {"name": "plain", "scope": "read"}).json()
    assert made["expires_at"][:10] == (timezone.now() + timedelta(days=90)).date().isoformat()
    late = browser_of(ana).post("/api/v1/tokens/", {"name": "late", "scope": "read", "days": 400})
    assert (late.status_code, list(late.json()["fields"])) == (400, ["days"])


def test_a_token_is_shown_once(ana):
    api = browser_of(ana)
    made = api.post("/api/v1/tokens/", {"name": "nightly", "scope": "read"})
    assert made.status_code == 201
    secret = made.json()["token"]
    assert bearer(secret).get("/api/v1/me/").json()["email"] == "ana@example.org"
    listed = api.get("/api/v1/tokens/").json()["results"]
    assert len(listed) == 1
    assert all("token" not in token and "digest" not in token for token in listed)


def test_a_reading_token_makes_no_tokens(ana):
    response = api_of(ana, Scope.READ).post("/api/v1/tokens/", {"name": "more", "scope": "write"})
    assert response.status_code == 403
    assert ApiToken.objects.count() == 1


def test_a_revoked_token_is_refused_at_once(ana):
    api = api_of(ana)
    number = ApiToken.objects.get().pk
    assert api.post(f"/api/v1/tokens/{number}/revoke/").json()["state"] == "revoked"
    assert api.get("/api/v1/me/").status_code == 401


def test_an_expired_token_is_refused(ana):
    _, secret = tokens.create_token(ana, name="old", scope=Scope.READ, days=-1)
    assert bearer(secret).get("/api/v1/me/").status_code == 401


def test_the_token_of_somebody_who_may_not_sign_in_is_refused(ana):
    api = api_of(ana)
    User.objects.filter(pk=ana.pk).update(is_active=False)
    assert api.get("/api/v1/me/").status_code == 401


def test_tokens_of_others_are_not_there(ana, emil):
    theirs, _ = tokens.create_token(emil, name="theirs", scope=Scope.READ)
    api = api_of(ana)
    assert [token["name"] for token in api.get("/api/v1/tokens/").json()["results"]] == ["test"]
    assert api.get(f"/api/v1/tokens/{theirs.pk}/").status_code == 404
    assert api.post(f"/api/v1/tokens/{theirs.pk}/revoke/").status_code == 404


def test_a_token_needs_a_name_and_a_known_scope(ana):
    response = browser_of(ana).post("/api/v1/tokens/", {"name": "", "scope": "everything"})
    assert response.status_code == 400
    assert set(response.json()["fields"]) == {"name", "scope"}


def test_the_last_use_is_noted_but_not_at_every_request(ana, django_assert_num_queries):
    api = api_of(ana)
    api.get("/api/v1/me/")
    noted = ApiToken.objects.get().last_used_at
    assert noted is not None
    with django_assert_num_queries(2):  # the token with its person, and the roles
        api.get("/api/v1/me/")
    assert ApiToken.objects.get().last_used_at == noted


@pytest.mark.parametrize("scheme", ["Token", "Basic", "ApiKey"])
def test_another_scheme_than_bearer_is_refused_with_the_right_one(ana, scheme):
    secret = tokens.create_token(ana, name="test", scope=Scope.READ)[1]
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"{scheme} {secret}")
    refused = client.get("/api/v1/releases/")
    assert refused.status_code == 401
    assert f"'{scheme}' is not understood here. Write: Authorization: Bearer TOKEN" in refused.json()["title"]


def test_a_password_of_a_proxy_does_not_disturb_a_session(ana):
    api = browser_of(ana)
    api.credentials(HTTP_AUTHORIZATION="Basic dXNlcjpwYXNz")
    assert api.get("/api/v1/me/").json()["email"] == "ana@example.org"
