"""The pages of annotators and of those who set campaigns up."""

import json
import re

import pytest
from django.urls import reverse

from annotation.campaigns.closing import cancel_campaign, close_campaign
from annotation.campaigns.known_answers import KnownAnswer, add_own_items, draw_items
from annotation.campaigns.models import Role
from annotation.campaigns.opening import open_campaign
from annotation.campaigns.services import create_campaign
from annotation.labelling.exchange import exchange
from annotation.labelling.recording import Event
from annotation.models import Annotator, Assignment, Campaign, DemographicAnswer, Participation
from annotation.people.participation import add_annotator, annotator_for
from curation.catalogue.loading import load_catalogue
from curation.models import Language
from tests.annotation.factories import answer, make_open_campaign, make_people, make_suite, newcomer, ready
from tests.html import one_line

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign(mira):
    return make_open_campaign(make_suite(), mira, people=[])


@pytest.fixture
def at_work(client, campaign, ana):
    ready(campaign, annotator_for(ana))
    client.force_login(ana)
    return client


def page(name: str, campaign: Campaign) -> str:
    return reverse(f"annotation:{name}", args=[campaign.key])


def config_of(html: str) -> dict:
    return json.loads(re.search(r'<script id="labelling-config"[^>]*>(.*?)</script>', html, re.S)[1])


