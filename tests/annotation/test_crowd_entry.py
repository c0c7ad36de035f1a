"""The link for platforms: one platform per campaign, and work that belongs to the browser in which it was begun."""

import re
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from accounts.models import AuditEvent
from annotation.campaigns.closing import close_campaign
from annotation.campaigns.services import create_campaign
from annotation.models import Annotator, Campaign, Participation
from annotation.people.crowd import choose_platform
from annotation.people.crowd_binding import BrowserPass, cookie_for, read_pass, release_browser
from annotation.people.participation import add_annotator, annotator_for
from core.errors import BadInput, NotAllowed, WrongState
from tests.annotation.factories import make_open_campaign, make_suite

pytestmark = pytest.mark.django_db
CODE = "CODE7"
OTHERS = {"prolific": "PROLIFIC_PID=me", "mturk": "workerId=me", "toloka": "worker_id=me", "crowd": "participant=me"}


@pytest.fixture
def campaign(mira) -> Campaign:
    return make_open_campaign(make_suite(), mira, per_annotator=2, completion_code=CODE, invited_only=True)


def page(name: str, campaign: Campaign) -> str:
    return reverse(f"annotation:{name}", args=[campaign.key])


def entry(campaign: Campaign, query: str = "PROLIFIC_PID=p1&STUDY_ID=s&SESSION_ID=x") -> str:
    return f"{reverse('annotation:crowd-entry', args=[campaign.entry_key])}?{query}"


def exchange(client: Client, campaign: Campaign, **facts: Any) -> Any:
    address = reverse("api-labelling-exchange", args=[campaign.key])
    return client.post(address, facts, content_type="application/json", headers={"Accept": "application/json"})


def begun(client: Client, campaign: Campaign) -> Client:
    """Somebody from the platform who has labelled both of their texts and may see the code."""
    assert client.get(entry(campaign)).url == page("consent", campaign)
    client.post(page("consent", campaign), {"agrees": "yes"})
    client.post(page("guidelines", campaign))
    for number, text in enumerate(exchange(client, campaign).json()["texts"]):
        event = {"client_id": f"c{number}", "assignment": text["assignment"], "label": "hateful"}
        assert exchange(client, campaign, events=[event]).json()["receipts"][0]["status"] == "stored"
    assert CODE in client.get(page("labelling-done", campaign)).content.decode()
    return client


def return_code_in(html: str) -> str:
    found = re.search(r"<code>([A-Z2-7]{4}(?:-[A-Z2-7]{4}){3})</code>", html)
    assert found, "the page shows no return code"
    return found[1]


def return_code_of(client: Client, campaign: Campaign) -> str:
    return return_code_in(client.get(page("labelling-settings-here", campaign)).content.decode())


