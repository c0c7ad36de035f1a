"""Programs make, fill, open, pause and close campaigns: the same verbs as the pages, the same refusals."""

import pytest
from rest_framework.test import APIClient

from accounts.models import RoleGrant
from accounts.services.tokens import create_token
from annotation.campaigns import closing
from annotation.models import Assignment, Campaign, Participation
from annotation.people.participation import annotator_for
from core.models import Job
from curation.models import CaseVerdict, Language
from tests.annotation.factories import label_everything, make_people, make_suite, newcomer

pytestmark = pytest.mark.django_db
URL = "/api/v1/campaigns/"


@pytest.fixture
def suite():
    return make_suite(templates=2, per_template=2, raters=2, threshold=2)


@pytest.fixture
def expert(emil):
    RoleGrant.objects.create(user=emil, role="expert", language="en")
    return emil


def api(user):
    client = APIClient()
    client.force_authenticate(user)
    return client


def make(user, **facts):
    wish = {"title": "Labels", "suite": "small", "language": "en", "mode": "crowd", "asks_demographics": False}
    return api(user).post(URL, wish | facts)


def step(user, verb, key="labels", **facts):
    return api(user).post(f"{URL}{key}/{verb}/", facts)


def test_it_works_from_the_draft_to_the_verdicts(suite, mira):
    made = make(mira)
    assert made.status_code == 201
    assert (made.json()["state"], made.json()["raters"], made.json()["guideline"]) == ("draft", 2, "en:1")
    opened = step(mira, "open")
    assert (opened.status_code, opened.json()["state"]) == (200, "open")
    assert opened.json()["crowd_link"].startswith("/")
    assert Assignment.objects.count() == 4 * 2
    assert step(mira, "pause").json()["state"] == "paused"
    assert step(mira, "resume").json()["state"] == "open"
    campaign = Campaign.objects.get()
    for number in range(2):
        label_everything(newcomer(campaign, number))
    assert step(mira, "close").json()["state"] == "closed"
    assert CaseVerdict.objects.count() == 4


def test_a_draft_is_changed_and_what_is_left_out_stays(suite, mira):
    make(mira, question="choice", labels=["yes", "no", "perhaps"], functionalities=["like_nh"])
    changed = api(mira).patch(f"{URL}labels/", {"raters": 3, "threshold": 3, "title": "Better"})
    assert changed.status_code == 200
    found = changed.json()
    assert (found["title"], found["raters"], found["labels"]) == ("Better", 3, ["yes", "no", "perhaps"])
    assert (found["functionalities"], found["sample"]) == (["like_nh"], None)
    sampled = api(mira).patch(f"{URL}labels/", {"sample": 2}).json()
    assert (sampled["functionalities"], sampled["sample"]) == (["like_nh"], 2)


def test_cost_and_time_are_foreseen_for_maintainers(suite, mira, expert):
    make(mira, pay_unit="case", pay_amount="0.10", seconds_per_case=9)
    foreseen = api(mira).get(f"{URL}labels/estimate/").json()
    assert (foreseen["labels"], foreseen["working_seconds"], foreseen["cost"]) == (8, 72, "0.80")
    assert api(expert).get(f"{URL}labels/estimate/").status_code == 403


def test_the_suite_of_a_draft_stays(suite, mira):
    make_suite(templates=1, key="other")
    make(mira)
    assert api(mira).patch(f"{URL}labels/", {"suite": "other"}).status_code == 400
    assert Campaign.objects.get().suite.key == "small"


def test_people_and_texts_with_known_answers_are_added(suite, mira):
    people = make_people(2)
    make(mira, mode="team")
    assert step(mira, "people", emails=[user.email for user in people]).json() == {"added": 2}
    assert step(mira, "people", emails=[people[0].email]).json() == {"added": 0}
    own = [{"text": "I like my street.", "expected": "non-hateful", "explanation": "Nobody is attacked."}]
    assert step(mira, "items", role="training", items=own).json() == {"added": 1}
    assert step(mira, "open").json()["state"] == "open"
    assert Assignment.objects.exclude(annotator=None).count() == 4 * 2
    pseudonym = Campaign.objects.get().participations.first().annotator.pseudonym
    refused = step(mira, f"people/{pseudonym}/end", reason="They asked to stop.")
    assert (refused.status_code, refused.json()["code"]) == (409, "cannot_open")  # nobody else could take the cases