class TestTheScreen:
    def test_it_arrives_with_its_first_texts(self, at_work, campaign):
        config = config_of(at_work.get(page("label", campaign)).content.decode())
        assert len(config["first"]["texts"]) == campaign.batch_size
        assert config["progress"] == {"done": 0, "total": 24, "today": 0}

    def test_it_knows_nothing_that_must_stay_hidden(self, at_work, campaign):
        html = at_work.get(page("label", campaign)).content.decode()
        for secret in ("dislike_h", "like_nh", "small-0", "functionality", "expected"):
            assert secret not in html
        assert set(config_of(html)["first"]["texts"][0]) == {"assignment", "text", "language", "direction", "statement"}

    def test_loaded_again_it_still_knows_what_can_be_taken_back(self, at_work, campaign, ana):
        first = config_of(at_work.get(page("label", campaign)).content.decode())["first"]["texts"]
        participation = Participation.objects.get(annotator__user=ana)
        answer(participation, first[0]["assignment"], comment="Unsure.", is_unrealistic=True, unrealistic_because="Odd")
        answer(participation, first[1]["assignment"])
        exchange(participation, [Event("u", first[1]["assignment"], "undo")])
        config = config_of(at_work.get(page("label", campaign)).content.decode())
        said = {"comment": "Unsure.", "is_unrealistic": True, "unrealistic_because": "Odd"}
        assert config["recent"] == [{"text": first[0], **said}]

    @pytest.mark.parametrize(
        ("asked", "hateful"),
        [
            ({}, ["hateful"]),
            ({"question": "scale", "binarise_above": 3}, ["4", "5"]),
            ({"question": "consistency"}, []),
            ({"question": "choice", "labels": ["calm", "angry"]}, []),
        ],
    )
    def test_breaks_are_offered_after_answers_that_call_a_text_hateful(self, client, mira, ana, asked, hateful):
        campaign = make_open_campaign(make_suite(), mira, **asked)
        ready(campaign, annotator_for(ana))
        client.force_login(ana)
        assert config_of(client.get(page("label", campaign)).content.decode())["hateful"] == hateful

    def test_nobody_is_let_into_a_draft(self, client, mira, ana):
        suite = make_suite()
        campaign = create_campaign(suite, title="Draft", by=mira, language="en")
        add_annotator(campaign, annotator_for(ana), by=mira)
        client.force_login(ana)
        response = client.get(page("consent", campaign))
        assert response.status_code == 409
        assert "not open yet" in response.content.decode()

    def test_whoever_comes_too_late_is_not_led_through_consent_and_training(self, client, campaign, mira, ana):
        add_annotator(campaign, annotator_for(ana), by=mira)
        close_campaign(campaign, by=mira, leave_out_incomplete=True)
        client.force_login(ana)
        assert client.get(page("label", campaign)).url == page("labelling-done", campaign)
        assert client.get(page("consent", campaign)).url == page("labelling-done", campaign)
        html = client.get(page("labelling-done", campaign)).content.decode()
        assert "This campaign is closed" in html
        assert "Continue labelling" not in html

    def test_people_of_a_campaign_that_was_called_off_get_their_code(self, at_work, campaign, mira):
        Campaign.objects.update(completion_code="C0DE")
        cancel_campaign(campaign, reason="Wrong question", by=mira)
        assert "C0DE" in at_work.get(page("labelling-done", campaign)).content.decode()

    def test_whether_a_text_does_what_it_should_is_trained_with_what_it_should_do(self, client, mira, ana):
        suite = make_suite()
        campaign = create_campaign(
            suite, title="Fits", by=mira, language="en", mode="crowd", question="consistency",
            pass_mark=0.5,
        )  # fmt: skip
        draw_items(campaign, Role.TRAINING, 1, by=mira)
        draw_items(campaign, Role.TEST, 1, by=mira)
        add_annotator(campaign, annotator_for(ana), by=mira)
        open_campaign(campaign, by=mira)
        client.force_login(ana)
        client.post(page("consent", campaign), {"agrees": "yes"})
        client.post(page("guidelines", campaign))
        assert re.search(r"It is (non-)?hateful\.", client.get(page("training", campaign)).content.decode())
        item = campaign.items.get(role=Role.TRAINING)
        client.post(page("training", campaign), {"item": item.pk, "label": "yes"})
        assert re.search(r"It is (non-)?hateful\.", client.get(page("test", campaign)).content.decode())

    def test_on_a_scale_training_says_which_answers_were_expected(self, client, mira, ana):
        suite = make_suite()
        campaign = create_campaign(suite, title="Scale", by=mira, language="en", mode="crowd", question="scale")
        add_own_items(campaign, Role.TRAINING, [KnownAnswer("They should leave.", "hateful")], by=mira)
        add_annotator(campaign, annotator_for(ana), by=mira)
        open_campaign(campaign, by=mira)
        client.force_login(ana)
        client.post(page("consent", campaign), {"agrees": "yes"})
        client.post(page("guidelines", campaign))
        given = {"item": campaign.items.get(role=Role.TRAINING).pk, "label": "2"}
        response = client.post(page("training", campaign), given)
        assert response.context["expected"] == ["4", "5"]
        assert "Not quite: the expected answers are 4, 5 (very)." in response.content.decode()

    def test_whoever_lost_a_platforms_pass_is_told_how_to_come_back(self, client, campaign):
        html = client.get(page("label", campaign), follow=True).content.decode()
        assert "open the task from your platform again" in html

    def test_it_refuses_a_stranger(self, client, campaign, vic):
        client.force_login(vic)
        assert client.get(page("label", campaign)).status_code == 404

    def test_it_sends_visitors_to_the_sign_in(self, client, campaign):
        assert client.get(page("label", campaign)).url.startswith("/account/login/")

    def test_a_missing_campaign_looks_like_one_of_somebody_else(self, at_work):
        assert at_work.get("/label/nothing/").status_code == 404

    def test_it_sends_people_to_the_step_they_are_at(self, client, campaign, ana):
        Participation.objects.create(campaign=campaign, annotator=annotator_for(ana))
        client.force_login(ana)
        assert client.get(page("label", campaign)).url == page("consent", campaign)

    def test_leaving_gives_texts_back(self, at_work, campaign):
        at_work.get(page("label", campaign))
        at_work.post(page("leave", campaign))
        assert not Assignment.objects.filter(state="claimed").exists()

    def test_its_number_of_queries_does_not_grow(self, at_work, campaign, django_assert_max_num_queries):
        with django_assert_max_num_queries(25):
            at_work.get(page("label", campaign))


