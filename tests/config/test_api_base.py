"""What every endpoint has in common: who may, how refusals look, pages, filters, limits, schema."""

import json

import pytest
from django.test import Client
from django.urls import path
from rest_framework.test import APIClient
from rest_framework.throttling import AnonRateThrottle, UserRateThrottle

from accounts.models import RoleGrant, Scope, User
from accounts.services import tokens
from config.health import readiness
from curation.models import Language

pytestmark = pytest.mark.django_db
PROBLEM = "application/problem+json"


@pytest.fixture
def api() -> APIClient:
    return APIClient()


def bearer(user: User, scope: str = Scope.WRITE) -> APIClient:
    _, secret = tokens.create_token(user, name="test", scope=Scope(scope))
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}")
    return client


def browser_of(user: User) -> APIClient:
    """What a person does who signed in a moment ago: no token gives out secrets or roles."""
    client = APIClient()
    client.force_login(user)
    return client


def assert_problem(response, status: int, code: str) -> dict:
    assert response.status_code == status
    assert response["Content-Type"].startswith(PROBLEM)
    problem = json.loads(response.content)
    assert problem["status"] == status
    assert problem["code"] == code
    assert problem["title"]
    return problem


def test_a_visitor_is_asked_to_sign_in(api):
    response = api.get("/api/v1/me/")
    assert_problem(response, 401, "not_authenticated")
    assert response["WWW-Authenticate"] == "Bearer"


def test_a_wrong_token_is_refused_with_a_way_out(api):
    api.credentials(HTTP_AUTHORIZATION="Bearer tst_nonsense")
    problem = assert_problem(api.get("/api/v1/me/"), 401, "authentication_failed")
    assert "Create a new one" in problem["title"]


def test_a_token_that_only_reads_cannot_change(mira):
    api = bearer(mira, Scope.READ)
    assert api.get("/api/v1/people/").status_code == 200
    problem = assert_problem(api.patch("/api/v1/me/", {"name": "M"}), 403, "permission_denied")
    assert "scope 'write'" in problem["title"]


def test_the_wrong_role_is_refused_by_the_service_with_its_sentence(ana):
    problem = assert_problem(bearer(ana).get("/api/v1/people/"), 403, "not_allowed")
    assert "Only maintainers" in problem["title"]


def test_wrong_fields_are_named(mira):
    problem = assert_problem(
        browser_of(mira).post("/api/v1/invitations/", {"role": "king", "email": ["a"]}), 400, "invalid"
    )
    assert set(problem["fields"]) == {"role", "email"}


def test_text_that_is_no_json_is_said_to_be_none(mira):
    response = browser_of(mira).post("/api/v1/invitations/", "{not json", content_type="application/json")
    assert_problem(response, 400, "parse_error")


@pytest.mark.parametrize("url", ["/api/v1/people/999999/", "/api/v1/jobs/job-none/", "/api/v1/nothing-here/"])
def test_what_is_not_there_is_a_404(mira, url):
    assert_problem(bearer(mira).get(url), 404, "not_found")


def test_a_method_that_does_not_exist_is_refused(mira):
    assert_problem(bearer(mira).delete("/api/v1/me/"), 405, "method_not_allowed")


def test_a_step_that_the_state_does_not_allow_is_a_conflict(mira):
    from core.models import Job

    job = Job.objects.create(kind="curation.count", title="Count", requested_by=mira, state="done")
    problem = assert_problem(bearer(mira).post(f"/api/v1/jobs/{job.key}/cancel/"), 409, "wrong_state")
    assert problem["fields"] == {"now": "done", "wanted": "cancelled"}


def test_too_many_requests_are_told_when_to_come_back(api, mira, monkeypatch):
    monkeypatch.setattr(UserRateThrottle, "THROTTLE_RATES", {"user": "2/min", "anon": "1/min"})
    client = bearer(mira)
    assert [client.get("/api/v1/me/").status_code for _ in range(2)] == [200, 200]
    response = client.get("/api/v1/me/")
    assert_problem(response, 429, "throttled")
    assert 0 < int(response["Retry-After"]) <= 60


