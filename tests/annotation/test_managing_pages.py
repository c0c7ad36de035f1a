"""Managers' pages: what they answer, whom they refuse, and what they cost."""

from datetime import date

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import translation

from accounts.models import RoleGrant
from annotation import charts
from annotation.agreement.deciding import apply_decision
from annotation.campaigns.views import pages
from annotation.models import Adjudication, Campaign, CampaignMessage, Participation
from annotation.people.participation import annotator_for
from curation.models import Exclusion, Functionality, TestCase
from tests.annotation.factories import label_everything, make_open_campaign, make_people, make_suite, newcomer
from tests.annotation.managing_factories import disputed_campaign, gold_votes, label_cases
from tests.html import one_line

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


def url(name, *arguments):
    return reverse(f"annotation:{name}", args=arguments)


def pages_of(campaign):
    key, suite = campaign.key, campaign.suite.key
    return [
        url("campaigns"), url("campaign", key), url("campaign-agreement", key), url("campaign-disputes", key),
        url("campaign-dispute", key, BAD), url("suite-agreement", suite), url("decision", suite),
        url("exclusions", suite), url("campaign-labels", key, "csv"),
    ]  # fmt: skip


def test_every_page_works_for_an_expert(campaign, expert, client):
    client.force_login(expert)
    for page in pages_of(campaign):
        assert client.get(page).status_code == 200, page


def test_texts_are_covered_until_asked_for(campaign, expert, mira, client):
    key, suite = campaign.key, campaign.suite
    campaign.suite.cases.filter(key=BAD).get().exclusions.create(reason="disagreement", because_of=BAD)
    client.force_login(mira)
    pages = [url("campaign-disputes", key), url("campaign-dispute", key, BAD), url("exclusions", suite.key)]
    assert all(" data-covered" in client.get(page).content.decode() for page in pages)
    client.cookies["texts"] = "shown"
    assert not any(" data-covered" in client.get(page).content.decode() for page in pages)


def test_every_page_refuses_annotators_and_visitors(campaign, ana, vic, client):
    for person in (ana, vic):
        client.force_login(person)
        for page in pages_of(campaign):
            assert client.get(page).status_code in (403, 404), page
    client.logout()
    assert client.get(url("campaign", campaign.key)).status_code == 302


def test_pages_handle_a_missing_campaign(mira, client):
    client.force_login(mira)
    assert client.get(url("campaign", "nothing")).status_code == 404
    assert client.get(url("decision", "nothing")).status_code == 404


def test_the_page_of_a_campaign_answers_the_four_questions(campaign, mira, client):
    client.force_login(mira)
    shown = client.get(url("campaign", campaign.key)).content.decode()
    assert "of 72 labels" in shown
    assert "Every case has all its labels." in shown
    assert "1 waiting for a decision" in shown
    assert "0.9" in shown


@pytest.mark.parametrize("page", ["/campaigns/", "/campaigns/{}/", "/campaigns/{}/agreement/"])
def test_kappa_stands_with_its_interval_and_what_it_was_measured_on(suite, mira, client, page):
    votes = gold_votes(suite)
    odd = list(votes)[3]
    votes[odd] = ["hateful", "non-hateful"]
    found = label_cases(suite, votes)
    client.force_login(mira)
    client.get(f"/campaigns/{found.key}/")  # measures it
    low, high = found.agreement_reports.get().values["overall"]["fleiss_kappa_ci95"]
    shown = client.get(page.format(found.key)).content.decode()
    assert f"({low:.3f}–{high:.3f})" in shown
    assert f"{len(votes)} cases, 2 to 3 labels per case" in shown


def test_an_undefined_kappa_is_shown_with_its_reason(suite, mira, client):
    campaign = label_cases(suite, {key: ["hateful"] * 3 for key in gold_votes(suite)})
    client.force_login(mira)
    for name in ("campaign", "campaign-agreement"):
        shown = client.get(url(name, campaign.key)).content.decode()
        assert "undefined" in shown
        assert "All labels are the same" in shown


