"""Documents, charts and links of results for programs."""

import pytest
from rest_framework.test import APIClient

from core.jobs import services as jobs
from evaluation.models import DetectionModel, SharedReport
from tests.curation.releases.factories import make_release, make_suite
from tests.evaluation.factories import allow_models, registered, run_model
from tests.evaluation.results.test_evaluation_api import api_of

pytestmark = pytest.mark.django_db
DOCUMENTS, LINKS = "/api/v1/results/documents", "/api/v1/shared-results/"


@pytest.fixture
def release(settings, tmp_path, mira):
    settings.VAR = tmp_path
    allow_models(settings)
    return make_release(make_suite(by=mira), cascade="none", by=mira)


@pytest.fixture
def words(release, mira):
    return run_model(release, "by_word", name="Words", by=mira)


@pytest.mark.parametrize(
    ("file_format", "kind"),
    [("html", "text/html"), ("pdf", "application/pdf"), ("latex", "application/x-tex"), ("csv", "text/csv"),
     ("json", "application/json"), ("junit", "application/xml")],
)  # fmt: skip
def test_a_document_is_made_in_every_format(release, words, mira, file_format, kind):
    found = api_of(mira).get(f"{DOCUMENTS}/{file_format}/", {"release": release.key})
    assert found.status_code == 200
    assert found["Content-Type"].startswith(kind)
    assert found["Content-Disposition"].startswith('attachment; filename="report-small-1.0.0.')


def test_a_document_is_about_the_models_or_runs_that_were_asked_for(release, words, mira):
    always = run_model(release, "always_hateful", name="Always", by=mira)
    api = api_of(mira)
    assert "Always" in api.get(f"{DOCUMENTS}/csv/", {"release": release.key}).content.decode()
    assert "Always" not in api.get(f"{DOCUMENTS}/csv/", {"release": release.key, "model": "Words"}).content.decode()
    assert "Words" not in api.get(f"{DOCUMENTS}/csv/", {"run": always.key}).content.decode()


def test_documents_have_the_rights_of_the_page(release, words, vic):
    for stranger in (APIClient(), api_of(vic)):
        assert stranger.get(f"{DOCUMENTS}/csv/", {"run": words.key}).status_code == 404
        assert stranger.get(f"{DOCUMENTS}/csv/", {"release": release.key}).status_code == 404
    DetectionModel.objects.update(on_leaderboard=True)
    assert APIClient().get(f"{DOCUMENTS}/csv/", {"run": words.key}).status_code == 200


@pytest.mark.parametrize(
    ("file_format", "asked", "status", "why"),
    [
        ("docx", {"release": "small@1.0.0"}, 422, "no format 'docx'"),
        ("csv", {}, 422, "at least one model"),
        ("csv", {"run": "run-none"}, 404, "no finished run 'run-none'"),
        ("csv", {"release": "none@1"}, 404, "no release 'none@1'"),
        ("csv", {"release": "small@1.0.0", "model": "Nobody"}, 404, "no result of 'Nobody'"),
        ("csv", {"link": "nowhere"}, 404, "no such link"),
    ],
)
def test_a_document_that_cannot_be_made_says_why(words, mira, file_format, asked, status, why):
    refused = api_of(mira).get(f"{DOCUMENTS}/{file_format}/", asked)
    assert refused.status_code == status
    assert why in refused.json()["title"]


def test_a_chart_is_drawn(words, mira):
    address = f"/api/v1/runs/{words.key}/charts"
    found = api_of(mira).get(f"{address}/functionalities/")
    assert found["Content-Type"] == "image/svg+xml"
    assert found.content.startswith(b"<svg")
    assert api_of(mira).get(f"{address}/nothing/").status_code == 404
    assert APIClient().get(f"{address}/functionalities/").status_code == 404


def test_a_link_is_made_opened_listed_and_withdrawn(words, mira):
    api = api_of(mira)
    made = api.post(LINKS, {"runs": [words.key]}, format="json")
    assert made.status_code == 201
    link = made.json()
    assert link["url"].endswith(SharedReport.objects.get().get_absolute_url())
    assert (link["release"], link["runs"]) == ("small@1.0.0", [words.key])
    assert [found["token"] for found in api.get(LINKS).json()["results"]] == [link["token"]]

    opened = APIClient().get(f"{LINKS}{link['token']}/")
    assert opened.json()["models"]["Words"]["overall"]["accuracy"] == 1.0
    assert "Words" in APIClient().get(f"{DOCUMENTS}/csv/", {"link": link["token"]}).content.decode()

    assert api.delete(f"{LINKS}{link['token']}/").status_code == 204
    assert APIClient().get(f"{LINKS}{link['token']}/").status_code == 404
    assert APIClient().get(f"{DOCUMENTS}/csv/", {"link": link["token"]}).status_code == 404
    assert api.get(LINKS).json()["results"] == []


def test_only_maintainers_make_list_and_withdraw_links(words, mira, emil):
    token = api_of(mira).post(LINKS, {"runs": [words.key]}, format="json").json()["token"]
    for person, status in ((APIClient(), 401), (api_of(emil), 403)):
        assert person.post(LINKS, {"runs": [words.key]}, format="json").status_code == status
        assert person.delete(f"{LINKS}{token}/").status_code == status
        assert person.get(LINKS).status_code in (401, 403)
    assert SharedReport.objects.usable().count() == 1


@pytest.mark.parametrize(("runs", "status"), [([], 422), (["run-none"], 404), ("run", 400), (None, 400)])
def test_a_link_to_nothing_is_refused(words, mira, runs, status):
    refused = api_of(mira).post(LINKS, {"runs": runs}, format="json")
    assert refused.status_code == status
    assert not SharedReport.objects.exists()


def test_a_model_is_tried_on_a_few_texts(release, mira, emil):
    registered("by_word", name="Words")
    body = {"texts": ["I dislike rain.", "I like rain."]}
    asked = api_of(mira).post("/api/v1/models/words/try/", body, format="json")
    assert asked.status_code == 202
    jobs.perform(asked.json()["job"], worker="test")
    answers = api_of(mira).get(f"/api/v1/jobs/{asked.json()['job']}/").json()["result"]["answers"]
    assert [answer["label"] for answer in answers] == ["hateful", "non-hateful"]
    assert api_of(emil).post("/api/v1/models/words/try/", body, format="json").status_code == 403
    assert api_of(mira).post("/api/v1/models/words/try/", {"texts": [" "]}, format="json").status_code == 422


@pytest.mark.parametrize("file_format", ["html", "pdf", "latex", "csv", "json"])
def test_results_by_two_dimensions_are_in_every_document(release, words, mira, file_format):
    asked = {"release": release.key, "cross": "functionality,language"}
    found = api_of(mira).get(f"{DOCUMENTS}/{file_format}/", asked)
    assert found.status_code == 200
    told = {"html": "Functionalities by languages: Words", "latex": "Functionalities by languages: Words",
            "csv": ",functionality_by_language,", "json": '"crossed"', "pdf": ""}  # fmt: skip
    assert told[file_format].encode() in found.content
    refused = api_of(mira).get(f"{DOCUMENTS}/{file_format}/", asked | {"cross": "colour,language"})
    assert refused.status_code == 422