class TestOnboarding:
    @pytest.fixture
    def campaign(self, mira, ana):
        campaign = create_campaign(
            make_suite(), title="With training", by=mira, language="en", raters=1,
            threshold=1,
            mode="crowd", pass_mark=0.5, qualification_tries=2,
        )  # fmt: skip
        add_own_items(
            campaign, Role.TRAINING, [KnownAnswer("A mild text.", "non-hateful", "Nobody is attacked.")], by=mira
        )
        add_own_items(campaign, Role.TEST, [KnownAnswer(f"Test {n}.", "hateful") for n in range(2)], by=mira)
        add_annotator(campaign, annotator_for(ana), by=mira)
        return open_campaign(campaign, by=mira)

    def walk_to_the_test(self, client, campaign):
        client.post(page("consent", campaign), {"agrees": "yes"})
        client.post(page("guidelines", campaign))
        item = campaign.items.get(role=Role.TRAINING)
        return client.post(page("training", campaign), {"item": item.pk, "label": "hateful"})

    def test_every_step_leads_to_the_next_and_then_to_the_screen(self, client, campaign, ana):
        client.force_login(ana)
        feedback = self.walk_to_the_test(client, campaign).content.decode()
        assert "Nobody is attacked." in feedback
        answers = {f"item-{item.pk}": "hateful" for item in campaign.items.filter(role=Role.TEST)}
        assert client.post(page("test", campaign), answers).url == page("about-you", campaign)
        assert client.post(page("about-you", campaign), {"age": "25 to 34"}).url == page("label", campaign)
        assert client.get(page("label", campaign)).status_code == 200
        assert DemographicAnswer.objects.get().answers == {"age": "25 to 34"}

    def test_without_consent_nothing_goes_on(self, client, campaign, ana):
        client.force_login(ana)
        client.post(page("consent", campaign), {})
        assert client.get(page("label", campaign)).url == page("consent", campaign)

    def test_failing_the_last_try_ends_the_participation(self, client, campaign, ana):
        client.force_login(ana)
        self.walk_to_the_test(client, campaign)
        answers = {f"item-{item.pk}": "non-hateful" for item in campaign.items.filter(role=Role.TEST)}
        assert client.post(page("test", campaign), answers).url == page("test", campaign)
        assert client.post(page("test", campaign), answers).url == page("labelling-done", campaign)
        html = client.get(page("labelling-done", campaign)).content.decode()
        assert "The test was not passed: 0 of 2 right, 1 needed." in html

    def test_a_test_with_gaps_is_not_taken(self, client, campaign, ana):
        client.force_login(ana)
        self.walk_to_the_test(client, campaign)
        assert "have no answer yet" in client.post(page("test", campaign), {}).content.decode()
        assert Participation.objects.get().tries == 0


class TestMyWork:
    def test_it_shows_what_there_is_to_do(self, at_work, campaign):
        html = at_work.get(reverse("annotation:my-work")).content.decode()
        assert campaign.title in html
        assert "0 texts today" in html

    def test_open_campaigns_can_be_joined(self, client, mira, ana):
        campaign = make_open_campaign(make_suite(), mira, invited_only=False)
        client.force_login(ana)
        assert "Take part" in client.get(reverse("annotation:my-work")).content.decode()
        assert client.post(page("join", campaign)).url == page("consent", campaign)

    def test_campaigns_by_invitation_cannot_be_joined(self, client, campaign, ana):
        client.force_login(ana)
        assert client.post(page("join", campaign)).status_code == 404

    def test_it_is_not_for_visitors(self, client, vic):
        client.force_login(vic)
        assert client.get(reverse("annotation:my-work")).status_code == 403

    def test_settings_are_kept(self, client, ana):
        client.force_login(ana)
        values = {
            "covers_text": "on",
            "break_after": 10,
            "daily_limit": 50,
            "key_label1": "j",
            "key_label2": "k",
            "key_skip": "Space",
        }
        assert client.post(reverse("annotation:labelling-settings"), values).status_code == 302
        annotator = annotator_for(ana)
        assert (annotator.covers_text, annotator.daily_limit) == (True, 50)
        assert annotator.key_bindings == {"label1": "j", "label2": "k"}

    def test_one_key_cannot_do_two_things(self, client, ana):
        client.force_login(ana)
        html = client.post(
            reverse("annotation:labelling-settings"), {"break_after": 10, "key_label1": "f"}
        ).content.decode()
        assert "is used twice" in html