def test_a_running_campaign_without_labels_shows_who_has_not_begun(suite, mira, client):
    campaign = make_open_campaign(suite, mira, people=make_people(3), mode="team")
    client.force_login(mira)
    shown = client.get(url("campaign", campaign.key)).content.decode()
    assert "Has not started." in shown
    assert "No labels in the last seven days." in shown
    assert client.get(url("campaign-agreement", campaign.key)).status_code == 200


def test_an_expert_who_labels_in_it_does_not_see_it_before_it_is_closed(suite, mira, expert, client):
    campaign = make_open_campaign(suite, mira)
    Participation.objects.create(campaign=campaign, annotator=annotator_for(expert))
    client.force_login(expert)
    assert client.get(url("campaign", campaign.key)).status_code == 403
    Campaign.objects.filter(pk=campaign.pk).update(state="closed")
    assert client.get(url("campaign", campaign.key)).status_code == 200


@pytest.mark.parametrize("copies", [1, 4])
def test_pages_cost_the_same_however_much_there_is(copies, mira, client, django_assert_max_num_queries):
    suite = make_suite(templates=6 * copies, raters=3, threshold=2)
    campaign = disputed_campaign(suite, *[f"small-{number:04}-1" for number in range(0, 6 * copies, 2)])
    client.force_login(mira)
    client.get(url("campaign-agreement", campaign.key))
    for name, most in (("campaign", 18), ("campaign-agreement", 9), ("campaign-disputes", 11)):
        with django_assert_max_num_queries(most):
            client.get(url(name, campaign.key))
    with django_assert_max_num_queries(8):
        client.get(url("campaigns"))


def test_a_drawing_is_made_once(campaign, mira, client, monkeypatch):
    client.force_login(mira)
    client.get(url("campaign-agreement", campaign.key))
    monkeypatch.setattr("annotation.charts._draw", lambda chart: pytest.fail("drawn again"))
    assert b"<svg" in client.get(url("campaign-agreement", campaign.key)).content


def test_a_drawing_has_the_numbers_and_months_of_the_reader():
    points = [{"labels": 1000, "kappa": 0.25}, {"labels": 2000, "kappa": 0.75}]
    days = [(date(2026, 5, day), day) for day in (1, 2, 3)]
    for language, number, month in (("en", ">0.5<", "May"), ("de", ">0,5<", "Mai")):
        with translation.override(language):
            assert number in pages.drawn(charts.kappa_over_time, points)
            assert f"01 {month}" in pages.drawn(charts.labels_per_day, days)


def test_parts_have_the_titles_of_their_functionalities(campaign, mira, client):
    Functionality.objects.filter(key="like_nh").update(title="Praise")
    Functionality.objects.filter(key="dislike_h").update(title="Dislike")
    client.force_login(mira)
    shown = client.get(url("campaign-agreement", campaign.key)).content.decode()
    assert one_line(shown).count('<th scope="row">Praise</th>') == 1
    Functionality.objects.filter(key="dislike_h").update(title="Praise")
    shown = client.get(url("campaign-agreement", campaign.key)).content.decode()
    assert '<th scope="row">Praise (dislike_h)</th>' in shown


def test_a_name_in_a_drawing_cannot_carry_markup():
    shown = pages.drawn(_draw_name, "<script>alert(1)</script>")
    assert "<script>" not in shown


def _draw_name(name):
    from annotation.charts import vote_distribution

    return vote_distribution([((1, 2), 3)], [name, "other"])


def test_a_decision_is_seen_first_and_then_made(campaign, suite, mira, client):
    client.force_login(mira)
    shown = client.get(url("decision", suite.key)).content.decode()
    assert BAD in shown
    assert not Exclusion.objects.exists()
    rules = {"policy": "exclude", "min_agree": 2, "cascade": "closure"}
    assert client.post(url("decision-apply", suite.key), {**rules, "expected": 9}).status_code == 422
    assert client.post(url("decision-apply", suite.key), {**rules, "expected": 4}).status_code == 302
    assert Exclusion.objects.standing().count() == 4
    client.post(url("exclusion-lift", suite.key, BAD), {"reason": "It is fine."})
    assert TestCase.objects.get(key=BAD).state == "validated"


