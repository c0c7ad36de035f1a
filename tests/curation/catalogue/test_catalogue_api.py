"""The API of suites, catalogue and lexicon."""

import pytest
from rest_framework.test import APIClient

from core.models import Job
from curation.catalogue.loading import load_catalogue
from curation.models import Language, ProtectedGroup, Suite

pytestmark = pytest.mark.django_db


@pytest.fixture
def api() -> APIClient:
    return APIClient()


@pytest.fixture
def suite() -> Suite:
    load_catalogue()
    suite = Suite.objects.create(key="small", name="Small suite")
    suite.languages.add(Language.objects.get(code="de"))
    return suite


def test_anyone_may_read_the_catalogue(api, suite):
    assert api.get("/api/v1/functionalities/").json()["count"] == 36
    assert api.get("/api/v1/languages/de/").json()["name"] == "German"
    assert api.get("/api/v1/groups/").json()["count"] >= 7


def test_suites_are_not_for_strangers(api, suite):
    answer = api.get("/api/v1/suites/")
    assert answer.status_code == 401
    assert answer["Content-Type"] == "application/problem+json"


def test_a_maintainer_makes_a_suite(api, mira, suite):
    api.force_authenticate(mira)
    asked = {
        "key": "fresh",
        "name": "Fresh",
        "languages": ["de"],
        "labels": ["toxic", "fine"],
        "raters": 3,
        "threshold": 2,
    }
    assert api.post("/api/v1/suites/", asked).status_code == 201
    assert Suite.objects.get(key="fresh").labels == ["toxic", "fine"]


def test_an_expert_cannot_and_is_told_why(api, emil, suite):
    api.force_authenticate(emil)
    answer = api.post("/api/v1/suites/", {"key": "fresh", "name": "Fresh", "languages": ["de"]})
    assert answer.status_code == 403
    assert "maintainer" in answer.json()["title"]


def test_an_expert_adds_a_word_and_writes_its_forms(api, emil, suite):
    api.force_authenticate(emil)
    word = api.post(
        "/api/v1/suites/small/entries/", {"language": "de", "kind": "identity", "lemma": "Frau", "target": "women"}
    ).json()
    address = f"/api/v1/suites/small/entries/de/{word['key']}/forms/"
    assert api.put(address, {"cell": "Number=Plur", "text": "Frauen"}).json()["forms"][0]["text"] == "Frauen"
    assert api.get("/api/v1/suites/small/entries/?language=de").json()["count"] == 1


def test_a_cell_that_is_none_is_explained(api, emil, suite):
    api.force_authenticate(emil)
    word = api.post("/api/v1/suites/small/entries/", {"language": "de", "kind": "identity", "lemma": "Frau"}).json()
    answer = api.put(f"/api/v1/suites/small/entries/de/{word['key']}/forms/", {"cell": "plural", "text": "Frauen"})
    assert answer.status_code == 400
    assert "Number=Plur" in str(answer.json()["fields"]["cell"])


def test_generating_is_queued(api, emil, suite):
    api.force_authenticate(emil)
    answer = api.post("/api/v1/suites/small/generate/")
    assert answer.status_code == 202
    assert Job.objects.get(key=answer.json()["job"]).kind == "curation.generate_cases"


def test_a_missing_suite_is_a_problem_document(api, mira):
    api.force_authenticate(mira)
    assert api.get("/api/v1/suites/nothing/").json()["code"] == "not_found"


def test_a_maintainer_hands_in_a_file_and_the_suite_comes_back(api, mira, suite, tmp_path, settings):
    from django.core.files.uploadedfile import SimpleUploadedFile

    from core.jobs.services import perform

    settings.MEDIA_ROOT = tmp_path
    api.force_authenticate(mira)
    content = b"functionality,test_case,label_gold\nprofanity_nh,Nothing bad.,non-hateful\n"
    asked = {"file": SimpleUploadedFile("cases.csv", content), "suite": "fresh", "format_name": "csv", "language": "en"}
    answer = api.post("/api/v1/suites/import/", asked, format="multipart")
    assert answer.status_code == 202
    assert perform(answer.json()["job"], worker="test").result["new"]["cases"] == 1
    download = api.get("/api/v1/suites/fresh/download/?as=csv")
    assert (download.status_code, download["Content-Type"]) == (200, "application/zip")
    assert api.get("/api/v1/suites/fresh/download/?as=xlsx").status_code == 422