class TestCrowds:
    def entry(self, campaign: Campaign, query: str) -> str:
        return f"{reverse('annotation:crowd-entry', args=[campaign.entry_key])}?{query}"

    def test_somebody_from_a_platform_sets_their_own_limit(self, client, campaign):
        client.get(self.entry(campaign, "PROLIFIC_PID=p1"))
        url = page("labelling-settings-here", campaign)
        assert "Texts per day" in client.get(url).content.decode()
        assert client.post(url, {"break_after": 15, "daily_limit": 30}).url == page("label", campaign)
        assert Annotator.objects.get(external_id="p1").daily_limit == 30

    def test_settings_in_a_campaign_refuse_strangers(self, client, campaign, vic):
        assert "/login/" in client.get(page("labelling-settings-here", campaign)).url
        client.force_login(vic)
        assert client.get(page("labelling-settings-here", campaign)).status_code == 404

    def test_somebody_from_a_platform_needs_no_account(self, client, campaign):
        assert client.get(self.entry(campaign, "PROLIFIC_PID=p1&STUDY_ID=s&SESSION_ID=x")).url == page(
            "consent", campaign
        )
        client.post(page("consent", campaign), {"agrees": "yes"})
        client.post(page("guidelines", campaign))
        assert client.get(page("label", campaign)).status_code == 200
        participation = Participation.objects.get(annotator__external_id="p1")
        assert (participation.study_id, participation.session_id) == ("s", "x")

    def test_a_bare_link_does_not_take_study_and_session_away(self, client, campaign):
        client.get(self.entry(campaign, "PROLIFIC_PID=p1&STUDY_ID=s&SESSION_ID=x"))
        client.get(self.entry(campaign, "PROLIFIC_PID=p1"))
        participation = Participation.objects.get(annotator__external_id="p1")
        assert (participation.study_id, participation.session_id) == ("s", "x")

    def test_a_team_has_no_door_for_platforms(self, client, campaign):
        Campaign.objects.filter(pk=campaign.pk).update(mode="team")
        assert client.get(self.entry(campaign, "PROLIFIC_PID=p1")).status_code == 404
        assert not Annotator.objects.filter(external_id="p1").exists()

    def test_coming_again_is_the_same_person(self, client, campaign):
        Campaign.objects.filter(pk=campaign.pk).update(platform="mturk")
        for _ in range(2):
            client.get(self.entry(campaign, "workerId=w1&assignmentId=a&hitId=h"))
        assert Annotator.objects.filter(platform="mturk", external_id="w1").count() == 1

    def test_a_forged_pass_opens_nothing(self, client, campaign):
        newcomer(campaign)
        client.cookies[f"touchstone_visitor_{campaign.key}"] = "forged"
        assert client.get(page("label", campaign)).status_code == 302

    def test_a_link_without_a_person_says_why(self, client, campaign):
        response = client.get(self.entry(campaign, "x=1"))
        assert response.status_code == 422
        assert "does not say who you are" in response.content.decode()

    def test_a_preview_on_mturk_makes_nobody(self, client, campaign):
        Campaign.objects.filter(pk=campaign.pk).update(platform="mturk")
        response = client.get(self.entry(campaign, "assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE&hitId=h"))
        assert "Accept the task" in response.content.decode()
        assert not Participation.objects.exists()

    def test_mturk_gets_its_code_by_its_own_form(self, client, campaign):
        Campaign.objects.filter(pk=campaign.pk).update(platform="mturk")
        response = client.get(
            self.entry(campaign, "workerId=w&assignmentId=a&turkSubmitTo=https://workersandbox.mturk.com")
        )
        html = response.content.decode()
        assert 'action="https://workersandbox.mturk.com/mturk/externalSubmit"' in html
        assert "mturk.com" in response.headers["Content-Security-Policy"]
        assert "X-Frame-Options" not in response.headers

    def test_a_foreign_host_never_becomes_the_place_to_submit(self, client, campaign):
        Campaign.objects.filter(pk=campaign.pk).update(platform="mturk")
        response = client.get(self.entry(campaign, "workerId=w&assignmentId=a&turkSubmitTo=https://evil.example"))
        assert "evil.example/mturk" not in response.content.decode()

    def test_the_code_is_shown_when_everything_is_done(self, client, mira):
        campaign = make_open_campaign(
            make_suite(), mira, per_annotator=1, completion_code="CODE7", completion_url="https://app.example/complete"
        )
        client.get(self.entry(campaign, "PROLIFIC_PID=p1"))
        client.post(page("consent", campaign), {"agrees": "yes"})
        client.post(page("guidelines", campaign))
        assert "CODE7" not in client.get(page("labelling-done", campaign)).content.decode()
        key = config_of(client.get(page("label", campaign)).content.decode())["first"]["texts"][0]["assignment"]
        event = {"client_id": "c1", "assignment": key, "label": "hateful"}
        client.post(
            reverse("api-labelling-exchange", args=[campaign.key]), {"events": [event]}, content_type="application/json"
        )
        html = client.get(page("labelling-done", campaign)).content.decode()
        assert "CODE7" in html
        assert "https://app.example/complete?cc=CODE7" in html

    def test_the_payment_list_is_for_managers_and_safe_for_spreadsheets(self, client, campaign, mira, ana):
        client.get(self.entry(campaign, "PROLIFIC_PID=%3Dcmd()"))
        client.force_login(ana)
        assert client.get(page("campaign-payments", campaign)).status_code == 404
        client.force_login(mira)
        rows = client.get(page("campaign-payments", campaign)).getvalue().decode().splitlines()
        assert rows[0].startswith("annotator,platform,participant")
        assert "'=cmd()" in rows[1]