def test_texts_with_known_answers_are_listed_and_removed_one_by_one(suite, mira, expert):
    make(mira)
    own = [{"text": "I like my street.", "expected": "non-hateful"}, {"text": "Go.", "expected": "hateful"}]
    step(mira, "items", role="training", items=own)
    step(mira, "items", role="check", source="cases", number=1)
    first, second, check = api(mira).get(f"{URL}labels/items/").json()
    assert first == {
        "id": first["id"], "role": "training", "source": "own", "text": "I like my street.", "language": "en",
        "expected": "non-hateful", "explanation": "", "case": None,
    }  # fmt: skip
    assert (check["source"], check["case"][:5]) == ("cases", "small")
    assert api(expert).get(f"{URL}labels/items/").status_code == 403
    assert api(expert).delete(f"{URL}labels/items/{first['id']}/").status_code == 403
    assert api(mira).delete(f"{URL}labels/items/{first['id']}/").status_code == 204
    assert api(mira).delete(f"{URL}labels/items/{first['id']}/").status_code == 404
    assert api(mira).get(f"{URL}labels/items/").json() == [second, check]
    step(mira, "open")
    assert api(mira).delete(f"{URL}labels/items/{check['id']}/").status_code == 409


def test_a_text_in_another_language_is_refused_with_its_line(suite, mira):
    Language.objects.create(code="de", bcp47="de", name="German")
    make(mira)
    answer = step(mira, "items", role="test", items=[{"text": "Hallo.", "expected": "non-hateful", "language": "de"}])
    assert answer.status_code == 422
    assert "Line 1 is in 'de'. This campaign takes texts in: en (English)." in answer.content.decode()


def test_calling_it_off_keeps_the_labels(suite, mira):
    make(mira)
    step(mira, "open")
    assert step(mira, "cancel", reason="The wrong cases.").json()["state"] == "cancelled"
    assert not CaseVerdict.objects.exists()


def test_large_ones_are_a_job(suite, mira, monkeypatch):
    make(mira)
    step(mira, "open")
    make(mira, title="More")
    monkeypatch.setattr("annotation.campaigns.opening.OPENS_AT_ONCE", 1)
    monkeypatch.setattr(closing, "OPENS_AT_ONCE", 1)
    answer = step(mira, "open", "more")
    assert (answer.status_code, answer.json()["kind"]) == (202, "annotation.open_campaign")
    assert Job.objects.get().payload == {"campaign": "more"}
    assert step(mira, "close").json()["code"] == "incomplete"
    answer = step(mira, "close", leave_out_incomplete=True)
    assert (answer.status_code, answer.json()["kind"]) == (202, "annotation.close_campaign")


@pytest.mark.parametrize("verb", ["open", "pause", "resume", "close", "cancel", "people", "items"])
def test_it_refuses_a_stranger_and_an_expert(suite, mira, expert, vic, verb):
    make(mira)
    items = {"role": "check", "items": [{"text": "x", "expected": "hateful"}]}
    facts = {"people": {"emails": ["a@example.org"]}, "items": items}.get(verb, {})
    assert step(vic, verb, **facts).status_code == 404
    assert step(expert, verb, **facts).status_code == 403
    assert Campaign.objects.get().state == "draft"


def test_making_and_changing_are_for_maintainers(suite, mira, expert, vic):
    make(mira)
    for person in (expert, vic):
        assert make(person).status_code == 403
    assert api(expert).patch(f"{URL}labels/", {"title": "Mine"}).status_code == 403
    assert api(vic).patch(f"{URL}labels/", {"title": "Mine"}).status_code == 404
    assert APIClient().post(URL, {"title": "x", "suite": "small"}).status_code in (401, 403)