def test_an_expert_cannot_import(api, emil, suite):
    api.force_authenticate(emil)
    assert api.post("/api/v1/suites/import/", {}, format="multipart").status_code == 403


def test_a_word_is_corrected_and_removed(api, suite, mira):
    api.force_authenticate(mira)
    asked = {"language": "fr", "kind": "identity", "lemma": "hyène", "properties": {"elides": "no"}}
    word = api.post("/api/v1/suites/small/entries/", asked, format="json").json()
    address = f"/api/v1/suites/small/entries/fr/{word['key']}/"
    changed = api.patch(address, {"inherent": "Gender=Fem"}, format="json").json()
    assert (changed["lemma"], changed["inherent"], changed["properties"]) == ("hyène", "Gender=Fem", {"elides": "no"})
    refused = api.patch(address, {"properties": {"elides": "maybe"}}, format="json")
    assert refused.status_code == 422
    assert "use one of: yes, no" in refused.json()["title"]
    told = api.get(address).json()
    assert (told["lemma"], told["cases_retired_by_removal"]) == ("hyène", 0)
    assert api.delete(address).status_code == 204
    assert api.get("/api/v1/suites/small/entries/").json()["count"] == 0


def test_the_catalogue_grows_over_the_api(api, suite, mira):
    api.force_authenticate(mira)
    asked = {"code": "sw", "name": "Swahili", "features": {"Number": ["Sing", "Plur"]}}
    assert api.post("/api/v1/languages/", asked, format="json").status_code == 201
    again = api.post("/api/v1/languages/", asked, format="json")
    assert again.json()["title"] == "The catalogue already has the language 'sw'."
    asked = {
        "title": "Irony",
        "functionality_class": "سخرية",
        "gold_label": "non-hateful",
        "definition": "It is not meant.",
    }
    assert api.post("/api/v1/functionalities/", asked, format="json").json()["functionality_class"] == "سخرية"
    assert api.post("/api/v1/groups/", {"name": "老年人"}, format="json").json()["key"] == "老年人"


def test_a_stranger_adds_nothing_to_the_catalogue(api, suite, vic):
    for user in (None, vic):
        api.force_authenticate(user)
        answer = api.post("/api/v1/groups/", {"name": "elderly people"}, format="json")
        assert answer.status_code in (401, 403)
    assert not ProtectedGroup.objects.filter(name="elderly people").exists()


def test_the_catalogue_is_changed_over_the_api(api, suite, mira):
    api.force_authenticate(mira)
    changed = api.patch("/api/v1/languages/de/", {"autonym": "Hochdeutsch"}, format="json").json()
    assert (changed["autonym"], changed["name"], len(changed["features"]["features"])) == ("Hochdeutsch", "German", 5)
    changed = api.patch("/api/v1/functionalities/ident_pos_nh/", {"title": "Praise"}, format="json").json()
    assert (changed["title"], changed["gold_label"]) == ("Praise", "non-hateful")
    assert api.delete("/api/v1/functionalities/ident_pos_nh/").status_code == 204
    assert api.patch("/api/v1/groups/women/", {"name": "Women"}, format="json").json()["key"] == "women"
    assert api.delete("/api/v1/groups/women/?into=muslims").status_code == 204
    assert not ProtectedGroup.objects.filter(key="women").exists()
    changed = api.patch("/api/v1/suites/small/", {"raters": 3, "threshold": 3}, format="json").json()
    assert (changed["raters"], changed["languages"], changed["name"]) == (3, ["de"], "Small suite")
    refused = api.patch("/api/v1/suites/small/", {"threshold": 4}, format="json")
    assert (refused.status_code, "3" in refused.json()["title"]) == (422, True)


def test_an_expert_changes_nothing_for_everyone(api, suite, emil):
    api.force_authenticate(emil)
    for path in ("languages/de", "functionalities/ident_pos_nh", "groups/women", "suites/small"):
        assert api.patch(f"/api/v1/{path}/", {}, format="json").status_code == 403