class TestPeople:
    @pytest.fixture
    def team(self, mira):
        people = make_people(3)
        campaign = make_open_campaign(make_suite(), mira, people=people[:2], mode="team", raters=2)
        return campaign, people

    def step(self, client, campaign, person, **facts) -> str:
        url = reverse("annotation:campaign-person", args=[campaign.key, annotator_for(person).pseudonym])
        return client.post(url, facts, follow=True).content.decode()

    def test_whoever_a_rule_has_paused_can_be_let_go_on(self, client, team, mira):
        campaign, people = team
        Participation.objects.filter(annotator__user=people[0]).update(state="paused", reason="Too fast")
        client.force_login(mira)
        assert "Resume" in client.get(page("campaign-setup", campaign)).content.decode()
        assert "Resumed. This annotator can label again." in self.step(client, campaign, people[0], step="resume")
        assert Participation.objects.get(annotator__user=people[0]).state == "active"

    def test_somebody_is_paused_with_the_reason_they_will_see(self, client, team, mira):
        campaign, people = team
        client.force_login(mira)
        self.step(client, campaign, people[0], step="pause", reason="Let us talk first")
        assert Participation.objects.get(annotator__user=people[0]).reason == "Let us talk first"

    def test_somebody_is_replaced_by_a_chosen_person(self, client, team, mira):
        campaign, people = team
        client.force_login(mira)
        html = self.step(client, campaign, people[0], step="end", reason="Ill", replaced_by=people[2].pk)
        assert "24 open cases went to Person 3" in html
        assert Assignment.objects.filter(annotator__user=people[2]).count() == 24

    def test_ending_somebodys_work_says_first_what_will_happen(self, client, team, mira):
        campaign, _ = team
        client.force_login(mira)
        html = one_line(client.get(page("campaign-setup", campaign)).content.decode())
        assert "This annotator cannot label here again. 24 open cases will go to the chosen annotators." in html

    def test_cases_of_somebody_who_was_sent_away_by_a_rule_can_be_passed_on(self, client, team, mira):
        campaign, people = team
        Participation.objects.filter(annotator__user=people[0]).update(state="ended", reason="Failed checks")
        client.force_login(mira)
        assert (
            "24 open cases are waiting for another annotator"
            in client.get(page("campaign-setup", campaign)).content.decode()
        )
        overview = client.get(reverse("annotation:campaign", args=[campaign.key])).content.decode()
        assert "left with 24 open cases" in overview
        self.step(client, campaign, people[0], step="end", replaced_by=people[2].pk)
        assert Assignment.objects.filter(annotator__user=people[2]).count() == 24

    def test_it_refuses_a_stranger_and_a_step_there_is_not(self, client, team, mira, ana):
        campaign, people = team
        client.force_login(ana)
        url = reverse("annotation:campaign-person", args=[campaign.key, annotator_for(people[0]).pseudonym])
        assert client.post(url, {"step": "pause"}).status_code == 403
        client.force_login(mira)
        assert client.post(url, {"step": "promote"}).status_code == 422


