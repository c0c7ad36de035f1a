"""Jobs for programs."""

import pytest
from rest_framework.test import APIClient

from core.jobs import services as jobs
from core.jobs.models import JobState
from core.models import Job

pytestmark = pytest.mark.django_db


def api_of(user) -> APIClient:
    client = APIClient()
    client.force_authenticate(user)
    return client


def job_of(person, **facts: object) -> Job:
    return Job.objects.create(kind="curation.count", title="Count", requested_by=person, payload={"to": 3}, **facts)


def test_jobs_are_not_public():
    assert APIClient().get("/api/v1/jobs/").status_code == 401


def test_people_see_their_own_jobs_and_maintainers_all(emil, ana, mira):
    mine, other = job_of(emil), job_of(ana)
    listed = api_of(emil).get("/api/v1/jobs/").json()["results"]
    assert [job["key"] for job in listed] == [mine.key]
    assert api_of(emil).get(f"/api/v1/jobs/{other.key}/").status_code == 404
    assert api_of(emil).post(f"/api/v1/jobs/{other.key}/cancel/").status_code == 404
    assert api_of(mira).get("/api/v1/jobs/").json()["count"] == 2


def test_a_job_tells_how_far_it_is_without_inner_matters(emil):
    job = job_of(emil, state=JobState.RUNNING, done=1, total=4, message="1 of 4")
    told = api_of(emil).get(f"/api/v1/jobs/{job.key}/").json()
    assert (told["state"], told["done"], told["total"], told["share_done"]) == ("running", 1, 4, 0.25)
    assert not {"payload", "checkpoint", "worker", "lease_until"} & set(told)


def test_the_share_of_an_unknown_total_is_null(emil):
    assert api_of(emil).get(f"/api/v1/jobs/{job_of(emil).key}/").json()["share_done"] is None


def test_jobs_are_filtered(emil):
    job_of(emil)
    failed = job_of(emil, state=JobState.FAILED)
    api = api_of(emil)
    assert [job["key"] for job in api.get("/api/v1/jobs/", {"state": "failed"}).json()["results"]] == [failed.key]
    assert api.get("/api/v1/jobs/", {"kind": "curation.build_release"}).json()["count"] == 0
    assert api.get("/api/v1/jobs/", {"state": "lost"}).status_code == 400


def test_a_job_is_stopped_and_goes_on(emil):
    job = job_of(emil)
    api = api_of(emil)
    assert api.post(f"/api/v1/jobs/{job.key}/cancel/").json()["state"] == "cancelled"
    assert api.post(f"/api/v1/jobs/{job.key}/cancel/").status_code == 409
    assert api.post(f"/api/v1/jobs/{job.key}/resume/").json()["state"] == "queued"
    assert api.post(f"/api/v1/jobs/{job.key}/resume/").status_code == 409
    jobs.perform(job.key, worker="test")
    ended = api.get(f"/api/v1/jobs/{job.key}/").json()
    assert (ended["state"], ended["result"], ended["is_finished"]) == ("done", {"counted_to": 3}, True)


def test_the_list_costs_the_same_for_one_or_fifty(emil, django_assert_max_num_queries):
    for _ in range(50):
        job_of(emil)
    with django_assert_max_num_queries(4):
        api_of(emil).get("/api/v1/jobs/")
