"""Templates and cases over the API: works, refuses strangers, handles missing things, says why."""

import pytest
from rest_framework.test import APIClient

from accounts.models import Scope
from accounts.services.tokens import create_token
from core.models import Job
from curation.cases.generating import generate_cases
from curation.models import Template
from tests.curation.authoring.factories import approve_template, make_suite, newest, write_template

pytestmark = pytest.mark.django_db
PLURAL = "Ich mag [identity:Number=Plur] nicht."
ONE = "/api/v1/templates/mild/de/de-001/"


@pytest.fixture
def suite():
    return make_suite()


@pytest.fixture
def template(suite, emil):
    return write_template(suite, PLURAL, by=emil)


def as_(user) -> APIClient:
    client = APIClient()
    client.force_authenticate(user)
    return client


def test_a_template_is_made_submitted_and_approved(suite, emil, mira):
    asked = {
        "suite": "mild", "language": "de", "functionality": "derog_neg_emote_h",
        "variants": [{"text": PLURAL}], "direction": "general",
    }  # fmt: skip
    made = as_(emil).post("/api/v1/templates/", asked)
    assert made.status_code == 201, made.json()
    assert (made.json()["key"], made.json()["state"], made.json()["label_gold"]) == ("de-001", "draft", "hateful")
    assert as_(emil).post(f"{ONE}submit/").json()["state"] == "submitted"
    own = as_(emil).post(f"{ONE}approve/")
    assert (own.status_code, own.json()["code"]) == (403, "not_allowed")
    assert as_(mira).post(f"{ONE}approve/").json()["state"] == "approved"
    versions = as_(emil).get(f"{ONE}versions/").json()
    assert [(version["state"], version["author"], version["reviewer"]) for version in versions] == [
        ("approved", "Emil", "Mira")
    ]


def test_a_rejection_needs_a_reason(template, emil, mira):
    as_(emil).post(f"{ONE}submit/")
    assert as_(mira).post(f"{ONE}reject/", {}).status_code == 400
    assert as_(mira).post(f"{ONE}reject/", {"reason": "Stiff."}).json()["state"] == "rejected"
    assert as_(emil).get(f"{ONE}versions/").json()[0]["reason"] == "Stiff."


def test_a_variant_without_a_text_is_named(template, emil):
    refused = as_(emil).patch(ONE, {"variants": [{"features": "Gender=Fem"}]})
    assert (refused.status_code, list(refused.json()["fields"])) == (400, ["variants"])
    assert [variant.text for variant in newest(template).variants.all()] == [PLURAL]


def test_a_change_is_both_or_neither(template, emil):
    seen = as_(emil).get(ONE).json()["based_on"]
    changed = as_(emil).patch(ONE, {"variants": [{"text": "Hallo [identity]."}], "direction": "directed"})
    assert changed.json()["variants"] == [{"features": "", "text": "Hallo [identity]."}]
    refused = as_(emil).patch(ONE, {"variants": [{"text": "Zu spät."}], "direction": "general", "based_on": seen})
    assert (refused.status_code, refused.json()["code"]) == (409, "changed_meanwhile")
    assert as_(emil).get(ONE).json()["direction"] == "directed"


def test_withdraw_comment_and_delete(template, emil, mira):
    as_(emil).post(f"{ONE}submit/")
    assert as_(mira).post(f"{ONE}comments/", {"text": "Hm."}).status_code == 201
    assert [comment["author"] for comment in as_(emil).get(f"{ONE}comments/").json()] == ["Mira"]
    assert as_(emil).post(f"{ONE}withdraw/").json()["state"] == "draft"
    assert as_(emil).delete(ONE).status_code == 204
    assert not Template.objects.exists()


def test_the_preview_tells_cases_and_faults(suite, emil):
    asked = {"suite": "mild", "language": "de", "variants": [{"text": PLURAL}]}
    seen = as_(emil).post("/api/v1/templates/preview/", asked).json()
    assert [case["text"] for case in seen["cases"]] == ["Ich mag Frauen nicht.", "Ich mag Muslime nicht."]
    assert seen["groups"] == {"women": 1, "Muslims": 1}
    broken = as_(emil).post("/api/v1/templates/preview/", {**asked, "variants": [{"text": "[identty]"}]}).json()
    assert broken["findings"][0]["position"] == 1


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("get", "/api/v1/templates/"), ("post", "/api/v1/templates/"), ("get", ONE), ("patch", ONE), ("delete", ONE),
        ("post", f"{ONE}submit/"), ("post", f"{ONE}approve/"), ("get", f"{ONE}versions/"), ("get", "/api/v1/cases/"),
        ("post", "/api/v1/cases/"), ("post", "/api/v1/cases/generate/"), ("post", "/api/v1/templates/preview/"),
    ],
)  # fmt: skip
def test_it_refuses_strangers(template, ana, method, path):
    assert getattr(APIClient(), method)(path).status_code == 401
    assert getattr(as_(ana), method)(path, {}).status_code in (403, 404)


