"""Pages of models and results: each works, refuses a stranger, handles a missing thing and says why."""

from __future__ import annotations

import json
from urllib.parse import quote

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from curation.models import Job, ReleaseCase
from curation.services import jobs
from evaluation.models import DetectionModel, EvaluationRun, SharedReport
from evaluation.models.runs import RunState
from tests.evaluation_ground import allow_models, run_model
from tests.release_ground import make_release, make_suite

pytestmark = pytest.mark.django_db


@pytest.fixture
def release(settings, tmp_path, mira):
    settings.VAR = tmp_path
    allow_models(settings)
    return make_release(make_suite(by=mira), cascade="none", by=mira)


@pytest.fixture
def words(release, mira) -> EvaluationRun:
    return run_model(release, "by_word", name="Words", by=mira)


@pytest.fixture
def always(release, mira) -> EvaluationRun:
    return run_model(release, "always_hateful", name="Always", by=mira)


def address(name: str, *arguments: object, **query: str) -> str:
    more = "&".join(f"{key}={quote(value)}" for key, value in query.items())
    return reverse(f"evaluation:{name}", args=arguments) + (f"?{more}" if more else "")


def text_of(response) -> str:
    assert response.status_code == 200, response.content.decode()[-2000:]
    return response.content.decode()


def test_the_picture_shows_models_beside_the_trivial_baselines(client, words, always, mira):
    client.force_login(mira)
    page = text_of(client.get(address("results")))
    for piece in ("Words", "Always", "always hateful", "always non-hateful", "ident_pos_nh", "below-chance", "best"):
        assert piece in page
    assert page.index("Functionalities") < page.index("Target groups") < page.index("Labels")


def test_the_picture_takes_the_same_queries_for_any_number_of_runs(
    client, release, words, mira, django_assert_max_num_queries
):
    client.force_login(mira)
    for number in range(3):
        run_model(release, "always_hateful", name=f"Another {number}", by=mira)
    with django_assert_max_num_queries(12):
        client.get(address("results"))


def test_visitors_see_only_what_is_public(client, words, always):
    DetectionModel.objects.filter(name="Words").update(on_leaderboard=True)
    page = text_of(client.get(address("results")))
    assert "Words" in page
    assert "Always" not in page
    assert client.get(address("run", words.key)).status_code == 200
    assert client.get(address("run", always.key)).status_code == 404
    assert client.get(address("results", release="none@1")).status_code == 404


def test_nothing_yet_says_what_to_do(client, mira):
    client.force_login(mira)
    assert "No model has been evaluated yet" in text_of(client.get(address("results")))
    assert "Register a model" in text_of(client.get(address("models")))


def test_a_finished_run_has_figures_charts_and_downloads(client, always, mira):
    client.force_login(mira)
    page = text_of(client.get(address("run", always.key)))
    for piece in ("Macro F1", "Contrast pairs", "charts/confusion.svg", "/download/latex/", "Target groups"):
        assert piece in page
    chart = client.get(address("run-chart", always.key, "confusion"))
    assert chart["Content-Type"] == "image/svg+xml"
    assert b"<svg" in chart.content
    assert client.get(address("run-chart", always.key, "nothing")).status_code == 404


def test_one_clicks_down_to_the_cases_that_fail(client, always, mira):
    client.force_login(mira)
    page = text_of(client.get(address("run-cases", always.key)))
    case = ReleaseCase.objects.filter(release=always.release, label="non-hateful").first()
    assert reverse("curation:lineage", args=["small", "1.0.0", case.key]) in page
    assert "dislike" not in page
    assert "No case fits" in text_of(client.get(address("run-cases", always.key, functionality="derog_neg_emote_h")))
    immigrants = text_of(client.get(address("run-cases", always.key, show="all", target="immigrants")))
    assert "immigrants" in immigrants
    assert "I dislike women" not in immigrants


def test_a_waiting_run_shows_progress_and_can_be_stopped_and_go_on(client, release, mira):
    from evaluation.services.running import request_run
    from tests.evaluation_ground import registered

    run = request_run(release, registered("by_word", name="Words"), by=mira)
    client.force_login(mira)
    assert "Waits for a free worker" in text_of(client.get(address("run", run.key)))
    client.post(address("run-stop", run.key))
    run.refresh_from_db()
    assert run.state == RunState.CANCELLED
    assert "Go on" in text_of(client.get(address("run", run.key)))
    client.post(address("run-resume", run.key))
    run.refresh_from_db()
    assert run.state == RunState.QUEUED
    jobs.perform(run.job.key, worker="test")
    assert client.get(address("run-progress", run.key))["HX-Refresh"] == "true"
    assert "Macro F1" in text_of(client.get(address("run", run.key)))