def test_a_decision_shows_what_would_come_back_and_what_would_be_marked(campaign, suite, mira, client):
    client.force_login(mira)
    marked = client.get(url("decision", suite.key) + "?policy=mark").content.decode()
    assert "Would be marked" in marked
    assert BAD in marked
    apply_decision(suite, by=mira)
    back = client.get(url("decision", suite.key) + "?policy=mark&list=returning").content.decode()
    assert "No longer applies: Annotators disagreed" in back
    assert f'href="/cases/small/{BAD}/"' in back


def test_a_number_of_labels_that_nobody_gives_is_refused_beside_its_field(campaign, suite, mira, client):
    client.force_login(mira)
    shown = client.get(url("decision", suite.key) + "?min_agree=9").content.decode()
    assert 'max="3"' in shown
    assert "less than or equal to 3" in shown
    assert "Apply decision" not in shown


def test_an_expert_looks_at_the_decision_and_cannot_make_it(campaign, suite, expert, client):
    client.force_login(expert)
    given = {"policy": "exclude", "min_agree": 2, "cascade": "closure", "expected": 4}
    assert client.post(url("decision-apply", suite.key), given).status_code == 403
    assert not Exclusion.objects.exists()


def test_a_disputed_case_leads_to_one_decision(campaign, expert, client):
    client.force_login(expert)
    page = url("campaign-dispute", campaign.key, BAD)
    shown = client.get(page).content.decode()
    assert "1 of 3 for the expected answer" in shown
    assert "small-0000-2" in shown
    answer = client.post(url("campaign-decide", campaign.key, BAD), {"decision": "keep", "reason": "Gold is right."})
    assert answer.status_code == 302
    assert Adjudication.objects.get().decided_by == expert
    assert "Gold is right." in client.get(page).content.decode()
    refused = client.post(url("campaign-decide", campaign.key, BAD), {"decision": "keep", "reason": ""})
    assert refused.status_code == 422


def test_a_refused_decision_keeps_what_was_typed(campaign, expert, client):
    client.force_login(expert)
    given = {"decision": "reword", "reason": "Most misread it.", "new_text": TestCase.objects.get(key=BAD).text}
    answer = client.post(url("campaign-decide", campaign.key, BAD), given)
    assert answer.status_code == 422
    shown = answer.content.decode()
    assert "The new wording is the same as the old one." in shown
    assert "Most misread it.</textarea>" in shown
    assert 'value="reword" checked' in one_line(shown)
    assert not Adjudication.objects.exists()
    again = client.get(url("campaign-decide", campaign.key, BAD))  # texts shown or covered from there
    assert again.url == url("campaign-dispute", campaign.key, BAD)
    client.post(url("campaign-decide", campaign.key, BAD), given | {"new_text": "I do not like neighbour 0."})
    new = Adjudication.objects.get().new_case
    page = client.get(url("campaign-dispute", campaign.key, BAD)).content.decode()
    assert f"/cases/small/{new.key}/" in page


def test_a_case_may_have_any_key(suite, mira, client):
    TestCase.objects.filter(key=BAD).update(key="set/a b#1")
    campaign = disputed_campaign(suite, "set/a b#1")
    client.force_login(mira)
    assert client.get(url("campaign-disputes", campaign.key)).status_code == 200
    assert (
        "1 of 3 for the expected answer"
        in client.get(url("campaign-dispute", campaign.key, "set/a b#1")).content.decode()
    )
    client.post(url("campaign-decide", campaign.key, "set/a b#1"), {"decision": "exclude", "reason": "Odd."})
    assert client.get(url("exclusions", suite.key)).status_code == 200
    client.post(url("exclusion-lift", suite.key, "set/a b#1"), {"reason": "Fine."})
    assert not Exclusion.objects.standing().exists()


