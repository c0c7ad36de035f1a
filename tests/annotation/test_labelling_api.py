"""The exchange: answers in, receipts and texts out; blind, repeatable, refusing strangers."""

import pytest
from django.urls import reverse

from accounts.services.tokens import create_token
from annotation.campaigns.closing import pause_campaign
from annotation.labelling.exchange import Exchanged, ShownText, exchange
from annotation.labelling.recording import Receipt
from annotation.models import Annotation, Assignment
from annotation.people.participation import annotator_for, leave_campaign
from tests.annotation.factories import make_open_campaign, make_suite, newcomer, ready

pytestmark = pytest.mark.django_db

HIDDEN = {
    "gold",
    "gold_label",
    "template",
    "functionality",
    "case",
    "key",
    "slot",
    "role",
    "expected",
    "order",
    "votes",
    "origin",
}


@pytest.fixture
def campaign(mira):
    return make_open_campaign(make_suite(), mira, batch_size=4)


@pytest.fixture
def at_work(client, campaign, ana):
    ready(campaign, annotator_for(ana))
    client.force_login(ana)
    return client


def send(client, campaign, *events, **facts):
    url = reverse("api-labelling-exchange", args=[campaign.key])
    return client.post(url, {"events": events, **facts}, content_type="application/json")


def label(key: str, client_id: str = "one", value: str = "hateful") -> dict[str, object]:
    return {"client_id": client_id, "assignment": key, "kind": "label", "label": value, "milliseconds": 900}


class TestExchange:
    def test_it_works(self, at_work, campaign):
        texts = send(at_work, campaign).json()["texts"]
        assert len(texts) == 4
        answer = send(
            at_work, campaign, label(texts[0]["assignment"]), have=[text["assignment"] for text in texts[1:]]
        ).json()
        assert answer["receipts"] == [{"client_id": "one", "status": "stored", "reason": ""}]
        assert answer["gone"] == []
        assert Assignment.objects.get(key=texts[0]["assignment"]).label == "hateful"

    def test_the_same_request_gets_the_same_answer_and_changes_nothing(self, at_work, campaign):
        texts = send(at_work, campaign).json()["texts"]
        events = [label(text["assignment"], f"c{place}") for place, text in enumerate(texts)]
        first, second = send(at_work, campaign, *events).json(), send(at_work, campaign, *events).json()
        assert first == second
        assert Annotation.objects.count() == 4

    def test_texts_one_has_are_not_sent_again(self, at_work, campaign):
        keys = [text["assignment"] for text in send(at_work, campaign).json()["texts"]]
        assert send(at_work, campaign, have=keys).json()["texts"] == []

    def test_lost_texts_are_named(self, at_work, campaign):
        keys = [text["assignment"] for text in send(at_work, campaign).json()["texts"]]
        Assignment.objects.filter(key=keys[0]).update(state="open", annotator=None)
        assert send(at_work, campaign, have=keys).json()["gone"] == [keys[0]]

    def test_a_label_and_taking_it_back_in_one_request(self, at_work, campaign):
        key = send(at_work, campaign).json()["texts"][0]["assignment"]
        undo = {"client_id": "two", "assignment": key, "kind": "undo"}
        answer = send(at_work, campaign, label(key), undo, label(key, "three", "non-hateful")).json()
        assert [receipt["status"] for receipt in answer["receipts"]] == ["stored"] * 3
        slot = Assignment.objects.get(key=key)
        assert slot.label == "non-hateful"
        assert list(slot.annotations.order_by("revision").values_list("kind", flat=True)) == ["label", "undo", "label"]

    def test_an_unknown_answer_is_refused_by_name(self, at_work, campaign):
        key = send(at_work, campaign).json()["texts"][0]["assignment"]
        receipt = send(at_work, campaign, label(key, value="perhaps")).json()["receipts"][0]
        assert (receipt["status"], receipt["reason"]) == ("refused", "'perhaps' is not one of the answers.")

    def test_somebody_elses_text_is_not_mine(self, at_work, campaign, ana):
        theirs = exchange(newcomer(campaign)).texts[0].assignment
        receipt = send(at_work, campaign, label(theirs)).json()["receipts"][0]
        assert (receipt["status"], receipt["reason"]) == ("refused", "This text is not assigned to you.")
        assert not Assignment.objects.filter(state="done").exists()
        assert not Assignment.objects.filter(key=theirs, annotator=annotator_for(ana)).exists()
        assert not Annotation.objects.exists()

    def test_a_key_of_somebody_who_left_takes_no_free_slot(self, at_work, campaign):
        other = newcomer(campaign)
        theirs = exchange(other).texts[0].assignment
        leave_campaign(other)
        assert send(at_work, campaign, label(theirs)).json()["receipts"][0]["status"] == "refused"
        assert not Annotation.objects.exists()
        assert not Assignment.objects.filter(state="done").exists()

    def test_while_paused_labels_are_taken_and_nothing_is_handed_out(self, at_work, campaign, mira):
        key = send(at_work, campaign).json()["texts"][0]["assignment"]
        pause_campaign(campaign, by=mira)
        answer = send(at_work, campaign, label(key)).json()
        assert (answer["receipts"][0]["status"], answer["texts"], answer["stop"]) == ("stored", [], "paused")

    def test_a_daily_limit_stops_the_day(self, at_work, campaign, ana):
        annotator = annotator_for(ana)
        annotator.daily_limit = 1
        annotator.save()
        key = send(at_work, campaign).json()["texts"][0]["assignment"]
        assert send(at_work, campaign, label(key)).json()["stop"] == "daily_limit"

    def test_it_refuses_a_stranger(self, client, campaign, vic):
        client.force_login(vic)
        response = send(client, campaign)
        assert (response.status_code, response.json()["code"]) == (404, "not_taking_part")

    def test_it_tells_whoever_is_signed_out(self, client, campaign):
        response = send(client, campaign)
        assert (response.status_code, response.json()["code"]) == (401, "signed_out")

    def test_answers_of_one_person_are_not_sent_away_in_the_name_of_another(self, at_work, campaign, ana):
        key = send(at_work, campaign).json()["texts"][0]["assignment"]
        refused = send(at_work, campaign, label(key), who="annotator-somebody")
        assert (refused.status_code, refused.json()["code"]) == (409, "other_annotator")
        assert send(at_work, campaign, label(key), who=annotator_for(ana).pseudonym).json()["receipts"] == [
            {"client_id": "one", "status": "stored", "reason": ""}
        ]

    def test_it_handles_a_missing_campaign(self, at_work):
        assert (
            at_work.post("/api/v1/labelling/nothing/exchange", {}, content_type="application/json").status_code == 404
        )

    def test_it_says_why_before_consent(self, client, campaign, ana):
        from annotation.models import Participation

        Participation.objects.create(campaign=campaign, annotator=annotator_for(ana))
        client.force_login(ana)
        response = send(client, campaign)
        assert (response.status_code, response.json()["fields"]["step"]) == (409, "consent")

    def test_it_says_which_field_is_wrong(self, at_work, campaign):
        response = send(at_work, campaign, {"assignment": "x"})
        assert response.status_code == 400
        assert "client_id" in str(response.json()["fields"])

    def test_a_token_needs_the_scope_to_write(self, client, campaign, ana):
        ready(campaign, annotator_for(ana))
        for scope, status in (("read", 403), ("write", 200)):
            made = create_token(ana, name="t", scope=scope)
            secret = made[1] if isinstance(made, tuple) else made
            response = client.post(
                reverse("api-labelling-exchange", args=[campaign.key]), {}, content_type="application/json",
                headers={"Authorization": f"Bearer {secret}"},
            )  # fmt: skip
            assert response.status_code == status


