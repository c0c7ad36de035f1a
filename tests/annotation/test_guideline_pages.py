"""Guidelines are read and written on pages and over the API; campaigns take the newest."""

import pytest
from django.urls import reverse
from rest_framework.test import APIClient

from annotation.models import Campaign, Guideline
from curation.catalogue.loading import load_catalogue
from curation.models import Language
from tests.annotation.factories import make_suite

pytestmark = pytest.mark.django_db
LIST = "/guidelines/"
API = "/api/v1/guidelines/"


@pytest.fixture
def catalogue():
    load_catalogue()


def api(user) -> APIClient:
    client = APIClient()
    client.force_authenticate(user)
    return client


def test_those_that_come_with_the_platform_are_there_without_a_demo(client, catalogue, mira):
    client.force_login(mira)
    assert "German" in client.get(LIST).content.decode()
    assert Guideline.objects.filter(language__code="de", version=1).exists()


def test_an_expert_writes_the_next_version_and_the_old_one_stays(client, catalogue, emil):
    client.force_login(emil)
    client.get(LIST)
    first = Guideline.objects.get(language__code="de")
    url = reverse("annotation:guideline-new", args=["de"])
    assert first.text.splitlines()[0] in client.get(url).content.decode()
    client.post(url, {"title": "", "text": "# Neue Regeln\n\nBitte **genau** lesen."})
    page = reverse("annotation:guideline", args=["de"])
    html = client.get(page).content.decode()
    assert "Version 2 of 2" in html
    assert "<strong>genau</strong>" in html
    assert "Version 1 of 2" in client.get(page, {"version": 1}).content.decode()
    assert Guideline.objects.get(pk=first.pk).text == first.text


def test_an_empty_one_is_refused_on_the_form(client, catalogue, emil):
    client.force_login(emil)
    html = client.post(reverse("annotation:guideline-new", args=["de"]), {"text": "  "}).content.decode()
    assert "required" in html
    assert not Guideline.objects.filter(version=2).exists()


def test_it_refuses_other_languages_and_strangers(client, catalogue, emil, ana):
    client.force_login(emil)
    assert client.post(reverse("annotation:guideline-new", args=["fr"]), {"text": "# Non"}).status_code == 403
    client.force_login(ana)
    assert client.get(LIST).status_code == 403
    assert client.get(reverse("annotation:guideline", args=["de"])).status_code == 403


def test_it_handles_a_missing_language(client, catalogue, mira):
    client.force_login(mira)
    assert client.get(reverse("annotation:guideline", args=["xx"])).status_code == 404
    assert client.get(reverse("annotation:guideline-new", args=["xx"])).status_code == 404


def test_programs_read_and_write_them(catalogue, emil, ana):
    assert {row["version"] for row in api(emil).get(API).json()} == {1}
    made = api(emil).post(API, {"language": "de", "text": "# Neu\n\nText"})
    assert (made.status_code, made.json()["version"], made.json()["title"]) == (201, 2, "Neu")
    assert api(emil).post(API, {"language": "fr", "text": "# Non"}).status_code == 403
    assert api(emil).post(API, {"language": "xx", "text": "# X"}).status_code == 404
    assert api(ana).get(API).status_code == 403


def test_a_draft_whose_guideline_is_left_open_takes_the_newest_of_its_language(client, mira):
    suite = make_suite()
    english = Language.objects.get(code="en")
    newer = Guideline.objects.create(language=english, version=2, title="Newer", text="# Newer")
    client.force_login(mira)
    values = {
        "title": "Labels", "suite": suite.key, "language": "en", "question": "binary", "raters": 2, "threshold": 2,
        "mode": "crowd", "batch_size": 5, "lease_minutes": 30, "check_every": 20, "qualification_tries": 2,
        "pay_currency": "EUR", "seconds_per_case": 8, "guideline": "",
    }  # fmt: skip
    client.post(reverse("annotation:campaign-new"), values)
    assert Campaign.objects.get().guideline == newer
    client.post(reverse("annotation:campaign-change", args=["labels"]), values | {"raters": 3})
    assert (Campaign.objects.get().guideline, Campaign.objects.get().raters) == (newer, 3)
    html = client.get(reverse("annotation:campaign-setup", args=["labels"])).content.decode()
    assert "Newer (version 2)" in html
