"""Decisions: seen before they happen, done once, taken back with a reason."""

import pytest
from django.db import transaction
from django.db.utils import DatabaseError

from accounts.errors import NotAllowed
from accounts.models import RoleGrant
from annotation.agreement.adjudicating import adjudicate
from annotation.agreement.deciding import apply_decision, lift_exclusion, preview_decision
from annotation.agreement.disputes import disputed_items, read_disputed, siblings_of
from annotation.campaigns.known_answers import known_items
from annotation.campaigns.messages import messages_for, send_message
from annotation.campaigns.rounds import start_round
from annotation.models import Adjudication, Campaign
from core.errors import BadInput, WrongState
from curation.models import Exclusion, Template, TestCase
from tests.annotation.factories import make_suite
from tests.annotation.managing_factories import disputed_campaign

pytestmark = pytest.mark.django_db
BAD = "small-0000-1"


@pytest.fixture
def suite():
    suite = make_suite(raters=3, threshold=2)
    Template.objects.filter(suite=suite, key="t2").update(refers_to="t0")
    return suite


@pytest.fixture
def campaign(suite):
    return disputed_campaign(suite, BAD)


def case(key=BAD) -> TestCase:
    return TestCase.objects.get(key=key)


def test_a_preview_names_what_would_go_and_changes_nothing(suite, campaign):
    found = preview_decision(suite)
    assert found.going_by_reason == {"reference": 4, "template": 3, "disagreement": 1}
    assert {left.because_of for left in found.going.values()} == {BAD}
    assert not Exclusion.objects.exists()
    assert set(TestCase.objects.values_list("state", flat=True)) == {"ready"}


def test_applying_leaves_out_what_the_preview_showed_and_validates_the_rest(suite, campaign, mira):
    shown = preview_decision(suite)
    apply_decision(suite, by=mira, expected=len(shown.going))
    assert set(Exclusion.objects.values_list("case_id", flat=True)) == set(shown.going)
    assert set(TestCase.objects.filter(state="excluded").values_list("id", flat=True)) == set(shown.going)
    assert TestCase.objects.filter(state="validated").count() == TestCase.objects.count() - len(shown.going)


def test_applying_twice_changes_nothing(suite, campaign, mira):
    apply_decision(suite, by=mira)
    again = apply_decision(suite, by=mira)
    assert (again.going, again.returning, Exclusion.objects.count()) == ({}, {}, 8)


def test_marking_leaves_nothing_out(suite, campaign, mira):
    apply_decision(suite, by=mira)
    found = apply_decision(suite, by=mira, policy="mark")
    assert len(found.returning) == 8
    assert not Exclusion.objects.standing().exists()
    assert not TestCase.objects.filter(state="excluded").exists()


def test_a_list_that_changed_meanwhile_is_not_applied(suite, campaign, mira):
    with pytest.raises(BadInput, match="8 cases would now be left out, not 3"):
        apply_decision(suite, by=mira, expected=3)
    assert not Exclusion.objects.exists()


def test_an_expert_cannot_apply_a_decision(suite, campaign, emil):
    with pytest.raises(NotAllowed):
        apply_decision(suite, by=emil)


def test_an_impossible_threshold_is_refused(suite):
    with pytest.raises(BadInput, match="minimum agreement of 4 is not possible"):
        preview_decision(suite, min_agree=4)


def test_a_lifted_exclusion_keeps_its_reason_and_the_labels_do_not_bring_it_back(suite, campaign, mira):
    apply_decision(suite, by=mira)
    lift_exclusion(case("small-0000-0"), reason="The text is fine.", by=mira)
    lifted = Exclusion.objects.get(case__key="small-0000-0")
    assert (lifted.lifted_because, lifted.lifted_by) == ("The text is fine.", mira)
    apply_decision(suite, by=mira)
    assert case("small-0000-0").state == "validated"
    assert Exclusion.objects.standing().count() == 7


def test_lifting_needs_a_reason_the_role_and_an_exclusion(suite, campaign, mira, emil):
    apply_decision(suite, by=mira)
    with pytest.raises(BadInput, match="Give a reason for restoring"):
        lift_exclusion(case(), reason=" ", by=mira)
    with pytest.raises(NotAllowed):
        lift_exclusion(case(), reason="Fine.", by=emil)
    with pytest.raises(WrongState):
        lift_exclusion(case("small-0001-0"), reason="Fine.", by=mira)


def test_the_queue_shows_votes_and_siblings(suite, campaign, django_assert_max_num_queries):
    with django_assert_max_num_queries(4):
        (row,) = read_disputed(campaign, disputed_items(campaign))
        assert (row.item.case.key, row.agreeing, row.given) == (BAD, 1, 3)
    assert [opinion.label for opinion in row.opinions] == ["non-hateful", "hateful", "non-hateful"]
    siblings = siblings_of(campaign, row.item.case)
    assert [(one.agreeing, one.given) for one in siblings] == [(3, 3)] * 3


