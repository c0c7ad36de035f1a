"""Releases over the API, as scripts and the Python client use it."""

import io
import zipfile

import pytest
from rest_framework.test import APIClient

from core.jobs import services as jobs
from core.models import Job
from curation.models import Release
from curation.releases.downloads import export_path
from curation.releases.services import record_doi
from tests.curation.releases.factories import make_candidate, make_release, make_suite

pytestmark = pytest.mark.django_db
LIST = "/api/v1/releases/"
ONE = "/api/v1/releases/small@1.0.0/"


@pytest.fixture
def api():
    return APIClient()


@pytest.fixture
def suite(mira):
    return make_suite(by=mira)


@pytest.fixture
def published(suite, mira, tmp_path, settings):
    settings.VAR = tmp_path
    return make_release(suite, by=mira)


def test_everybody_lists_what_is_published(api, published, suite, mira):
    make_candidate(suite, "1.1.0", by=mira)
    answer = api.get(LIST).json()
    assert [(r["key"], r["suite"], r["version"], r["cases"]) for r in answer["results"]] == [
        ("small@1.0.0", "small", "1.0.0", 3)
    ]
    api.force_login(mira)
    assert api.get(LIST, {"state": "candidate"}).json()["results"][0]["version"] == "1.1.0"


def test_one_release_says_what_it_holds(api, published):
    answer = api.get(ONE).json()
    assert answer["sha256"] == published.sha256
    assert answer["excluded_by_reason"] == {"reference": 2, "disagreement": 1, "template": 1}
    assert answer["statistics"]["by_label"] == {"hateful": 2, "non-hateful": 1}
    assert api.get("/api/v1/releases/small@9.9/").status_code == 404


def test_cases_come_page_by_page_with_the_columns_of_the_export(api, published):
    answer = api.get(f"{ONE}cases/", {"page_size": 2}).json()
    assert (answer["count"], len(answer["results"])) == (3, 2)
    assert api.get(answer["next"]).json()["next"] is None
    assert {"case_id", "test_case", "label_gold", "functionality", "target_ident", "sha256"} <= set(
        answer["results"][0]
    )
    assert api.get(f"{ONE}cases/", {"label": "hateful"}).json()["count"] == 2


def test_cases_of_a_release_on_request_are_refused_with_the_way_to_them(api, suite, mira, vic):
    make_release(suite, by=mira, access="request")
    api.force_login(vic)
    for address in (f"{ONE}cases/", f"{ONE}exports/", f"{ONE}exports/csv/"):
        answer = api.get(address)
        assert answer.status_code == 403
        assert "You need access" in answer.json()["title"]


def test_a_private_release_does_not_exist_for_strangers(api, suite, mira, vic):
    make_release(suite, by=mira, access="private")
    api.force_login(vic)
    assert api.get(ONE).status_code == 404


def test_freezing_and_publishing(api, suite, mira):
    api.force_login(mira)
    answer = api.post(LIST, {"suite": "small", "version": "1.0.0", "min_agree": 4})
    assert answer.status_code == 201
    jobs.perform(answer.json()["job"], worker="test")
    assert api.get(ONE).json()["state"] == "candidate"
    refused = api.post(f"{ONE}publish/", {"notes": "First."})
    assert (refused.status_code, refused.json()["fields"]["field"]) == (422, "reason")
    published = api.post(f"{ONE}publish/", {"notes": "First.", "reason": "A paper waits."}).json()
    assert published["state"] == "published"
    assert published["published_despite"] == {"open": ["Documented", "Credited"], "reason": "A paper waits."}
    again = api.post(f"{ONE}publish/", {})
    assert (again.status_code, again.json()["code"]) == (409, "wrong_state")


def test_freezing_says_what_is_wrong(api, published, mira):
    api.force_login(mira)
    assert "exists already" in api.post(LIST, {"suite": "small", "version": "1.0.0"}).json()["title"]
    assert api.post(LIST, {"suite": "nothing", "version": "1.0.0"}).status_code == 404
    assert api.post(LIST, {"suite": "small", "version": "2.0.0", "policy": "guess"}).status_code == 400


@pytest.mark.parametrize("step", ["publish", "withdraw"])
def test_strangers_and_experts_cannot_change_releases(api, published, emil, step):
    assert api.post(f"{ONE}{step}/", {"reason": "Because."}).status_code in (401, 403)
    api.force_login(emil)
    assert api.post(f"{ONE}{step}/", {"reason": "Because."}).status_code == 403
    assert api.post(LIST, {"suite": "small", "version": "2.0.0"}).status_code == 403
    assert api.delete(ONE).status_code == 403