class TestOnePlatform:
    @pytest.mark.parametrize("query", [query for name, query in OTHERS.items() if name != "prolific"])
    def test_parameters_of_another_platform_are_refused_with_a_page_that_says_so(self, client, campaign, query):
        answer = client.get(entry(campaign, f"{query}&assignmentId=a&turkSubmitTo=https://www.mturk.com"))
        assert answer.status_code == 403
        assert "This task is for people from Prolific" in answer.content.decode()
        assert not Annotator.objects.exists()

    @pytest.mark.parametrize("platform", OTHERS)
    def test_each_platform_opens_its_own_campaign(self, client, campaign, platform):
        Campaign.objects.filter(pk=campaign.pk).update(platform=platform)
        assert client.get(entry(campaign, OTHERS[platform])).url == page("consent", campaign)
        assert Annotator.objects.get().platform == platform

    def test_a_campaign_without_a_platform_takes_nobody_by_its_link(self, client, campaign):
        Campaign.objects.filter(pk=campaign.pk).update(platform="")
        answer = client.get(entry(campaign))
        assert answer.status_code == 403
        assert "not open to people from a platform" in answer.content.decode()
        assert not Annotator.objects.exists()

    def test_one_browser_is_one_participant(self, client, campaign):
        begun(client, campaign)
        for query in ("PROLIFIC_PID=p2", "workerId=p1", "participant=p1"):
            assert client.get(entry(campaign, query)).status_code in (403, 409)
        assert Participation.objects.get().annotator.external_id == "p1"
        assert CODE in client.get(page("labelling-done", campaign)).content.decode()  # and the first one keeps the pass

    def test_the_form_and_the_api_choose_it_and_refuse_what_is_none(self, client, mira):
        suite = make_suite()
        client.force_login(mira)
        form = client.get(reverse("annotation:campaign-new")).content.decode()
        assert '<option value="mturk">Amazon Mechanical Turk</option>' in form
        api = APIClient()
        api.force_authenticate(mira)
        facts = {"title": "Crowd", "suite": suite.key, "language": "en", "mode": "crowd"}
        made = api.post("/api/v1/campaigns/", {**facts, "platform": "toloka"}, format="json")
        assert (made.status_code, made.json()["platform"]) == (201, "toloka")
        assert api.post("/api/v1/campaigns/", {**facts, "platform": "king"}, format="json").status_code == 400
        with pytest.raises(BadInput, match="platform: Choose from"):
            create_campaign(suite, title="Crowd", by=mira, platform="king")

    def test_it_can_be_chosen_later_until_somebody_has_come_from_another(self, client, campaign, mira, emil):
        Campaign.objects.filter(pk=campaign.pk).update(platform="")
        campaign.refresh_from_db()
        with pytest.raises(NotAllowed):
            choose_platform(campaign, "mturk", by=emil)
        manager = Client()
        manager.force_login(mira)
        assert "Crowd platform" in manager.get(page("campaign-setup", campaign)).content.decode()
        manager.post(page("campaign-platform", campaign), {"platform": "mturk"})
        api = APIClient()
        api.force_authenticate(mira)
        changed = api.post(f"/api/v1/campaigns/{campaign.key}/platform/", {"platform": "prolific"}, format="json")
        assert (changed.status_code, changed.json()["platform"]) == (200, "prolific")
        client.get(entry(campaign))
        campaign.refresh_from_db()
        with pytest.raises(BadInput, match="another platform"):
            choose_platform(campaign, "mturk", by=mira)
        close_campaign(campaign, by=mira, leave_out_incomplete=True)
        with pytest.raises(WrongState):
            choose_platform(campaign, "prolific", by=mira)

    def test_campaigns_from_before_get_the_platform_their_people_came_from(self, mira):
        suite = make_suite()

        def made(**facts: Any) -> Campaign:
            return create_campaign(suite, title="Crowd", by=mira, **{"mode": "crowd", **facts})

        mixed, hinted, unknown, team = (
            made(), made(completion_url="https://app.prolific.com/submissions/complete"), made(),
            made(mode="team", platform="mturk"),
        )  # fmt: skip
        for number, platform in enumerate(["prolific", "mturk", "mturk", "demo", "demo", "demo"]):
            person = Annotator.objects.create(platform=platform, external_id=str(number))
            Participation.objects.create(campaign=mixed, annotator=person)
        import_module("annotation.migrations.0008_one_platform_and_browser").derive_platforms(apps, None)
        assert [Campaign.objects.get(pk=one.pk).platform for one in (mixed, hinted, unknown, team)] == [
            "mturk", "prolific", "", "",
        ]  # fmt: skip


class TestOneBrowser:
    def test_a_new_browser_with_the_same_id_sees_nothing_of_the_work(self, client, campaign):
        begun(client, campaign)
        before = Participation.objects.values().get()
        other = Client()
        answer = other.get(entry(campaign, "PROLIFIC_PID=p1&STUDY_ID=theirs&SESSION_ID=theirs"))
        shown = answer.content.decode()
        assert answer.status_code == 409
        assert "started this task in another browser" in shown
        assert "Return code" in shown
        pseudonym = Annotator.objects.get().pseudonym
        for name in ("label", "labelling-done", "labelling-settings-here", "consent"):
            refused = other.get(page(name, campaign))
            assert "/login/" in refused.url
            shown += refused.content.decode()
        assert CODE not in shown
        assert pseudonym not in shown
        assert exchange(other, campaign).status_code == 401
        assert other.get(reverse("api-labelling", args=[campaign.key])).status_code == 401
        assert Participation.objects.values().get() == before

    def test_reloading_and_coming_back_by_the_link_works_in_the_same_browser(self, client, campaign):
        begun(client, campaign)
        assert client.get(page("labelling-done", campaign)).status_code == 200
        back = client.get(entry(campaign, "PROLIFIC_PID=p1&SESSION_ID=second"))
        assert back.url == page("label", campaign)
        assert CODE in client.get(page("labelling-done", campaign)).content.decode()
        assert Participation.objects.get().session_id == "second"  # their own visit may name a new session

    def test_a_link_that_was_loaded_twice_before_consent_locks_nobody_out(self, client, campaign):
        Client().get(entry(campaign))
        assert client.get(entry(campaign)).url == page("consent", campaign)
        assert client.post(page("consent", campaign), {"agrees": "yes"}).status_code == 302
        assert Client().get(entry(campaign)).status_code == 409

    def test_a_signed_pass_with_another_secret_opens_nothing(self, client, campaign):
        begun(client, campaign)
        other = Client()
        guessed = BrowserPass(Annotator.objects.get().pk, "guessed")
        other.cookies[cookie_for(campaign.key)] = guessed.cookie(campaign.key)
        assert exchange(other, campaign).json()["code"] == "other_browser"
        assert other.get(page("labelling-done", campaign)).status_code == 409
        assert other.get(reverse("api-labelling", args=[campaign.key])).status_code == 409
        assert other.get(entry(campaign)).status_code == 409

    def test_after_the_end_the_code_is_shown_in_the_same_browser_only(self, client, campaign, mira):
        begun(client, campaign)
        close_campaign(campaign, by=mira, leave_out_incomplete=True)
        assert client.get(entry(campaign), follow=True).status_code == 200
        assert CODE in client.get(page("labelling-done", campaign)).content.decode()
        assert Client().get(entry(campaign)).status_code == 409


