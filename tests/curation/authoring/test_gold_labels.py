"""The gold label of a template of a mixed functionality: typed, shown, checked, and given to its cases."""

import csv

import pytest
from django.urls import reverse
from rest_framework.test import APIClient

from core.errors import BadInput
from curation.authoring.adapting import start_adaptation
from curation.authoring.bulk_editing import change_many
from curation.authoring.details import edit_details
from curation.authoring.services import submit_version
from curation.cases.generating import generate_cases
from curation.catalogue.suites import save_suite
from curation.models import Functionality, Language, Suite, Template, TestCase
from tests.curation.authoring.factories import (
    approve_template,
    functionality,
    make_suite,
    newest,
    write_template,
)
from tests.html import one_line

pytestmark = pytest.mark.django_db
PLURAL = "Ich mag [identity:Number=Plur] nicht."


@pytest.fixture
def suite(db) -> Suite:
    return make_suite()


@pytest.fixture
def mixed(suite) -> Functionality:
    return Functionality.objects.create(
        key="weather", title="Weather", gold_label="", functionality_class=functionality().functionality_class
    )


def page_of(template: Template, name: str = "template") -> str:
    return reverse(f"curation:{name}", args=[template.suite.key, template.language.code, template.key])


def test_the_editor_takes_the_label_and_the_cases_carry_it(suite, mixed, emil, mira, client):
    client.force_login(emil)
    for label, text in [("hateful", PLURAL), ("non-hateful", "Hallo [identity:Number=Plur].")]:
        said = {
            "suite": suite.key, "language": "de", "functionality": mixed.key, "label_gold": label,
            "variant_text": text, "variant_features": "", "then": "submit",
        }  # fmt: skip
        client.post(reverse("curation:template-new"), said)
    client.force_login(mira)
    for template in suite.templates.all():
        review = client.get(page_of(template, "review")).content.decode()
        assert f">{template.gold_label}</span>" in review
        seen = review.split('name="seen" value="')[1].split('"')[0]
        client.post(page_of(template, "template-decide"), {"decision": "approve", "seen": seen})
    generate_cases(suite)
    assert dict(TestCase.objects.values_list("text", "gold_label")) == {
        "Ich mag Frauen nicht.": "hateful", "Ich mag Muslime nicht.": "hateful",
        "Hallo Frauen.": "non-hateful", "Hallo Muslime.": "non-hateful",
    }  # fmt: skip


def test_a_template_of_a_mixed_functionality_is_not_submitted_without_a_label(suite, mixed, emil, client):
    template = write_template(suite, PLURAL, by=emil, functionality=mixed)
    with pytest.raises(BadInput, match="needs a gold label of its own"):
        submit_version(newest(template), by=emil)
    client.force_login(emil)
    html = one_line(client.get(page_of(template)).content.decode())
    assert "functionality is mixed, so the template needs a gold label of its own" in html
    assert 'data-mixed="[&quot;weather&quot;]"' in html
    edit_details(template, by=emil, label_gold="hateful")
    assert submit_version(newest(template), by=emil).state == "submitted"


def test_the_preview_shows_the_label_that_is_typed(suite, mixed, emil, client):
    client.force_login(emil)
    said = {"suite": suite.key, "language": "de", "variant_text": PLURAL, "variant_features": ""}

    def preview(**more: str) -> str:
        return one_line(client.post(reverse("curation:template-preview"), said | more).json()["html"])

    assert "Gold label:" not in preview()
    assert ">hateful</span>" in preview(functionality="derog_neg_emote_h")
    assert ">non-hateful</span>" in preview(functionality=mixed.key, label_gold="non-hateful")
    assert "needs a gold label" in preview(functionality=mixed.key)


def test_a_label_is_one_of_the_suite_and_not_another_than_that_of_the_functionality(suite, mixed, emil):
    with pytest.raises(BadInput, match="'rude' is not a label of 'Mild suite'"):
        write_template(suite, PLURAL, by=emil, functionality=mixed, label_gold="rude")
    with pytest.raises(BadInput, match="have the gold label 'hateful'"):
        write_template(suite, PLURAL, by=emil, label_gold="non-hateful")
    template = write_template(
        suite, PLURAL, by=emil, label_gold="hateful"
    )  # as the API answers, so it can be sent back
    assert (template.gold_label, template.label) == ("", "hateful")