def test_messages_and_rounds_are_for_managers(campaign, mira, expert, client):
    client.force_login(expert)
    assert client.post(url("campaign-message", campaign.key), {"text": "Hello."}).status_code == 403
    assert client.post(url("campaign-round", campaign.key)).status_code == 403
    client.force_login(mira)
    assert client.post(url("campaign-message", campaign.key), {"text": "Thank you."}).status_code == 302
    assert CampaignMessage.objects.get().text == "Thank you."
    assert client.post(url("campaign-round", campaign.key)).status_code == 302
    assert Campaign.objects.get(previous_round=campaign).state == "draft"


def test_asking_again_is_offered_only_where_it_is_possible(campaign, suite, mira, client):
    client.force_login(mira)
    page = url("campaign", campaign.key)
    assert "Label 1 disagreement again" in client.get(page).content.decode()
    apply_decision(suite, by=mira)
    shown = client.get(page).content.decode()
    assert "disagreement again" not in shown
    assert "To have one labelled again" in shown


def test_a_file_of_labels_is_taken_in_or_its_faults_are_shown(suite, mira, client):
    client.force_login(mira)
    page = url("import-labels", suite.key)
    bad = SimpleUploadedFile("bad.csv", b"case_id,annotator,label\nnowhere,a,hateful\n")
    answer = client.post(page, {"file": bad})
    assert answer.status_code == 422
    assert "no case" in answer.content.decode()
    good = SimpleUploadedFile("good.csv", f"case_id,annotator,label\n{BAD},a,hateful\n".encode())
    assert client.post(page, {"file": good}).status_code == 302
    assert Campaign.objects.get().title == "Labels from good"


def test_agreement_on_the_suite_leaves_out_what_an_expert_is_labelling(suite, expert, mira, client):
    running = make_open_campaign(suite, mira)
    for number in range(2):
        label_everything(newcomer(running, number))
    client.force_login(expert)
    page = url("suite-agreement", suite.key)
    assert "48 labels" in client.get(page).content.decode()
    Participation.objects.create(campaign=running, annotator=annotator_for(expert))
    assert "No labels yet" in client.get(page).content.decode()
    assert client.get(f"/api/v1/suites/{suite.key}/agreement/").json()["campaigns"] == []
    client.force_login(mira)
    assert "48 labels" in client.get(page).content.decode()


def test_other_cases_of_the_template_lead_only_where_there_is_something(suite, expert, client):
    campaign = label_cases(suite, {BAD: ["hateful", "non-hateful", "non-hateful"]})
    client.force_login(expert)
    html = client.get(url("campaign-dispute", campaign.key, BAD)).content.decode()
    assert "small-0000-2" in html
    assert url("campaign-dispute", campaign.key, "small-0000-2") not in html


def test_a_case_without_a_template_stands_beside_similar_ones(suite, expert, client):
    campaign = disputed_campaign(suite, BAD)
    TestCase.objects.filter(key=BAD).update(template=None, text="I dislike all neighbours at large.")
    client.force_login(expert)
    html = client.get(url("campaign-dispute", campaign.key, BAD)).content.decode()
    assert "Similar cases of the functionality" in html
    assert url("campaign-dispute", campaign.key, "small-0000-2") in html


def test_a_file_of_labels_can_be_checked_without_importing_it(client, suite, mira):
    client.force_login(mira)
    file = SimpleUploadedFile("labels.csv", f"case_id,annotator,label\n{BAD},a,hateful\n".encode())
    answer = client.post(url("import-labels", suite.key), {"file": file, "dry_run": "on"})
    assert "The file can be imported: 1 label on 1 case. Nothing was changed." in answer.content.decode()
    assert not Campaign.objects.filter(suite=suite).exists()


def test_a_complete_campaign_is_closed_where_its_progress_is_read(suite, mira, expert, client):
    running = make_open_campaign(suite, mira, raters=1, threshold=1)
    client.force_login(mira)
    page = url("campaign", running.key)
    assert "Close campaign" not in client.get(page).content.decode()
    label_everything(newcomer(running))
    assert "Close campaign" in client.get(page).content.decode()
    client.post(url("campaign-close", running.key))
    assert "Close campaign" not in client.get(page).content.decode()
    assert Campaign.objects.get(pk=running.pk).state == "closed"
