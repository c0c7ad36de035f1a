"""Making releases over the API: preview, build, stop, documents, access; and where a case comes from."""

import pytest
from rest_framework.test import APIClient

from core.jobs import services as jobs
from core.models import Job
from curation.models import Release
from tests.curation.releases.factories import make_candidate, make_release, make_suite

pytestmark = pytest.mark.django_db
LIST = "/api/v1/releases/"
ONE = "/api/v1/releases/small@1.0.0/"


@pytest.fixture
def api(mira):
    client = APIClient()
    client.force_authenticate(mira)
    return client


@pytest.fixture
def suite(mira):
    return make_suite(by=mira)


def test_a_preview_writes_nothing(api, suite):
    answer = api.get(f"{LIST}preview/", {"suite": "small", "min_agree": 4})
    assert answer.status_code == 200
    assert (answer.json()["included"], answer.json()["excluded"]) == (3, 4)
    assert api.get(f"{LIST}preview/", {"suite": "small", "policy": "mark"}).json()["included"] == 7
    assert not Release.objects.exists()


def test_only_maintainers_preview(api, suite, emil):
    api.force_authenticate(emil)
    assert api.get(f"{LIST}preview/", {"suite": "small"}).status_code == 403
    api.force_authenticate(None)
    assert api.get(f"{LIST}preview/", {"suite": "small"}).status_code in (401, 403)


def test_a_preview_of_nothing_says_what_is_missing(api):
    assert "suite" in str(api.get(f"{LIST}preview/").json())
    assert api.get(f"{LIST}preview/", {"suite": "none"}).status_code == 404


def test_a_candidate_is_built_again(api, suite, mira):
    make_candidate(suite, by=mira)
    answer = api.post(f"{ONE}build/")
    assert answer.status_code == 202
    assert jobs.perform(answer.json()["job"], worker="test").state == "done"
    assert api.get(ONE).json()["state"] == "candidate"


def test_a_build_is_stopped(api, suite, mira):
    make_candidate(suite, by=mira)
    key = api.post(f"{ONE}build/").json()["job"]
    assert api.post(f"{ONE}stop/").status_code == 204
    assert Job.objects.get(key=key).state == "cancelled"
    assert api.post(f"{ONE}stop/").status_code == 409


def test_cases_of_a_draft_are_not_there_yet(api, suite):
    api.post(LIST, {"suite": "small", "version": "1.0.0"}, format="json")
    for address in (f"{ONE}cases/", f"{ONE}exports/"):
        answer = api.get(address)
        assert answer.status_code == 404
        assert "not built yet" in answer.json()["title"]
    assert api.post(f"{ONE}verify/").status_code == 409


def test_documents_are_read_and_written(api, suite, mira):
    make_candidate(suite, by=mira)
    answer = api.patch(f"{ONE}documents/", {"uses": "For tests of models."}, format="json")
    assert answer.status_code == 200
    assert "For tests of models." in answer.json()["datasheet"]
    assert {point["name"] for point in answer.json()["checklist"]} >= {"Validated", "Documented"}
    wrong = api.patch(f"{ONE}documents/", {"prose": {"poem": "x"}}, format="json")
    assert wrong.status_code in (400, 422)
    assert "poem" in wrong.json()["fields"]
    old_names = api.patch(f"{ONE}documents/", {"prose": {"motivation": "To find errors."}}, format="json").json()
    assert old_names["prose"] == {"uses": "For tests of models.", "motivation": "To find errors."}


def test_documents_of_a_published_release_do_not_change(api, suite, mira):
    make_release(suite, by=mira)
    assert api.patch(f"{ONE}documents/", {"prose": {"uses": "x"}}, format="json").status_code == 409
    api.force_authenticate(None)
    assert api.get(f"{ONE}documents/").json()["data_statement"].startswith("# ")


def test_lineage_tells_where_a_case_comes_from(api, suite, mira):
    release = make_release(suite, by=mira)
    case = release.cases.get(text="Everybody is welcome.")
    answer = api.get(f"{ONE}cases/{case.key}/").json()
    assert answer["case"]["test_case"] == "Everybody is welcome."
    assert answer["template_version"] == 1
    assert any(table["rows"] for table in answer["tables"])
    missing = api.get(f"{ONE}cases/nothing/")
    assert (missing.status_code, "has no case" in missing.json()["title"]) == (404, True)


def test_access_is_asked_for_and_granted(api, suite, mira, vic):
    make_release(suite, by=mira, access="request", terms="Do not train on it.")
    api.force_authenticate(vic)
    answer = api.post(f"{ONE}access-requests/", {"reason": "short", "accepts_terms": True}, format="json")
    assert answer.status_code in (400, 422)
    wish = {"reason": "To test our own model.", "accepts_terms": True}
    asked = api.post(f"{ONE}access-requests/", wish, format="json").json()
    assert (asked["state"], asked["terms_accepted"]) == ("asked", "Do not train on it.")
    assert api.post(f"{ONE}access-requests/{asked['number']}/", {"grant": True}, format="json").status_code == 403
    api.force_authenticate(mira)
    assert api.get(f"{ONE}access-requests/").json()["count"] == 1
    assert api.post(f"{ONE}access-requests/{asked['number']}/", {"grant": True}, format="json").status_code == 200
    api.force_authenticate(vic)
    assert api.get(f"{ONE}cases/").status_code == 200


def test_people_see_only_their_own_requests(api, suite, mira, vic, emil):
    make_release(suite, by=mira, access="request")
    api.force_authenticate(vic)
    api.post(f"{ONE}access-requests/", {"reason": "To test our model.", "accepts_terms": True}, format="json")
    api.force_authenticate(emil)
    assert api.get(f"{ONE}access-requests/").json()["count"] == 0