def test_the_label_stays_once_there_are_cases_of_it(suite, mixed, emil, mira):
    template = write_template(suite, PLURAL, by=emil, functionality=mixed, label_gold="hateful")
    edit_details(template, by=emil, label_gold="non-hateful")
    approve_template(template, author=emil, reviewer=mira)
    generate_cases(suite)
    with pytest.raises(BadInput, match="has cases with the gold label non-hateful"):
        edit_details(template, by=emil, label_gold="hateful")
    template.refresh_from_db()
    assert template.gold_label == "non-hateful"
    suite.labels = ["hateful", "fine"]
    with pytest.raises(BadInput, match="with the gold label 'non-hateful'"):
        save_suite(suite, list(suite.languages.all()), by=mira)


def test_another_functionality_takes_the_label_away(suite, mixed, emil):
    template = write_template(suite, PLURAL, by=emil, functionality=mixed, label_gold="non-hateful")
    assert edit_details(template, by=emil, functionality=functionality()).label == "hateful"
    assert edit_details(template, by=emil, functionality=mixed).label == ""


def test_an_adaptation_brings_the_label_unless_the_suite_does_not_know_it(suite, mixed, mira, emil):
    source = write_template(suite, PLURAL, by=emil, functionality=mixed, label_gold="non-hateful")
    english = Language.objects.get(code="en")
    assert start_adaptation(source, suite, english, by=mira).label == "non-hateful"
    other = Suite.objects.create(key="other", name="Other", labels=["hateful", "fine"])
    other.languages.add(english)
    assert start_adaptation(source, other, english, by=mira).label == ""


def test_the_api_reads_writes_previews_and_lists_the_label(suite, mixed, emil):
    api = APIClient()
    api.force_authenticate(emil)
    said = {"suite": "mild", "language": "de", "functionality": "weather", "variants": [{"text": PLURAL}]}
    assert api.post("/api/v1/templates/", said | {"label_gold": "rude"}).status_code == 422
    made = api.post("/api/v1/templates/", said | {"label_gold": "hateful"}).json()
    assert made["label_gold"] == "hateful"
    address = f"/api/v1/templates/mild/de/{made['key']}/"
    assert api.patch(address, {"label_gold": "non-hateful"}).json()["label_gold"] == "non-hateful"
    assert api.patch(address, {"direction": "general"}).json()["label_gold"] == "non-hateful"
    assert [one["label_gold"] for one in api.get("/api/v1/templates/").json()["results"]] == ["non-hateful"]
    seen = api.post("/api/v1/templates/preview/", said | {"template": made["key"], "label_gold": "hateful"}).json()
    assert (seen["label_gold"], seen["total"]) == ("hateful", 2)
    seen = api.post("/api/v1/templates/preview/", said).json()
    assert [finding["code"] for finding in seen["findings"]] == ["gold_label"]


def test_the_list_shows_downloads_and_sets_the_label(suite, mixed, emil, client):
    write_template(suite, PLURAL, by=emil)
    write_template(suite, "Hallo.", by=emil, functionality=mixed)
    client.force_login(emil)
    listed = reverse("curation:templates")
    assert ">mixed</span>" in client.get(listed).content.decode()
    templates = suite.templates.select_related("suite", "language", "functionality")
    report = change_many(templates, "label_gold", by=emil, value="non-hateful")
    assert (report.done, [template.key for template, _ in report.refused]) == (1, ["de-001"])
    assert ">non-hateful</span>" in client.get(listed).content.decode()
    rows = csv.DictReader(client.get(listed, {"download": "csv"}).getvalue().decode("utf-8-sig").splitlines())
    assert {row["text"]: row["label_gold"] for row in rows} == {PLURAL: "hateful", "Hallo.": "non-hateful"}