def test_visitors_have_a_limit_of_their_own_that_a_forged_address_does_not_lift(api, monkeypatch):
    monkeypatch.setattr(AnonRateThrottle, "THROTTLE_RATES", {"user": "9/min", "anon": "1/min"})
    # Public reading counts; the documentation's schema is the endpoint that is always there.
    assert api.get("/api/schema/", HTTP_X_FORWARDED_FOR="1.1.1.1").status_code == 200
    assert_problem(api.get("/api/schema/", HTTP_X_FORWARDED_FOR="2.2.2.2"), 429, "throttled")


def test_a_session_needs_the_csrf_token_and_a_bearer_does_not(mira):
    browser = APIClient(enforce_csrf_checks=True)
    browser.force_login(mira)
    assert browser.get("/api/v1/me/").status_code == 200
    assert_problem(browser.patch("/api/v1/me/", {"name": "M"}), 403, "permission_denied")
    assert bearer(mira).patch("/api/v1/me/", {"name": "M"}).status_code == 200


def test_lists_come_in_pages_of_a_hundred_and_at_most_a_thousand(mira):
    User.objects.bulk_create(User(email=f"p{i}@example.org") for i in range(120))
    api = bearer(mira)
    first = api.get("/api/v1/people/").json()
    assert (first["count"], len(first["results"]), first["previous"]) == (121, 100, None)
    assert len(api.get(first["next"]).json()["results"]) == 21
    assert len(api.get("/api/v1/people/", {"page_size": 5000}).json()["results"]) == 121
    assert_problem(api.get("/api/v1/people/", {"page": 99}), 404, "not_found")


def test_lists_are_filtered_and_a_wrong_filter_is_named(mira, ana, emil):
    api = bearer(mira)
    assert [person["name"] for person in api.get("/api/v1/people/", {"role": "expert"}).json()["results"]] == ["Emil"]
    assert [person["name"] for person in api.get("/api/v1/people/", {"q": "an"}).json()["results"]] == ["Ana"]
    assert "role" in assert_problem(api.get("/api/v1/people/", {"role": "king"}), 400, "invalid")["fields"]


def test_the_list_of_people_costs_the_same_for_one_or_fifty(mira, django_assert_max_num_queries):
    User.objects.bulk_create(User(email=f"p{i}@example.org") for i in range(50))
    RoleGrant.objects.bulk_create(RoleGrant(user=user, role="annotator", language="de") for user in User.objects.all())
    api = bearer(mira)
    with django_assert_max_num_queries(7):
        api.get("/api/v1/people/")


def test_oneself(emil):
    api = bearer(emil)
    me = api.get("/api/v1/me/").json()
    assert (me["email"], me["roles"]) == ("emil@example.org", [{"role": "expert", "language": "de"}])
    refused = api.patch("/api/v1/me/", {"name": "Emil K.", "email": "other@example.org", "is_administrator": True})
    assert set(refused.json()["fields"]) == {"email", "is_administrator"}
    changed = api.patch("/api/v1/me/", {"name": "Emil K."}).json()
    assert (changed["name"], changed["email"], changed["is_administrator"]) == ("Emil K.", "emil@example.org", False)


def test_a_maintainer_gives_and_takes_roles(mira, vic):
    Language.objects.create(code="de", bcp47="de", name="German")
    api = browser_of(mira)
    given = api.post(f"/api/v1/people/{vic.pk}/grant/", {"role": "annotator", "language": "de"})
    assert given.json()["roles"] == [{"role": "annotator", "language": "de"}]
    assert_problem(api.post(f"/api/v1/people/{vic.pk}/take/", {"role": "expert", "language": "de"}), 404, "not_found")
    assert api.post(f"/api/v1/people/{vic.pk}/take/", {"role": "annotator", "language": "de"}).json()["roles"] == []


def test_an_annotator_gives_no_roles(ana, vic):
    assert_problem(bearer(ana).post(f"/api/v1/people/{vic.pk}/grant/", {"role": "expert"}), 403, "not_allowed")