def test_a_model_is_registered_by_a_worker_tried_and_run(client, release, mira):
    client.force_login(mira)
    form = {"name": "Words", "spec": "python:tests.evaluation_ground:by_word", "settings": "threshold: 0.5"}
    response = client.post(address("model-new"), {**form, "trained_on": "en"})
    job = Job.objects.get(kind="evaluation.register")
    assert response.url == job.get_absolute_url()
    job = jobs.perform(job.key, worker="test")
    assert job.result == {"model": "words", "version": 1}, job.error
    assert job.result_url == address("model", "words")
    page = text_of(client.get(job.result_url))
    assert "Trained on en" in page
    tried = client.post(address("model-try", "words"), {"texts": "I like rain.\nI dislike rain."})
    job = jobs.perform(Job.objects.get(kind="evaluation.try").key, worker="test")
    assert "A worker asks" in text_of(tried)
    answers = text_of(client.get(address("model-tried", "words", job.key)))
    assert answers.index("I like rain.") < answers.index("non-hateful")
    started = client.post(address("model-run", "words"), {"release": release.pk})
    assert started.url == EvaluationRun.objects.get().get_absolute_url()


def test_a_model_that_cannot_be_loaded_is_not_remembered_and_the_job_says_why(client, release, mira):
    client.force_login(mira)
    client.post(address("model-new"), {"name": "No", "spec": "python:os:getcwd"})
    job = jobs.perform(Job.objects.get().key, worker="test")
    assert "not listed in the settings" in job.error
    assert not DetectionModel.objects.exists()
    refused = client.post(address("model-new"), {"name": "No", "spec": "nonsense"})
    assert refused.status_code == 422
    assert "does not name a model" in refused.content.decode()


@pytest.mark.parametrize("name", ["model-new", "upload"])
def test_only_maintainers_register_and_upload(client, release, emil, name):
    client.force_login(emil)
    assert client.get(address(name)).status_code == 403


def test_an_expert_may_look_but_not_run_or_share(client, words, emil):
    client.force_login(emil)
    assert "Words" in text_of(client.get(address("results")))
    assert client.post(address("model-run", "words"), {"release": words.release.pk}).status_code == 403
    assert client.post(address("share"), {"run": words.key}).status_code == 403


def test_two_models_are_compared_with_what_is_significant(client, words, always, mira):
    client.force_login(mira)
    page = text_of(client.get(address("compare", first=words.key, second=always.key)))
    assert "McNemar" in page
    assert "Smallest difference" in page
    assert "may be chance" in page


def test_two_releases_are_compared_on_one_model(client, release, words, mira):
    second = make_release(release.suite, "1.1.0", cascade="closure", by=mira)
    other = run_model(second, "by_word", name="Words", by=mira)
    client.force_login(mira)
    page = text_of(client.get(address("compare", first=words.key, second=other.key)))
    assert "within 3 points" in page
    assert "Only in small@1.0.0: ident_pos_nh" in page


def test_the_leaderboard_is_opt_in_and_marks_uploads(client, release, words, always, mira):
    page = text_of(client.get(address("leaderboard", "small", "1.0.0")))
    assert "No public results yet" in page
    DetectionModel.objects.update(on_leaderboard=True)
    page = text_of(client.get(address("leaderboard", "small", "1.0.0")))
    assert page.index("Words") < page.index("Always")
    assert "computed here" in page
    assert client.get(address("leaderboard", "small", "9.9.9")).status_code == 404


def upload_of(release, **changes: str) -> SimpleUploadedFile:
    lines = ["case_id,prediction"]
    lines += [f"{key},{changes.get(key, 'hateful')}" for key in release.cases.values_list("key", flat=True)]
    return SimpleUploadedFile("mine.csv", "\n".join(lines).encode())


def test_predictions_are_uploaded_and_wrong_ones_named_with_their_rows(client, release, mira):
    client.force_login(mira)
    form = {"release": release.pk, "model": "Mine", "predictions": upload_of(release)}
    done = client.post(address("upload"), form)
    run = EvaluationRun.objects.get()
    assert done.url == run.get_absolute_url()
    assert run.source == "upload"
    key = release.cases.first().key
    form = {"release": release.pk, "model": "Mine", "predictions": upload_of(release, **{key: "perhaps"})}
    refused = client.post(address("upload"), form)
    assert refused.status_code == 422
    assert "perhaps" in refused.content.decode()


@pytest.mark.parametrize("file_format", ["html", "latex", "csv", "json", "junit"])
def test_results_are_downloaded(client, words, mira, file_format):
    client.force_login(mira)
    response = client.get(address("download", file_format, run=words.key))
    assert response["Content-Disposition"].startswith('attachment; filename="report-small-1.0.0.')
    if file_format == "json":
        assert json.loads(response.content)["models"]["Words"]["overall"]["accuracy"] == 1.0


def test_a_download_of_nothing_is_refused(client, words):
    assert client.get(address("download", "csv", run=words.key)).status_code == 422


def test_a_link_opens_without_an_account_until_it_is_withdrawn(client, words, mira):
    client.force_login(mira)
    link = client.post(address("share"), {"run": words.key}).url
    assert len(SharedReport.objects.get().token) >= 30
    client.logout()
    page = text_of(client.get(link))
    assert "Words" in page
    assert "I like" not in page
    assert client.get(address("download", "csv", link=SharedReport.objects.get().token)).status_code == 200
    client.force_login(mira)
    client.post(link + "withdraw/")
    client.logout()
    assert client.get(link).status_code == 404