def test_a_token_needs_the_scope_to_write(suite, mira):
    for scope, status in (("read", 403), ("write", 201)):
        _, secret = create_token(mira, name=scope, scope=scope)
        client = APIClient(HTTP_AUTHORIZATION=f"Bearer {secret}")
        assert client.post(URL, {"title": "By program", "suite": "small", "language": "en"}).status_code == status


def test_it_handles_a_missing_campaign_suite_and_person(suite, mira):
    assert step(mira, "open", "nothing").status_code == 404
    assert make(mira, suite="nowhere").status_code == 404
    make(mira)
    assert step(mira, "people/nobody/end", reason="x").status_code == 404


def test_it_says_why(suite, mira):
    refused = make(mira, threshold=9)
    assert (refused.status_code, refused.json()["code"]) == (422, "bad_input")
    assert "but each case gets only" in refused.json()["title"]
    assert "version 7" in make(mira, guideline_version=7).json()["title"]
    make(mira, functionalities=["none_such"])
    assert "No case is selected" in step(mira, "open").json()["title"]
    unknown = step(mira, "people", emails=["who@example.org"])
    assert "who@example.org" in unknown.json()["title"]
    assert step(mira, "close").json()["code"] == "wrong_state"


def test_an_open_campaign_does_not_change_and_does_not_open_twice(suite, mira):
    make(mira)
    step(mira, "open")
    for answer in (api(mira).patch(f"{URL}labels/", {"title": "Other"}), step(mira, "open")):
        assert (answer.status_code, answer.json()["code"]) == (409, "wrong_state")
    incomplete = step(mira, "close")
    assert (incomplete.status_code, incomplete.json()["fields"]["missing"]) == (409, 8)
    assert step(mira, "close", leave_out_incomplete=True).json()["state"] == "closed"


def pseudonym_of(user) -> str:
    return annotator_for(user).pseudonym


def test_somebody_in_a_team_of_just_enough_people_can_be_replaced(suite, mira):
    first, second, third = make_people(3)
    make(mira, mode="team")
    step(mira, "people", emails=[first.email, second.email])
    step(mira, "open")
    alone = step(mira, f"people/{pseudonym_of(first)}/end", reason="Ill")
    assert (alone.status_code, "cannot be passed on" in alone.json()["title"]) == (409, True)
    done = step(mira, f"people/{pseudonym_of(first)}/end", reason="Ill", replaced_by=third.email)
    assert done.status_code == 204
    assert Assignment.objects.filter(annotator=annotator_for(third)).count() == 4
    assert not Assignment.objects.filter(annotator=annotator_for(first)).exists()


def test_somebody_is_paused_and_goes_on(suite, mira, expert):
    (person,) = make_people(1)
    make(mira)
    step(mira, "people", emails=[person.email])
    step(mira, "open")
    name = pseudonym_of(person)
    assert step(expert, f"people/{name}/pause", reason="Wait").status_code == 403
    assert step(mira, f"people/{name}/pause", reason="Wait").status_code == 204
    assert Participation.objects.get().reason == "Wait"
    assert step(mira, f"people/{name}/resume").status_code == 204
    assert Participation.objects.get().state == "active"
    assert step(mira, f"people/{name}/resume").status_code == 409


def test_only_people_who_label_in_the_language_are_added(suite, mira):
    (person,) = make_people(1)
    RoleGrant.objects.filter(user=person).update(language="de")
    make(mira)
    refused = step(mira, "people", emails=[person.email])
    assert (refused.status_code, "No annotator of this language" in refused.json()["title"]) == (422, True)


def test_what_people_are_owed_is_for_maintainers(suite, mira, expert):
    make(mira, pay_unit="case", pay_amount="0.100")
    step(mira, "open")
    label_everything(newcomer(Campaign.objects.get()))
    (row,) = api(mira).get(f"{URL}labels/payments/").json()
    assert (row["participant"], row["labels"], row["amount"], row["currency"]) == ("worker-1", 4, "0.40", "EUR")
    assert api(expert).get(f"{URL}labels/payments/").status_code == 403
