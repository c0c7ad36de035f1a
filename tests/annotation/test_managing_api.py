"""The managers' API: the same verbs as the pages, the same refusals."""

import csv

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

from accounts.models import RoleGrant
from annotation.models import Adjudication, Campaign, CampaignMessage
from curation.models import Exclusion, TestCase
from tests.annotation.factories import make_suite
from tests.annotation.managing_factories import disputed_campaign

pytestmark = pytest.mark.django_db
BAD = "small-0000-1"


@pytest.fixture
def suite():
    return make_suite(raters=3, threshold=2)


@pytest.fixture
def campaign(suite):
    return disputed_campaign(suite, BAD)


@pytest.fixture
def expert(emil):
    RoleGrant.objects.create(user=emil, role="expert", language="en")
    return emil


def api(user):
    client = APIClient()
    client.force_authenticate(user)
    return client


def of(campaign, part=""):
    return f"/api/v1/campaigns/{campaign.key}/" + (f"{part}/" if part else "")


def about(suite, part):
    return f"/api/v1/suites/{suite.key}/{part}/"


READABLE = ("", "progress", "agreement", "disagreements", "labels")


def test_it_works(campaign, suite, expert):
    for part in READABLE:
        assert api(expert).get(of(campaign, part)).status_code == 200, part
    for part in ("agreement", "decision", "exclusions"):
        assert api(expert).get(about(suite, part)).status_code == 200, part
    assert api(expert).get("/api/v1/campaigns/", {"suite": "small"}).json()["count"] == 1


def test_it_refuses_a_stranger(campaign, suite, ana, vic):
    for person in (ana, vic):
        for part in READABLE:
            assert api(person).get(of(campaign, part)).status_code == 404, part
        for part in ("agreement", "decision", "exclusions"):
            assert api(person).get(about(suite, part)).status_code == 404, part
        assert api(person).get("/api/v1/campaigns/").json()["count"] == 0
    assert APIClient().get(of(campaign)).status_code in (401, 403)


def test_it_handles_a_missing_campaign_and_case(campaign, mira):
    assert api(mira).get("/api/v1/campaigns/nothing/progress/").status_code == 404
    answer = api(mira).post(of(campaign, "disagreements/none"), {"decision": "keep", "reason": "x"})
    assert answer.status_code == 404


def test_it_says_why(campaign, suite, mira):
    answer = api(mira).post(of(campaign, f"disagreements/{BAD}"), {"decision": "reword", "reason": "Unclear."})
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_input")
    assert "new wording" in answer.json()["title"]
    answer = api(mira).post(about(suite, "decision"), {"expected": 3})
    assert "4 cases would now be left out, not 3" in answer.json()["title"]


def test_agreement_has_the_keys_of_the_command(campaign, suite, expert):
    found = api(expert).get(about(suite, "agreement"), {"by": "functionality"}).json()
    wanted = {
        "suite",
        "cases",
        "raters",
        "fleiss_kappa",
        "fleiss_kappa_ci95",
        "krippendorff_alpha",
        "below_threshold",
        "by",
    }
    assert wanted <= set(found)
    assert (found["cases"], found["below_threshold"], set(found["by"])) == (24, 1, {"dislike_h", "like_nh"})
    assert found["pairwise_agreement_ci95"][0] <= found["pairwise_agreement"] <= found["pairwise_agreement_ci95"][1]
    assert api(expert).get(about(suite, "agreement"), {"by": "weather"}).status_code == 400


def test_disagreements_come_with_votes_and_a_decision_is_kept(campaign, expert):
    (row,) = api(expert).get(of(campaign, "disagreements"), {"status": "open"}).json()["results"]
    assert (row["case"], row["agreeing"], row["given"], len(row["opinions"])) == (BAD, 1, 3, 3)
    answer = api(expert).post(of(campaign, f"disagreements/{BAD}"), {"decision": "exclude", "reason": "Ambiguous."})
    assert answer.status_code == 201
    assert Adjudication.objects.get().reason == "Ambiguous."
    assert api(expert).get(of(campaign, "disagreements"), {"status": "open"}).json()["results"] == []


def test_a_preview_changes_nothing_and_a_decision_does(campaign, suite, mira, expert):
    shown = api(expert).get(about(suite, "decision")).json()
    assert shown["going_by_reason"] == {"template": 3, "disagreement": 1}
    assert not Exclusion.objects.exists()
    assert api(expert).post(about(suite, "decision"), {"expected": 4}).status_code == 403
    assert api(mira).post(about(suite, "decision"), {"expected": 4}).status_code == 200
    assert len(api(mira).get(about(suite, "exclusions")).json()) == 4
    lifted = api(expert).post(about(suite, f"exclusions/{BAD}/lift"), {"reason": "It is fine."})
    assert lifted.status_code == 204
    assert TestCase.objects.get(key=BAD).state == "validated"


def test_messages_and_rounds_are_for_managers(campaign, mira, expert):
    assert api(expert).post(of(campaign, "messages"), {"text": "Hello."}).status_code == 403
    assert api(mira).post(of(campaign, "messages"), {"text": "Hello."}).status_code == 204
    assert CampaignMessage.objects.count() == 1
    made = api(mira).post(of(campaign, "round"))
    assert (made.status_code, made.json()["previous_round"]) == (201, campaign.key)


def test_labels_go_in_and_out(suite, mira, expert):
    file = SimpleUploadedFile("some.csv", f"case_id,annotator,label\n{BAD},a,hateful\n{BAD},b,hateful\n".encode())
    assert api(expert).post(about(suite, "labels"), {"file": file}, format="multipart").status_code == 403
    file.seek(0)
    made = api(mira).post(about(suite, "labels"), {"file": file}, format="multipart")
    assert (made.status_code, made.json()["new"]) == (201, 2)
    campaign = Campaign.objects.get(key=made.json()["campaign"])
    text = b"".join(api(expert).get(of(campaign, "labels")).streaming_content).decode()
    assert [row["label"] for row in csv.DictReader(text.splitlines())] == ["hateful", "hateful"]
    bad = SimpleUploadedFile("bad.csv", b"case_id,annotator,label\nnowhere,a,hateful\n")
    refused = api(mira).post(about(suite, "labels"), {"file": bad}, format="multipart")
    assert refused.status_code == 422
    assert refused.json()["fields"]["problems"][0]["row"] == 2