def test_an_expert_of_the_language_keeps_a_case(suite, campaign, emil, mira):
    RoleGrant.objects.create(user=emil, role="expert", language="en")
    apply_decision(suite, by=mira)
    adjudicate(campaign, case(), decision="keep", reason="Gold is right.", by=emil)
    assert case().state == "validated"
    newest = case().verdicts.order_by("-id").first()
    assert (newest.adjudicated, newest.agreeing, newest.reason) == ("keep", 1, "Gold is right.")
    # Nothing fails any more, so what followed from it comes back.
    assert apply_decision(suite, by=mira).going == {}
    assert not Exclusion.objects.standing().exists()
    assert not disputed_items(campaign, status="open").exists()


def test_an_expert_of_another_language_cannot_decide(campaign, emil, ana):
    for person in (emil, ana):
        with pytest.raises(NotAllowed):
            adjudicate(campaign, case(), decision="keep", reason="Fine.", by=person)


def test_excluding_by_decision_takes_this_case_alone(suite, campaign, mira):
    adjudicate(campaign, case(), decision="exclude", reason="Ambiguous.", by=mira)
    assert case().state == "excluded"
    assert Exclusion.objects.standing().get().reason == "adjudication"
    assert apply_decision(suite, by=mira).going == {}


def test_a_new_wording_is_a_new_case_that_refers_to_the_old(campaign, mira):
    made = adjudicate(
        campaign, case(), decision="reword", reason="Unclear.", by=mira, new_text="I dislike every neighbour."
    )
    assert made.new_case is not None
    assert (made.new_case.refers_to, made.new_case.state) == (BAD, "ready")
    assert TestCase.objects.get(pk=made.new_case_id).provenance["replaces"] == BAD
    assert case().state == "excluded"
    assert made.new_case.key in Exclusion.objects.standing().get(case=case()).note


def test_a_decision_needs_a_reason_a_closed_campaign_and_a_labelled_case(suite, campaign, mira):
    with pytest.raises(BadInput, match="Give a reason"):
        adjudicate(campaign, case(), decision="keep", reason="", by=mira)
    with pytest.raises(BadInput, match="new wording"):
        adjudicate(campaign, case(), decision="reword", reason="x", by=mira)
    with pytest.raises(BadInput, match="not a decision"):
        adjudicate(campaign, case(), decision="maybe", reason="x", by=mira)
    Campaign.objects.filter(pk=campaign.pk).update(state="open")
    campaign.refresh_from_db()
    with pytest.raises(WrongState):
        adjudicate(campaign, case(), decision="keep", reason="x", by=mira)


def test_a_decision_is_never_changed(campaign, mira):
    adjudicate(campaign, case(), decision="exclude", reason="Ambiguous.", by=mira)
    with pytest.raises(DatabaseError, match="add a new one"), transaction.atomic():
        Adjudication.objects.update(reason="Another.")
    adjudicate(campaign, case(), decision="keep", reason="Not so ambiguous.", by=mira)
    assert case().state == "validated"
    assert Adjudication.objects.count() == 2


def test_a_new_round_asks_about_the_disputed_cases_only(campaign, mira):
    english = campaign.suite.languages.get()
    check = campaign.items.create(role="check", text="Press it.", language=english, source="own", expected="hateful")
    new = start_round(campaign, by=mira)
    assert [item.text for item in known_items(new)] == [check.text]  # and not the labels' cases
    assert new.previous_round == campaign
    assert new.selection["keys"] == (BAD,)
    assert new.title.endswith("(2)")
    adjudicate(campaign, case(), decision="keep", reason="Fine.", by=mira)
    with pytest.raises(BadInput, match="No disagreement is open"):
        start_round(campaign, by=mira)


def test_a_message_reaches_only_those_it_is_for(campaign, mira, emil):
    first, second = campaign.participations.order_by("id")[:2]
    send_message(campaign, text="Thank you.", by=mira)
    send_message(campaign, text="Slower, please.", by=mira, annotator=first.annotator)
    assert [note.text for note in messages_for(second)] == ["Thank you."]
    assert {note.text for note in messages_for(first)} == {"Thank you.", "Slower, please."}
    with pytest.raises(NotAllowed):
        send_message(campaign, text="Hello.", by=emil)
    with pytest.raises(BadInput, match="characters"):
        send_message(campaign, text=" ", by=mira)


@pytest.mark.parametrize("decision", ["keep", "exclude", "reword"])
def test_a_double_click_is_one_decision(campaign, mira, decision):
    wish = {"decision": decision, "reason": "Clear now.", "new_text": "I dislike neighbour 0 a lot.", "by": mira}
    first = adjudicate(campaign, case(), **wish)
    before = (Exclusion.objects.count(), TestCase.objects.count())
    assert adjudicate(campaign, case(), **wish) == first
    assert (Exclusion.objects.count(), TestCase.objects.count()) == before
    assert Adjudication.objects.count() == 1


def test_the_same_decision_counts_again_after_the_case_was_brought_back(campaign, mira):
    wish = {"decision": "exclude", "reason": "Ambiguous.", "by": mira}
    adjudicate(campaign, case(), **wish)
    lift_exclusion(case(), reason="A mistake.", by=mira)
    adjudicate(campaign, case(), **wish)
    assert Adjudication.objects.count() == 2
    assert case().state == "excluded"