class TestSettingUp:
    def values(self, suite, **more):
        return {
            "title": "A new one", "suite": suite.key, "language": "en", "question": "binary",
            "raters": 2,
            "threshold": 2, "mode": "team", "batch_size": 5, "lease_minutes": 30, "check_every": 20,
            "qualification_tries": 2,
            "pay_currency": "EUR", "seconds_per_case": 8, "skips_times": 5, "skips_then": "pause", **more,
        }  # fmt: skip

    @pytest.mark.parametrize(
        ("given", "field"),
        [
            ({"too_fast_times": 3, "too_fast_then": "warn"}, "too_fast_milliseconds"),
            ({"checks_times": 2}, "checks_then"),
            ({"skips_times": "", "skips_then": "end"}, "skips_times"),
            ({"seconds_per_case": 0}, "seconds_per_case"),
            ({"pay_unit": "hour"}, "pay_amount"),
        ],
    )
    def test_half_a_rule_or_a_number_that_does_not_work_is_said_beside_its_field(self, client, mira, given, field):
        suite = make_suite()
        client.force_login(mira)
        response = client.post(reverse("annotation:campaign-new"), self.values(suite, **given))
        assert list(response.context["form"].errors) == [field]
        assert f'<a href="#id_{field}">' in response.content.decode()
        assert not Campaign.objects.exists()

    def test_a_link_may_choose_the_origin_of_the_cases(self, client, mira):
        client.force_login(mira)
        html = client.get(reverse("annotation:campaign-new"), {"origins": ["llm", "attack"]}).content.decode()
        chosen = re.findall(r'value="(\w+)"[^>]*(?:selected|checked)', html)
        assert {"llm", "attack"} <= set(chosen)
        assert not {"template", "hand", "import"} & set(chosen)

    def test_a_maintainer_takes_a_campaign_from_draft_to_closed(self, client, mira):
        suite, people = make_suite(), make_people(2)
        client.force_login(mira)
        assert client.get(reverse("annotation:campaign-new")).status_code == 200
        response = client.post(reverse("annotation:campaign-new"), self.values(suite))
        campaign = Campaign.objects.get()
        assert response.url == page("campaign-setup", campaign)
        assert campaign.quality_rules == {"skips_in_a_row": {"times": 5, "then": "pause"}}
        assert "Add annotators" in client.get(page("campaign-setup", campaign)).content.decode()
        client.post(page("campaign-people", campaign), {"user": [person.pk for person in people]})
        client.post(
            page("campaign-items", campaign), {"role": "check", "source": "own", "items": "Press hateful. | hateful"}
        )
        assert client.get(page("campaign-preview", campaign)).status_code == 200
        client.post(page("campaign-open", campaign))
        assert Assignment.objects.of(campaign).counted().count() == 48
        assert Assignment.objects.of(campaign).count() == 50
        client.post(page("campaign-pause", campaign))
        client.post(page("campaign-resume", campaign))
        client.post(page("campaign-close", campaign), {"leave_out_incomplete": "yes"})
        campaign.refresh_from_db()
        assert campaign.state == "closed"
        assert client.get(page("campaign-setup", campaign)).status_code == 200

    def test_a_wrong_setting_is_said_on_the_form(self, client, mira):
        client.force_login(mira)
        html = client.post(reverse("annotation:campaign-new"), self.values(make_suite(), threshold=9)).content.decode()
        assert "but each case gets only" in html

    def test_changing_a_draft_keeps_what_is_there(self, client, mira):
        suite = make_suite()
        campaign = create_campaign(suite, title="Draft", by=mira, language="en", mode="crowd")
        client.force_login(mira)
        assert client.get(page("campaign-change", campaign)).status_code == 200
        client.post(page("campaign-change", campaign), self.values(suite, title="Other", sample=5))
        campaign.refresh_from_db()
        assert (campaign.title, campaign.selection, campaign.mode) == ("Other", {"sample": 5}, "team")

    def test_own_texts_that_are_refused_are_not_lost(self, client, mira):
        campaign = create_campaign(make_suite(), title="Draft", by=mira, language="en")
        client.force_login(mira)
        given = {"role": "check", "source": "own", "items": "I like rain. | non-hateful\nWind, too."}
        answer = client.post(page("campaign-items", campaign), given)
        assert answer.status_code == 422
        html = answer.content.decode()
        assert "Line 2 has no expected answer." in html
        assert "Wind, too.</textarea>" in html
        assert "<details open> <summary>Add texts" in one_line(html)

    def test_the_set_up_page_lists_every_text_with_a_known_answer(self, client, mira):
        load_catalogue()
        campaign = create_campaign(make_suite(), title="Draft", by=mira, language="en")
        client.force_login(mira)
        client.post(page("campaign-items", campaign), {"role": "test", "source": "examples", "number": 40})
        html = client.get(page("campaign-setup", campaign)).content.decode()
        assert "29 texts added. There were no more, although you asked for 40." in html
        rows = re.findall(r'<td data-label="Text">.*?</tr>', html, re.S)
        assert len(rows) == 29
        shown = next(row for row in rows if "My neighbour is an immigrant." in row)
        for part in ('lang="en"', "non-hateful", "Qualification test", "Example from the catalogue", "Remove"):
            assert part in shown
        assert 'class="table-scroll" data-covered data-coverable' in html

    def test_one_text_is_removed_while_the_campaign_is_a_draft(self, client, mira):
        campaign = create_campaign(make_suite(), title="Draft", by=mira, language="en", mode="crowd")
        draw_items(campaign, Role.CHECK, 2, by=mira)
        first, second = campaign.items.order_by("position")
        client.force_login(mira)
        address = reverse("annotation:campaign-item-remove", args=[campaign.key, first.pk])
        assert client.post(address, follow=True).status_code == 200
        assert list(campaign.items.all()) == [second]
        client.post(page("campaign-open", campaign))
        html = client.get(page("campaign-setup", campaign)).content.decode()
        assert second.case.text in html
        assert "campaign-item-remove" not in html
        assert "/remove/" not in html
        refused = client.post(reverse("annotation:campaign-item-remove", args=[campaign.key, second.pk]))
        assert refused.status_code == 409
        assert campaign.items.filter(role=Role.CHECK).count() == 1

    def test_after_the_language_was_changed_the_page_names_the_texts_that_are_left(self, client, mira):
        load_catalogue()
        suite = make_suite()
        campaign = create_campaign(suite, title="Draft", by=mira, language="en")
        add_own_items(campaign, Role.TEST, [KnownAnswer("Hello.", "non-hateful")], by=mira)
        client.force_login(mira)
        client.post(page("campaign-change", campaign), self.values(suite, language="de"))
        html = client.get(page("campaign-setup", campaign)).content.decode()
        assert "1 text for training, test or checks is not in German." in html
        assert "in English</span>" in html

    def test_in_a_campaign_over_several_languages_own_texts_say_theirs(self, client, mira):
        load_catalogue()
        suite = make_suite()
        suite.languages.add(Language.objects.get(code="de"))
        campaign = create_campaign(suite, title="Draft", by=mira)
        client.force_login(mira)
        given = {"role": "check", "source": "own", "items": "Hallo. | non-hateful"}
        assert (
            "Line 1 does not say its language" in client.post(page("campaign-items", campaign), given).content.decode()
        )
        client.post(page("campaign-items", campaign), given | {"language": "de"})
        assert campaign.items.get().language.code == "de"

    def test_labels_too_few_for_the_suite_are_said_before_the_campaign_opens(self, client, campaign, mira):
        client.force_login(mira)
        html = client.get(page("campaign-setup", campaign)).content.decode()
        assert "In this suite, 4 of 5 labels of a case must equal the gold label. With 3 labels per case" in html

    @pytest.mark.parametrize("name", ["campaign-setup", "campaign-change", "campaign-preview"])
    def test_it_is_for_maintainers(self, client, campaign, ana, name):
        client.force_login(ana)
        assert client.get(page(name, campaign)).status_code == 403

    def test_it_handles_a_missing_campaign(self, client, mira):
        client.force_login(mira)
        assert client.get("/campaigns/nothing/setup/").status_code == 404


def test_an_address_can_choose_the_cases_of_a_new_campaign(client, mira):
    make_suite()
    client.force_login(mira)
    chosen = "suite=small&language=en&functionalities=dislike_h&origins=llm&only_unlabelled=1"
    form = client.get(f"{reverse('annotation:campaign-new')}?{chosen}").content.decode()
    for value in ("dislike_h", "llm"):
        assert re.search(rf'value="{value}"[^>]*checked', form), value
    assert not re.search(r'value="like_nh"[^>]*checked', form)
    assert re.search(r'name="only_unlabelled"[^>]*checked', form)
    assert re.search(r"<option[^>]*selected[^>]*>English", form)
    asked = "&question=consistency&raters=3&threshold=2&title=Fit"
    form = client.get(f"{reverse('annotation:campaign-new')}?{chosen}{asked}").content.decode()
    assert re.search(r'value="consistency"[^>]*selected', form)
    for name, value in {"raters": "3", "threshold": "2", "title": "Fit"}.items():
        assert re.search(rf'name="{name}"[^>]*value="{value}"', form), name