def test_an_invitation_has_its_link_once_and_can_be_withdrawn(client, mira):
    api = browser_of(mira)
    made = api.post("/api/v1/invitations/", {"role": "annotator", "email": "new@example.org"})
    assert made.status_code == 201
    link = made.json()["link"]
    assert client.get(link).status_code == 200
    number = made.json()["id"]
    assert "link" not in api.get(f"/api/v1/invitations/{number}/").json()
    assert api.post(f"/api/v1/invitations/{number}/withdraw/").json()["state"] == "withdrawn"
    assert client.get(link).status_code == 410


def test_invitations_are_for_maintainers(ana):
    assert_problem(bearer(ana).get("/api/v1/invitations/"), 403, "not_allowed")
    assert_problem(bearer(ana).post("/api/v1/invitations/", {"role": "annotator"}), 403, "not_allowed")


# --- around the API -------------------------------------------------------------------------------------------------
def test_the_documentation_keeps_the_content_security_policy(client):
    page = client.get("/api/docs/")
    assert page.status_code == 200
    html = page.content.decode()
    assert "script-src" not in page["Content-Security-Policy"]  # so default-src 'self' holds: nothing inline
    assert "<style" not in html
    assert all("src=" in part.split(">")[0] for part in html.split("<script")[1:])
    script = client.get("/api/docs/", {"script": ""})
    assert script["Content-Type"].startswith("application/javascript")
    assert "/api/schema/" in script.content.decode()


def test_the_process_says_that_it_lives_and_that_it_can_serve(client):
    assert client.get("/healthz").content == b"ok\n"
    ready = client.get("/readyz")
    assert (ready.status_code, ready.json()) == (
        200,
        {"ready": True, "checks": {"database": "ok", "broker": "ok", "guards": "ok", "disk": "ok"}},
    )
    assert client.post("/healthz").status_code == 405


def test_readiness_names_what_does_not_answer(client, monkeypatch):
    monkeypatch.setattr("config.health.broker_problem", lambda: "the broker does not answer: no route")
    response = client.get("/readyz")
    assert response.status_code == 503
    assert response.json() == {
        "ready": False,
        "checks": {"database": "ok", "broker": "the broker does not answer: no route", "guards": "ok", "disk": "ok"},
    }


def test_a_broker_and_a_database_that_are_away_are_noticed(monkeypatch):
    from celery import current_app
    from django.db import OperationalError, connection
    from kombu.connection import Connection

    nowhere = Connection("redis://127.0.0.1:1/0", connect_timeout=1)
    monkeypatch.setattr(current_app, "connection_for_write", lambda *_, **__: nowhere)

    def away(*args: object) -> None:
        raise OperationalError("gone")

    monkeypatch.setattr(connection, "cursor", away)
    checks = readiness()
    assert "the broker does not answer" in str(checks["broker"])
    assert checks["database"] == "the database does not answer: gone"
    assert "cannot be read" in str(checks["guards"])


@pytest.mark.parametrize(
    ("given", "kept"), [("from-the-proxy-1", True), ("short", False), ("x" * 80, False), ("a\tb-cdefgh", False)]
)
def test_a_request_keeps_the_proxys_id_only_if_it_is_well_formed(client, given, kept):
    answered = client.get("/healthz", headers={"X-Request-ID": given})["X-Request-ID"]
    assert (answered == given) is kept
    assert len(answered) >= 8


def broken(request):
    raise RuntimeError("broken")


urlpatterns = [path("api/v1/broken/", broken), path("broken/", broken)]
handler500 = "config.views.server_error"


@pytest.mark.urls(__name__)
def test_a_crash_is_a_problem_for_programs(client):
    client.raise_request_exception = False
    assert_problem(client.get("/api/v1/broken/"), 500, "server_error")


def test_a_session_whose_page_has_expired_is_told_what_to_do(ana):
    client = Client(enforce_csrf_checks=True)
    client.force_login(ana)
    problem = assert_problem(client.post("/api/v1/inbox/read-all/"), 403, "permission_denied")
    assert problem["title"] == "This page has expired, or another person signed in on this browser. Sign in again."