class TestReturning:
    def test_the_code_is_shown_in_ones_own_browser_and_stored_as_a_hash(self, client, campaign):
        client.get(entry(campaign))
        first = return_code_in(client.get(page("consent", campaign)).content.decode())
        client.post(page("consent", campaign), {"agrees": "yes"})
        client.post(page("guidelines", campaign))
        assert return_code_of(client, campaign) == first
        client.post(page("leave", campaign))
        assert return_code_in(client.get(page("labelling-done", campaign)).content.decode()) == first
        stored = str(Participation.objects.values().get())
        secret = read_pass({name: one.value for name, one in client.cookies.items()}, campaign.key).secret
        for plain in (first, first.replace("-", ""), secret):
            assert plain not in stored

    def test_it_moves_the_work_to_another_browser_once(self, client, campaign):
        code = return_code_of(begun(client, campaign), campaign)
        other = Client()
        moved = other.post(entry(campaign), {"return_code": f" {code.lower().replace('-', ' ')} "})
        assert moved.url == page("label", campaign)
        assert CODE in other.get(page("labelling-done", campaign)).content.decode()
        assert return_code_of(other, campaign) != code
        # The first browser is out, and the code is used up.
        assert exchange(client, campaign).json()["code"] == "other_browser"
        assert CODE not in client.get(page("labelling-done", campaign)).content.decode()
        assert client.get(entry(campaign)).status_code == 409
        assert Client().post(entry(campaign), {"return_code": code}).status_code == 422
        assert AuditEvent.objects.filter(action="annotator_changed", facts__has_key="moved").count() == 1

    def test_a_wrong_code_changes_nothing_and_is_not_logged(self, client, campaign, caplog):
        begun(client, campaign)
        before = Participation.objects.values().get()
        answer = Client().post(entry(campaign, "PROLIFIC_PID=p1&STUDY_ID=theirs"), {"return_code": "ABCD-WRONG"})
        assert answer.status_code == 422
        assert "This is not your return code" in answer.content.decode()
        assert Participation.objects.values().get() == before
        assert "ABCD-WRONG" not in caplog.text
        assert "ABCD-WRONG" not in str(list(AuditEvent.objects.values("facts")))

    def test_the_code_of_one_person_does_not_open_the_work_of_another(self, client, campaign):
        code = return_code_of(begun(client, campaign), campaign)
        second = Client()
        second.get(entry(campaign, "PROLIFIC_PID=p2"))
        second.post(page("consent", campaign), {"agrees": "yes"})
        assert Client().post(entry(campaign, "PROLIFIC_PID=p2"), {"return_code": code}).status_code == 422


class TestReleasing:
    def test_a_maintainer_releases_a_person_on_the_page(self, client, campaign, mira):
        begun(client, campaign)
        manager = Client()
        manager.force_login(mira)
        shown = manager.get(page("campaign-setup", campaign)).content.decode()
        assert "Release browser" in shown
        assert "Participant ID: p1" in shown  # what the person names when they ask for it
        pseudonym = Annotator.objects.get().pseudonym
        person = reverse("annotation:campaign-person", args=[campaign.key, pseudonym])
        manager.post(person, {"step": "release"})
        assert "Release browser" not in manager.get(page("campaign-setup", campaign)).content.decode()
        assert exchange(client, campaign).json()["code"] == "other_browser"
        other = Client()
        assert other.get(entry(campaign)).url == page("label", campaign)
        assert client.get(entry(campaign)).status_code == 409
        event = AuditEvent.objects.get(facts__has_key="released")
        assert (event.actor, event.facts) == (mira, {"released": pseudonym})

    def test_over_the_api_too_and_for_maintainers_alone(self, client, campaign, mira, emil):
        begun(client, campaign)
        address = f"/api/v1/campaigns/{campaign.key}/people/{Annotator.objects.get().pseudonym}/release/"
        api = APIClient()
        api.force_authenticate(emil)
        assert api.post(address).status_code == 403
        api.force_authenticate(mira)
        assert api.post(address).status_code == 204
        assert api.post(address).status_code == 422  # there is nothing left to release
        assert Client().get(entry(campaign)).url == page("label", campaign)

    def test_people_with_an_account_are_bound_to_no_browser(self, client, campaign, mira, ana):
        person = add_annotator(campaign, annotator_for(ana), by=mira)
        with pytest.raises(BadInput, match="not bound to a browser"):
            release_browser(person, by=mira)
        for browser in (client, Client()):
            browser.force_login(ana)
            assert browser.get(page("consent", campaign)).status_code == 200
            assert "return code" not in browser.get(page("consent", campaign)).content.decode()