def test_a_candidate_can_be_deleted_a_published_release_cannot(api, published, suite, mira):
    make_candidate(suite, "1.1.0", by=mira)
    api.force_login(mira)
    assert api.delete("/api/v1/releases/small@1.1.0/").status_code == 204
    assert api.delete(ONE).status_code == 409
    assert Release.objects.count() == 1


def test_withdrawing_needs_a_reason_and_shows_it(api, published, mira):
    api.force_login(mira)
    assert api.post(f"{ONE}withdraw/", {}).status_code == 400
    assert api.post(f"{ONE}withdraw/", {"reason": "A mistake."}).json()["withdrawn"] == "A mistake."


def test_a_doi_is_recorded_after_publishing(api, published, mira, emil):
    assert api.get(ONE).json()["doi"] == ""
    api.force_login(emil)
    assert api.post(f"{ONE}doi/", {"doi": "10.5281/zenodo.1"}).status_code == 403
    api.force_login(mira)
    assert "is not a DOI" in api.post(f"{ONE}doi/", {"doi": "zenodo"}).json()["title"]
    assert api.post(f"{ONE}doi/", {"doi": "10.5281/zenodo.1"}).json()["doi"] == "10.5281/zenodo.1"
    assert api.get(LIST).json()["results"][0]["doi"] == "10.5281/zenodo.1"


def test_verifying_is_for_people_who_are_signed_in(api, published, vic):
    assert api.post(f"{ONE}verify/").status_code in (401, 403)
    api.force_login(vic)
    answer = api.post(f"{ONE}verify/").json()
    assert (answer["intact"], answer["cases"], answer["sha256"]) == (True, 3, published.sha256)


def test_exports_are_listed_written_and_downloaded(api, published, mira, monkeypatch):
    monkeypatch.setattr("curation.releases.downloads.MADE_AT_ONCE", 2)
    api.force_login(mira)
    assert api.get(f"{ONE}exports/csv/").status_code == 404
    answer = api.post(f"{ONE}exports/", {"format": "csv"})
    assert answer.status_code == 202
    assert api.post(f"{ONE}exports/", {"format": "csv"}).json()["job"] == answer.json()["job"]
    jobs.perform(Job.objects.get(kind="curation.export_release").key, worker="test")
    listed = {export["format"]: export for export in api.get(f"{ONE}exports/").json()}
    assert listed["csv"]["is_ready"]
    assert not listed["mhc"]["is_ready"]
    archive = api.get(listed["csv"]["url"])
    names = zipfile.ZipFile(io.BytesIO(b"".join(archive.streaming_content))).namelist()
    assert "small-1.0.0/manifest.json" in names
    assert published.downloads.count() == 1
    assert api.post(f"{ONE}exports/", {"format": "excel"}).status_code == 400


def test_changes_between_two_versions(api, published, suite, mira):
    make_release(suite, "1.1.0", by=mira, min_agree=2)
    answer = api.get("/api/v1/releases/small@1.1.0/changes/", {"since": "1.0.0"}).json()
    assert (len(answer["added"]), answer["removed"], answer["unchanged"]) == (4, [], 3)
    assert "Excluded before" in next(iter(answer["reasons"].values()))


@pytest.mark.parametrize("address", [LIST, ONE, f"{ONE}cases/", f"{ONE}documents/", f"{ONE}exports/csv/"])
def test_what_has_not_changed_is_not_sent_again(api, published, address):
    first = api.get(address)
    assert first.status_code == 200
    assert first["ETag"]
    again = api.get(address, HTTP_IF_NONE_MATCH=first["ETag"])
    assert (again.status_code, b"".join(again)) == (304, b"")
    assert api.get(address, HTTP_IF_NONE_MATCH='"another"').status_code == 200


def test_a_file_that_is_not_sent_again_is_not_a_download(api, published):
    tag = api.get(f"{ONE}exports/csv/")["ETag"]
    api.get(f"{ONE}exports/csv/", HTTP_IF_NONE_MATCH=tag)
    assert published.downloads.count() == 1


def test_what_has_changed_has_another_tag(api, published, mira):
    before = api.get(ONE)["ETag"]
    record_doi(published, "10.5281/zenodo.1", by=mira)
    assert api.get(ONE, HTTP_IF_NONE_MATCH=before).status_code == 200


def test_the_tag_of_a_restricted_file_opens_nothing(api, suite, mira, tmp_path, settings):
    settings.VAR = tmp_path
    restricted = make_release(suite, by=mira, access="request")
    tag = f'"{export_path(restricted, "csv").stem}"'
    assert api.get(f"{ONE}exports/csv/", HTTP_IF_NONE_MATCH=tag).status_code in (401, 403)