class TestBlindness:
    def test_the_types_list_everything_an_annotator_gets(self):
        assert set(ShownText.__slots__) == {"assignment", "text", "language", "direction", "statement"}
        assert set(Exchanged.__slots__) == {"receipts", "texts", "gone", "stop", "message"}
        assert set(Receipt.__slots__) == {"client_id", "status", "reason"}

    def test_no_answer_of_the_server_has_a_telling_key(self, at_work, campaign):
        def keys_in(value):
            if isinstance(value, dict):
                yield from value
                for inner in value.values():
                    yield from keys_in(inner)
            elif isinstance(value, list):
                for inner in value:
                    yield from keys_in(inner)

        task = at_work.get(reverse("api-labelling", args=[campaign.key])).json()
        exchanged = send(at_work, campaign).json()
        assert not (set(keys_in(task)) | set(keys_in(exchanged))) & HIDDEN

    def test_keys_of_texts_say_nothing_about_order_or_case(self, campaign):
        rows = list(Assignment.objects.order_by("order").values_list("key", flat=True))
        assert len(set(rows)) == len(rows)
        assert sorted(rows) != rows

    def test_checks_look_like_every_other_text(self, mira, client, ana):
        from annotation.campaigns.known_answers import KnownAnswer, add_own_items
        from annotation.campaigns.models import Role
        from annotation.campaigns.opening import open_campaign
        from annotation.campaigns.services import create_campaign

        suite = make_suite()
        campaign = create_campaign(
            suite, title="Checks", by=mira, language="en", mode="crowd", check_every=2,
            batch_size=3,
            asks_demographics=False,
        )  # fmt: skip
        add_own_items(campaign, Role.CHECK, [KnownAnswer("Press non-hateful.", "non-hateful")], by=mira)
        open_campaign(campaign, by=mira)
        ready(campaign, annotator_for(ana))
        client.force_login(ana)
        seen = []
        for _ in range(4):
            texts = send(client, campaign).json()["texts"]
            seen += texts
            send(client, campaign, *[label(text["assignment"], f"c{text['assignment']}") for text in texts])
        checks = [text for text in seen if text["text"] == "Press non-hateful."]
        assert len(checks) == 1
        assert {tuple(text) for text in seen} == {tuple(checks[0])}
        assert {text["language"] for text in seen} == {"en"}
        assert Assignment.objects.get(key=checks[0]["assignment"]).label is None


class TestTask:
    def test_it_says_what_is_asked_and_how_far_one_is(self, at_work, campaign):
        task = at_work.get(reverse("api-labelling", args=[campaign.key])).json()
        assert task["labels"] == ["hateful", "non-hateful"]
        assert (task["step"], task["progress"]["total"]) == ("ready", 24)


class TestLeaving:
    def test_leaving_gives_back_what_one_holds(self, at_work, campaign):
        send(at_work, campaign)
        assert at_work.post(reverse("api-labelling-leave", args=[campaign.key])).status_code == 204
        assert not Assignment.objects.filter(state="claimed").exists()