def test_an_expert_of_another_language_is_told_why(template, emil):
    emil.grants.update(language="fr")
    emil = type(emil).objects.get(pk=emil.pk)  # roles are read once per request
    refused = as_(emil).patch(ONE, {"direction": "general"})
    assert refused.status_code == 403
    assert "language expert for 'de'" in refused.json()["title"]


def test_a_read_only_token_changes_nothing(template, emil):
    _, secret = create_token(emil, name="read", scope=Scope.READ)
    client = APIClient(headers={"Authorization": f"Bearer {secret}"})
    assert client.get(ONE).status_code == 200
    assert client.post(f"{ONE}submit/").status_code == 403
    assert newest(template).state == "draft"


def test_it_handles_missing_things(suite, emil):
    assert as_(emil).get("/api/v1/templates/mild/de/nothing/").status_code == 404
    asked = {"suite": "mild", "language": "de", "functionality": "nothing"}
    missing = as_(emil).post("/api/v1/templates/", asked)
    assert (missing.status_code, missing.json()["title"]) == (404, "There is no functionality 'nothing'.")
    assert as_(emil).get("/api/v1/cases/mild/nothing/").status_code == 404


def test_templates_are_listed_with_few_queries(suite, template, emil, django_assert_max_num_queries):
    for number in range(6):
        write_template(suite, f"Satz {number}.", by=emil)
    client = as_(emil)
    with django_assert_max_num_queries(6):
        listed = client.get("/api/v1/templates/", {"suite": "mild", "q": "satz"}).json()
    assert listed["count"] == 6


def test_cases_are_listed_written_and_generated(suite, template, emil, mira):
    approve_template(template, author=emil, reviewer=mira)
    generate_cases(suite)
    listed = as_(emil).get("/api/v1/cases/", {"suite": "mild", "target": "women"}).json()
    assert [(case["test_case"], case["templ_id"]) for case in listed["results"]] == [
        ("Ich mag Frauen nicht.", template.key)
    ]
    asked = {
        "suite": "mild", "language": "de", "functionality": "ident_neutral_nh", "test_case": "Guten Tag.",
        "target_ident": "women",
    }  # fmt: skip
    made = as_(emil).post("/api/v1/cases/", asked).json()
    assert (made["origin"], made["label_gold"], made["target_ident"]) == ("hand", "non-hateful", "women")
    assert as_(emil).get(f"/api/v1/cases/mild/{made['case_id']}/").json() == made
    spelling = {"suite": "mild", "language": "de", "functionality": "spell_leet_h", "seed": 7}
    assert as_(emil).post("/api/v1/cases/respell/", spelling).json() == {
        "made": 2, "unchanged": 0, "skipped": [], "templates_without_cases": []
    }  # fmt: skip
    refused = as_(emil).post("/api/v1/cases/respell/", {**spelling, "functionality": "ident_neutral_nh"})
    assert (refused.status_code, refused.json()["code"]) == (422, "bad_input")
    covered = as_(emil).get("/api/v1/cases/coverage/", {"suite": "mild", "language": "de"}).json()
    rows = {row["functionality"]: row for row in covered["rows"]}
    assert rows["spell_leet_h"]["cases"] == {"women": 1, "Muslims": 1}
    assert rows["ident_neutral_nh"]["holes"] == ["Muslims"]
    queued = as_(emil).post("/api/v1/cases/generate/", {"suite": "mild"})
    assert queued.status_code == 202
    assert Job.objects.get(key=queued.json()["job"]).payload == {"suite": "mild"}


def test_many_templates_are_changed_at_once_and_refusals_are_named(suite, template, emil):
    write_template(suite, "Ich kenne [identity:Number=Plur].", by=emil)
    asked = {"suite": "mild", "language": "de", "keys": ["de-001", "de-002"], "action": "direction", "value": "general"}
    assert as_(emil).post("/api/v1/templates/many/", asked, format="json").json() == {"done": 2, "refused": []}
    assert set(Template.objects.values_list("direction", flat=True)) == {"general"}
    done = as_(emil).post("/api/v1/templates/many/", asked | {"action": "submit"}, format="json").json()
    assert done["done"] == 2
    approved = as_(emil).post("/api/v1/templates/many/", asked | {"action": "approve"}, format="json").json()
    assert approved["done"] == 0
    assert [refusal["key"] for refusal in approved["refused"]] == ["de-001", "de-002"]


def test_many_templates_refuse_unknown_keys_and_strangers(suite, template, emil, ana):
    asked = {"suite": "mild", "language": "de", "keys": ["de-001", "de-999"], "action": "submit"}
    answer = as_(emil).post("/api/v1/templates/many/", asked, format="json")
    assert answer.status_code == 404
    assert "de-999" in str(answer.json())
    assert newest(template).state == "draft"
    assert as_(ana).post("/api/v1/templates/many/", asked, format="json").status_code == 403
