"""The jobs page and the page of one job."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from core.jobs import services as jobs
from core.jobs.models import JobState
from core.models import Job
from curation.catalogue.loading import load_catalogue
from curation.importing.options import ImportOptions
from curation.importing.uploads import request_import
from curation.models import Suite
from tests.html import one_line

pytestmark = pytest.mark.django_db


def job_of(person, **facts: object) -> Job:
    return Job.objects.create(kind="curation.count", title="Count to ten", requested_by=person, **facts)


def test_jobs_need_a_sign_in(client):
    assert client.get(reverse("core:jobs")).status_code == 302
    assert client.get(reverse("core:job", args=["job-x"])).status_code == 302


def test_people_see_their_own_jobs_and_maintainers_all(client, emil, ana, mira):
    mine, other = job_of(emil), job_of(ana)
    client.force_login(emil)
    assert list(client.get(reverse("core:jobs")).context["page"]) == [mine]
    assert client.get(other.get_absolute_url()).status_code == 404
    assert client.post(reverse("core:job-cancel", args=[other.key])).status_code == 404
    client.force_login(mira)
    assert len(client.get(reverse("core:jobs")).context["page"]) == 2
    assert client.get(other.get_absolute_url()).status_code == 200


def test_jobs_are_filtered_by_state_and_kind(client, mira):
    running = job_of(mira, state=JobState.RUNNING)
    failed = job_of(mira, state=JobState.FAILED, error="ValueError: no\nTraceback")
    client.force_login(mira)

    def found(**query: str) -> list[Job]:
        return list(client.get(reverse("core:jobs"), query).context["page"])

    assert found(state="failed") == [failed]
    assert found(state="unfinished") == [running]
    assert found(kind="curation.build_release") == []
    assert found(kind="curation.count") == [failed, running]


def test_the_list_asks_again_only_while_something_runs(client, mira):
    job = job_of(mira, state=JobState.RUNNING, done=3, total=10, message="3 of 10")
    client.force_login(mira)
    url = reverse("core:jobs")
    live = client.get(url, headers={"hx-request": "true"}).content.decode()
    assert 'hx-trigger="every 2s"' in live
    assert "<html" not in live
    assert 'value="3" max="10"' in live
    Job.objects.filter(pk=job.pk).update(state=JobState.DONE)
    assert "hx-trigger" not in client.get(url, headers={"hx-request": "true"}).content.decode()


def test_the_list_keeps_its_filters_when_it_asks_again(client, mira):
    job_of(mira, state=JobState.RUNNING)
    client.force_login(mira)
    page = client.get(reverse("core:jobs"), {"state": "unfinished"}).content.decode()
    assert 'hx-get="/jobs/?state=unfinished"' in page


def test_the_list_costs_the_same_for_one_or_fifty_jobs(client, mira, emil, django_assert_max_num_queries):
    for person in [mira, emil] * 30:
        job_of(person, state=JobState.DONE, total=5, done=5)
    client.force_login(mira)
    with django_assert_max_num_queries(6):
        response = client.get(reverse("core:jobs"))
    assert len(response.context["page"]) == 50


def test_the_page_of_a_job_is_live_until_it_is_finished(client, mira):
    job = job_of(mira, state=JobState.RUNNING, done=3, total=10, message="3 of 10")
    client.force_login(mira)
    progress = reverse("core:job-progress", args=[job.key])
    assert f'hx-get="{progress}"' in client.get(job.get_absolute_url()).content.decode()
    Job.objects.filter(pk=job.pk).update(state=JobState.DONE, result={"counted_to": 10}, result_url="/releases/")
    part = client.get(progress).content.decode()
    assert "hx-get" not in part
    assert "<dt>Counted to</dt><dd>10</dd>" in part
    assert 'href="/releases/"' in part


def test_a_waiting_job_is_stopped_at_once_and_goes_on_later(client, emil):
    job = job_of(emil)
    client.force_login(emil)
    client.post(reverse("core:job-cancel", args=[job.key]))
    job.refresh_from_db()
    assert job.state == JobState.CANCELLED
    client.post(reverse("core:job-resume", args=[job.key]))
    job.refresh_from_db()
    assert job.state == JobState.QUEUED


def test_a_running_job_is_asked_to_stop(client, emil):
    job = job_of(emil, state=JobState.RUNNING)
    client.force_login(emil)
    client.post(reverse("core:job-cancel", args=[job.key]))
    job.refresh_from_db()
    assert (job.state, job.cancel_requested) == (JobState.RUNNING, True)
    page = client.get(job.get_absolute_url()).content.decode()
    assert "Stopping …" in page
    assert "job-cancel" not in page


def test_a_finished_job_cannot_be_stopped_and_the_page_says_why(client, emil):
    job = job_of(emil, state=JobState.DONE)
    client.force_login(emil)
    response = client.post(reverse("core:job-cancel", args=[job.key]))
    assert response.status_code == 409
    assert "is &#x27;Done&#x27; and cannot become &#x27;Stopped&#x27;" in response.content.decode()


def test_a_failure_shows_its_reason_and_the_traceback_only_to_maintainers(client, emil, mira):
    job = job_of(emil, state=JobState.FAILED, error="ValueError: the file is empty\nTraceback: line 3")
    client.force_login(emil)
    page = client.get(job.get_absolute_url()).content.decode()
    assert "the file is empty" in page
    assert "Traceback" not in page
    client.force_login(mira)
    assert "Traceback" in client.get(job.get_absolute_url()).content.decode()


def test_looking_changes_nothing(client, emil):
    job = job_of(emil)
    client.force_login(emil)
    assert client.get(reverse("core:job-cancel", args=[job.key])).status_code == 405
    assert client.get(reverse("core:job-resume", args=[job.key])).status_code == 405


def test_a_job_that_was_asked_for_on_a_page_runs_to_its_end(client, emil):
    job = jobs.request_job("curation.count", {"to": 3}, title="Count to three", by=emil)
    jobs.perform(job.key, worker="test")
    client.force_login(emil)
    page = client.get(job.get_absolute_url()).content.decode()
    assert "Done" in page
    assert "3 of 3" in page


def test_every_problem_of_a_refused_file_is_shown_with_its_place(client, mira, tmp_path):
    load_catalogue()
    path = tmp_path / "bad.csv"
    rows = ["case_id,functionality,test_case,label_gold", "1,ident_pos_nh,One.,perhaps", "1,ident_pos_nh,,non-hateful"]
    path.write_text("\n".join(rows), encoding="utf-8")
    file = SimpleUploadedFile(path.name, path.read_bytes())
    asked = ImportOptions(file=file, format="csv", suite="bad", dry_run=True)
    job = jobs.perform(request_import(asked, by=mira).key, worker="test")
    assert job.state == JobState.FAILED
    client.force_login(mira)
    page = one_line(client.get(job.get_absolute_url()).content.decode())
    for words in ("3 problems", "bad.csv, row 2", "bad.csv, row 3", "is not known", "the text is empty"):
        assert words in page


def test_what_an_import_did_is_told_in_words(client, mira, tmp_path):
    path = tmp_path / "good.csv"
    path.write_text("functionality,test_case,label_gold\nident_pos_nh,One.,non-hateful\n", encoding="utf-8")
    file = SimpleUploadedFile(path.name, path.read_bytes())
    asked = ImportOptions(file=file, format="csv", suite="good", dry_run=False)
    job = jobs.perform(request_import(asked, by=mira).key, worker="test")
    client.force_login(mira)
    page = client.get(job.get_absolute_url()).content.decode()
    assert "Cases: 1, Suites: 1" in page
    assert "1 of 1 · Imported" in page
    assert "{&#x27;" not in page  # no dictionary as Python prints it


def test_what_was_tried_is_imported_without_handing_it_in_again(client, mira, emil, tmp_path):
    path = tmp_path / "good.csv"
    path.write_text("functionality,test_case,label_gold\nident_pos_nh,One.,non-hateful\n", encoding="utf-8")
    file = SimpleUploadedFile(path.name, path.read_bytes())
    asked = ImportOptions(file=file, format="csv", suite="good", dry_run=True)
    trial = jobs.perform(request_import(asked, by=mira).key, worker="test")
    address = reverse("curation:import-for-real", args=[trial.key])
    client.force_login(emil)
    assert client.post(address).status_code in (403, 404)
    client.force_login(mira)
    assert address in client.get(trial.get_absolute_url()).content.decode()
    assert not Suite.objects.exists()
    client.post(address)
    imported = jobs.perform(Job.objects.exclude(pk=trial.pk).get().key, worker="test")
    assert Suite.objects.get().cases.count() == 1
    assert address not in client.get(imported.get_absolute_url()).content.decode()
    assert client.post(reverse("curation:import-for-real", args=[imported.key])).status_code == 422
