"""Setting up, quality, undoing, onboarding, paying, closing."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from accounts.models import AuditEvent
from annotation.agreement.campaign_report import MEASURE
from annotation.agreement.deciding import preview_decision
from annotation.agreement.disputes import disputed_items
from annotation.agreement.suite_report import suite_agreement
from annotation.campaigns.choosing import Selection, choose_cases
from annotation.campaigns.closing import cancel_campaign, close_campaign, why_too_few_labels
from annotation.campaigns.guidelines import load_guidelines, write_guideline
from annotation.campaigns.known_answers import KnownAnswer, add_own_items, draw_items
from annotation.campaigns.models import Mode, Role
from annotation.campaigns.opening import open_campaign
from annotation.campaigns.options import ItemsOptions
from annotation.campaigns.services import change_campaign, create_campaign, estimate
from annotation.errors import CannotOpen, Incomplete
from annotation.labelling.claiming import take_over_expired
from annotation.labelling.exchange import exchange, has_finished, progress_of
from annotation.labelling.key_bindings import check_bindings
from annotation.labelling.recording import Event
from annotation.models import Annotation, Annotator, Assignment, Campaign, DemographicAnswer, Guideline, Participation
from annotation.people import crowd
from annotation.people.onboarding import give_consent, tell_about_oneself
from annotation.people.participation import pause_participation
from annotation.questions import Choice, Consistency, Scale
from core.errors import BadInput, Missing, NotAllowed, WrongState
from core.models import Job
from curation.catalogue.loading import load_catalogue
from curation.models import CaseVerdict, Language
from tests.annotation.factories import (
    answer,
    label_everything,
    make_open_campaign,
    make_suite,
    newcomer,
    participation_of,
)

pytestmark = pytest.mark.django_db


def draft(suite, mira, **settings) -> Campaign:
    return create_campaign(suite, title="Draft", by=mira, **{"language": "en", **settings})


class TestSettingUp:
    def test_the_chosen_cases_are_said_in_words(self):
        make_suite()
        chosen = Selection(
            functionalities=("like_nh",), targets=("immigrants",), origins=("llm",), keys=("small-0001-1",),
            only_unlabelled=True, sample=2000,
        )  # fmt: skip
        assert chosen.described() == [
            "Functionalities: like_nh", "Target groups: immigrants", "Origins: Written by a language model",
            "1 single case", "Only cases without a verdict", "A random sample of 2,000 cases",
        ]  # fmt: skip
        assert Selection().described() == []

    def test_a_sample_is_spread_over_functionalities_and_always_the_same(self, mira):
        suite = make_suite(templates=9, per_template=4)
        language = suite.languages.get()
        chosen = [choose_cases(suite, language, Selection(sample=10), seed=3) for _ in range(2)]
        assert chosen[0] == chosen[1]
        golds = suite.cases.filter(pk__in=chosen[0]).values_list("functionality__gold_label", flat=True)
        assert sorted(golds).count("hateful") == 5

    def test_filters_leave_what_they_name(self, mira):
        suite = make_suite()
        selection = Selection(functionalities=("like_nh",), keys=("small-0001-0", "small-0000-0"))
        ids = choose_cases(suite, suite.languages.get(), selection, seed=1)
        assert list(suite.cases.filter(pk__in=ids).values_list("key", flat=True)) == ["small-0001-0"]

    def test_cost_and_time_are_foreseen(self, mira):
        campaign = draft(make_suite(), mira, raters=5, seconds_per_case=9, pay_unit="case", pay_amount=Decimal("0.05"))
        foreseen = estimate(campaign)
        assert (foreseen.cases, foreseen.labels) == (24, 120)
        assert foreseen.working_time.total_seconds() == 1080
        assert (foreseen.cost, foreseen.cost_per_hour) == (Decimal("6.00"), Decimal("20.00"))

    def test_checks_are_work_that_takes_time_and_is_paid(self, mira):
        campaign = draft(
            make_suite(), mira, raters=5, mode="crowd", check_every=10, seconds_per_case=10, pay_unit="case",
            pay_amount=Decimal("0.05"),
        )  # fmt: skip
        add_own_items(campaign, Role.CHECK, [KnownAnswer("Water is wet.", "non-hateful")], by=mira)
        foreseen = estimate(campaign)
        assert (foreseen.labels, foreseen.checks) == (120, 12)
        assert (foreseen.working_time.total_seconds(), foreseen.cost) == (1320, Decimal("6.60"))

    def test_without_pay_the_cost_is_undefined(self, mira):
        assert estimate(draft(make_suite(), mira)).cost is None

    @pytest.mark.parametrize(
        ("given", "says"),
        [
            ({"raters": 3, "threshold": 4}, "but each case gets only"),
            ({"question": Choice.key, "labels": ["only"]}, "two to nine"),
            ({"skips_times": 0, "skips_then": "warn"}, "skips_times: Use at least 1"),
            ({"skips_times": 3, "skips_then": "shout"}, "skips_then: Choose from: warn, pause, end"),
            ({"skips_times": 3}, "skips_then: Fill in the whole rule"),
            ({"pass_mark": 70}, "more than 0 and at most 1"),
            ({"seconds_per_case": 0}, "at least 1 and at most 3,600"),
            ({"batch_size": 0}, "at least 1 and at most 50"),
            ({"lease_minutes": 0}, "at least 1 and at most 1,440"),
            ({"qualification_tries": 0}, "at least 1 and at most 100"),
            ({"question": Scale.key, "binarise_above": 5}, "at least 1 and at most 4"),
            ({"pay_unit": "case"}, "Enter the amount"),
            ({"pay_unit": "case", "pay_amount": Decimal("-1")}, "pay_amount: Use more than 0"),
            ({"pay_unit": "case", "pay_amount": Decimal("0.0001")}, "three decimal places"),
            ({"completion_url": "nowhere"}, "completion_url: Write a full address"),
            ({"language": "xx"}, "There is no language 'xx'"),
            ({"guideline": "en:9"}, "There is no version 9"),
            ({"colour": "red"}, "There is no option 'colour'"),
        ],
    )
    def test_wrong_settings_are_refused_with_the_way_out(self, mira, given, says):
        with pytest.raises(BadInput, match=says):
            draft(make_suite(), mira, **given)

    def test_no_title_takes_the_address_of_a_page(self, mira):
        suite = make_suite()
        keys = [create_campaign(suite, title=title, by=mira).key for title in ("New", "Settings", "Enter", "Enter")]
        assert keys == ["new-2", "settings-2", "enter-2", "enter-3"]

    def test_an_expert_cannot_make_campaigns(self, emil):
        suite = make_suite()
        with pytest.raises(NotAllowed):
            create_campaign(suite, title="No", by=emil)

    def test_an_open_campaign_cannot_be_changed(self, mira):
        campaign = make_open_campaign(make_suite(), mira)
        with pytest.raises(WrongState):
            change_campaign(campaign, by=mira, raters=7)

    def test_it_cannot_be_opened_twice(self, mira):
        campaign = make_open_campaign(make_suite(), mira)
        with pytest.raises(WrongState):
            open_campaign(campaign, by=mira)

    def test_drawn_training_cases_are_not_labelled(self, mira):
        campaign = draft(make_suite(), mira, mode=Mode.CROWD)
        assert draw_items(campaign, Role.TRAINING, 4, by=mira) == 4
        open_campaign(campaign, by=mira)
        assert campaign.items.filter(role=Role.LABEL).count() == 20
        assert set(campaign.items.filter(role=Role.TRAINING).values_list("expected", flat=True)) <= {
            "hateful",
            "non-hateful",
        }

    def test_the_estimate_and_the_sample_leave_out_cases_with_a_known_answer(self, mira):
        campaign = draft(make_suite(), mira, mode=Mode.CROWD, sample=10)
        draw_items(campaign, Role.CHECK, 8, by=mira)
        assert estimate(campaign).cases == 10
        open_campaign(campaign, by=mira)
        assert campaign.items.filter(role=Role.LABEL).count() == estimate(campaign).cases == 10

    def test_the_words_go_with_the_question_unless_somebody_wrote_them(self, mira):
        suite = make_suite()
        campaign = change_campaign(draft(suite, mira), by=mira, question=Scale.key)
        assert campaign.prompt.startswith("How hateful")
        own = change_campaign(draft(suite, mira, prompt="Well?"), by=mira, question=Scale.key)
        assert own.prompt == "Well?"

    def test_known_answers_that_no_longer_fit_the_question_stand_in_the_way(self, mira):
        campaign = draft(make_suite(), mira, mode=Mode.CROWD)
        add_own_items(campaign, Role.CHECK, [KnownAnswer("Press hateful.", "hateful")], by=mira)
        change_campaign(campaign, by=mira, question=Choice.key, labels=["angry", "calm"])
        with pytest.raises(CannotOpen, match="1 text for training, test or checks does not fit this question"):
            open_campaign(campaign, by=mira)

    def test_cases_are_no_known_answers_where_gold_is_no_answer(self, mira):
        campaign = draft(make_suite(), mira, question=Choice.key, labels=["angry", "calm"])
        with pytest.raises(BadInput, match="not answers to this question"):
            draw_items(campaign, Role.CHECK, 2, by=mira)

    def test_own_texts_have_no_functionality_to_ask_about(self, mira):
        campaign = draft(make_suite(), mira, question=Consistency.key)
        with pytest.raises(BadInput, match="Draw cases instead"):
            add_own_items(campaign, Role.CHECK, [KnownAnswer("A text", "yes")], by=mira)
        assert draw_items(campaign, Role.CHECK, 2, by=mira) == 2

    def test_a_pass_mark_without_a_test_stands_in_the_way(self, mira):
        with pytest.raises(CannotOpen, match="pass mark but no test"):
            open_campaign(draft(make_suite(), mira, mode=Mode.CROWD, pass_mark=0.7), by=mira)

    def test_lines_say_where_they_are_wrong(self, mira):
        with pytest.raises(BadInput, match="Line 2 has no expected answer"):
            ItemsOptions(role="test", items=["A text | hateful", "another one"])
        with pytest.raises(BadInput, match="Line 1 expects 'maybe'"):
            add_own_items(draft(make_suite(), mira), Role.TEST, [KnownAnswer("A text", "maybe")], by=mira)

    def test_guidelines_come_from_the_fixtures_once(self, mira):
        load_catalogue()
        assert load_guidelines() == 11
        assert load_guidelines() == 0
        german = write_guideline(Language.objects.get(code="de"), title="", text="# Neu\n\nText", by=mira)
        assert (german.version, german.title) == (2, "Neu")
        assert Guideline.objects.filter(language__code="de").count() == 2


class TestQuality:
    RULES = {
        "too_fast_milliseconds": 500, "too_fast_times": 2, "too_fast_then": "warn", "skips_times": 3,
        "skips_then": "pause", "checks_times": 1, "checks_then": "end",
    }  # fmt: skip

    @pytest.fixture
    def person(self, mira):
        campaign = draft(
            make_suite(),
            mira,
            mode=Mode.CROWD,
            **self.RULES,
            check_every=2,
            batch_size=2,
            asks_demographics=False,
        )
        add_own_items(campaign, Role.CHECK, [KnownAnswer("Press non-hateful.", "non-hateful")], by=mira)
        return newcomer(open_campaign(campaign, by=mira))

    def test_answering_too_fast_is_warned_about(self, person):
        keys = [text.assignment for text in exchange(person).texts]
        right = {"label": "non-hateful", "milliseconds": 100}  # one of the two may be the check
        assert answer(person, keys[0], **right).message == ""
        assert "2 texts in a row were answered in less than 0.5 seconds" in answer(person, keys[1], **right).message
        assert Participation.objects.get().warnings == 1

    def test_a_slow_answer_ends_the_run(self, person):
        for place in range(4):
            key = exchange(person).texts[0].assignment
            assert answer(person, key, label="non-hateful", milliseconds=100 if place % 2 else 5000).message == ""

    def test_skipping_again_and_again_pauses(self, person):
        for place in range(3):
            got = exchange(person, [Event(f"s{place}", exchange(person).texts[0].assignment, "skip")])
        assert got.stop == "paused"
        assert Participation.objects.get().reason == "3 texts in a row were skipped"
        assert got.texts == []
        assert not Assignment.objects.filter(state="claimed").exists()  # others need not wait for the lease to end

    def test_a_failed_check_ends_the_participation_and_gives_everything_back(self, person):
        got = exchange(person)
        while not any(text.text.startswith("Press") for text in got.texts):
            got = answer(person, got.texts[0].assignment, milliseconds=2000)
            got = exchange(person)
        check = next(text for text in got.texts if text.text.startswith("Press"))
        got = answer(person, check.assignment, "hateful", milliseconds=2000)
        assert got.stop == "ended"
        assert not Assignment.objects.filter(state="claimed").exists()
        assert exchange(person, [Event("late", "nothing", "label", "hateful")]).receipts[0].status == "refused"

    def check_for(self, person):
        got = exchange(person)
        while not (found := [text for text in got.texts if text.text.startswith("Press")]):
            answer(person, got.texts[0].assignment, milliseconds=2000)
            got = exchange(person)
        return found[0].assignment

    def test_a_skipped_check_does_not_come_again_just_like_every_skipped_text(self, person):
        check = self.check_for(person)
        exchange(person, [Event("s", check, "skip")])
        label_everything(person, lambda text: "non-hateful")
        assert not Annotation.objects.filter(assignment__item__role=Role.CHECK, kind="label").exists()
        assert has_finished(person)

    def test_checks_taken_back_do_not_keep_ended_leases_from_others(self, person):
        check = self.check_for(person)
        answer(person, check, "non-hateful", milliseconds=2000)
        exchange(person, [Event("u", check, "undo")])
        Assignment.objects.filter(state="claimed").update(lease_until=timezone.now() - timedelta(minutes=1))
        take_over_expired(person.campaign, now=timezone.now())
        assert not Assignment.objects.filter(state="claimed").exists()

    def test_a_wrong_answer_to_a_check_that_is_taken_back_is_no_failure(self, mira):
        campaign = draft(
            make_suite(), mira, mode=Mode.CROWD, check_every=2, batch_size=2, asks_demographics=False,
            checks_times=2, checks_then="end",
        )  # fmt: skip
        add_own_items(campaign, Role.CHECK, [KnownAnswer("Press non-hateful.", "non-hateful")], by=mira)
        person = newcomer(open_campaign(campaign, by=mira))
        check = self.check_for(person)
        answer(person, check, "hateful")
        exchange(person, [Event("u", check, "undo")])
        assert answer(person, check, "non-hateful", client_id="again").stop == ""
        assert Participation.objects.get().failed_checks == 0
        assert [row.checks_failed for row in crowd.payments(campaign, by=mira)] == [0]

    def test_neither_the_place_nor_the_size_of_a_batch_gives_a_check_away(self, mira):
        campaign = draft(make_suite(20, 4), mira, mode=Mode.CROWD, check_every=8, batch_size=8, asks_demographics=False)
        add_own_items(campaign, Role.CHECK, [KnownAnswer("Press non-hateful.", "non-hateful")], by=mira)
        open_campaign(campaign, by=mira)
        places = set()
        for number in range(12):
            person = newcomer(campaign, number)
            first = exchange(person).texts
            events = [Event(f"{number}-{place}", one.assignment, "label", "hateful") for place, one in enumerate(first)]
            second = exchange(person, events).texts
            assert len(first) == len(second) == 8
            places.add([text.text.startswith("Press") for text in [*first, *second]].index(True))
        assert len(places) > 1

    def test_checks_come_also_to_those_who_label_less_than_a_batch(self, mira):
        campaign = draft(
            make_suite(20, 4), mira, mode=Mode.CROWD, check_every=4, per_annotator=10, asks_demographics=False
        )
        answers = [KnownAnswer("Press non-hateful.", "non-hateful"), KnownAnswer("Press hateful.", "hateful")]
        add_own_items(campaign, Role.CHECK, answers, by=mira)
        person = newcomer(open_campaign(campaign, by=mira))
        texts = [text.text for text in exchange(person).texts]
        assert len(texts) == 10
        assert 1 <= sum(text.startswith("Press") for text in texts) <= 2

    def test_progress_counts_checks_like_every_other_text(self, person):
        total = progress_of(person).total
        label_everything(person, lambda text: "non-hateful")
        assert (progress_of(person).done, progress_of(person).total) == (total, total)

    def test_checks_never_count_as_labels(self, person):
        label_everything(person, lambda text: "non-hateful")
        assert Assignment.objects.filter(item__role=Role.CHECK).get().label is None
        assert Assignment.objects.counted().done().exclude(label=None).count() == 24


class TestUndoing:
    @pytest.fixture
    def person(self, mira):
        return newcomer(make_open_campaign(make_suite(), mira, batch_size=4))

    def test_it_adds_a_revision_and_is_audited(self, person):
        key = exchange(person).texts[0].assignment
        answer(person, key)
        got = exchange(person, [Event("u1", key, "undo")])
        assert got.receipts[0].status == "stored"
        slot = Assignment.objects.get(key=key)
        assert (slot.state, slot.label) == ("claimed", None)
        assert list(Annotation.objects.order_by("revision").values_list("kind", "revision")) == [
            ("label", 1),
            ("undo", 2),
        ]
        assert AuditEvent.objects.filter(action="label_undone").count() == 1

    def test_it_reaches_back_ten_answers(self, person):
        keys = []
        for _ in range(11):
            keys.append(exchange(person).texts[0].assignment)
            answer(person, keys[-1])
        assert exchange(person, [Event("u1", keys[0], "undo")]).receipts[0].status == "refused"
        assert exchange(person, [Event("u2", keys[1], "undo")]).receipts[0].status == "stored"

    def test_a_skip_can_be_taken_back_while_nobody_else_has_the_text(self, person):
        key = exchange(person).texts[0].assignment
        exchange(person, [Event("s1", key, "skip")])
        assert exchange(person, [Event("u1", key, "undo")]).receipts[0].status == "stored"
        assert Assignment.objects.get(key=key).annotator == person.annotator


class TestOnboarding:
    def test_facts_about_people_lead_to_nobody(self, mira):
        campaign = make_open_campaign(make_suite(), mira)
        participation = newcomer(campaign)
        Participation.objects.filter(pk=participation.pk).update(demographics_given=False)
        participation.refresh_from_db()
        tell_about_oneself(participation, {"age": " 40 ", "gender": "", "shoe size": "43"})
        answers = DemographicAnswer.objects.get()
        assert answers.answers == {"age": "40"}
        assert {field.name for field in DemographicAnswer._meta.get_fields()} == {"id", "campaign", "answers"}

    def test_two_actions_cannot_share_a_key(self):
        assert check_bindings({"label1": "j"}) == {"label1": "j"}
        with pytest.raises(BadInput, match="used twice: for “answer 1” and for “Show the guidelines”"):
            check_bindings({"label1": "h"})

    def test_agreeing_does_not_undo_a_pause(self, mira):
        campaign = make_open_campaign(make_suite(), mira)
        person = participation_of(newcomer(campaign).annotator, campaign)
        Participation.objects.update(state="invited", consented_at=None)
        person.refresh_from_db()
        pause_participation(person, reason="Wait", by=mira)
        give_consent(person)
        assert Participation.objects.get().state == "paused"


class TestDailyLimit:
    @pytest.fixture
    def person(self, mira):
        found = newcomer(make_open_campaign(make_suite(), mira, batch_size=6))
        Annotator.objects.update(daily_limit=2)
        return found

    def test_nobody_holds_more_texts_than_they_want_to_read_today(self, person):
        texts = exchange(person).texts
        assert len(texts) == 2
        answer(person, texts[0].assignment)
        assert len(exchange(person).texts) == 1

    def test_the_last_answer_of_the_day_can_be_taken_back_and_given_again(self, person):
        keys = [text.assignment for text in exchange(person).texts]
        answer(person, keys[0])
        assert answer(person, keys[1]).stop == "daily_limit"
        assert [text.assignment for text in exchange(person, [Event("u", keys[1], "undo")]).texts] == [keys[1]]
        assert answer(person, keys[1], client_id="again").receipts[0].status == "stored"


class TestClosing:
    def test_labels_become_verdicts_against_gold(self, mira):
        campaign = make_open_campaign(make_suite(templates=2, per_template=1), mira)
        for number in range(3):
            label_everything(newcomer(campaign, number), lambda text, n=number: "hateful" if n else "non-hateful")
        assert close_campaign(campaign, by=mira) == 2
        verdicts = {
            verdict.case.functionality.gold_label: verdict
            for verdict in CaseVerdict.objects.select_related("case__functionality")
        }
        assert (verdicts["hateful"].agreeing, verdicts["non-hateful"].agreeing) == (2, 1)
        assert verdicts["hateful"].majority == "hateful"
        assert verdicts["hateful"].source == f"campaign:{campaign.key}"

    @pytest.mark.parametrize(("for_gold", "is_out"), [(3, False), (2, False), (1, True)])
    def test_few_labels_dispute_a_case_only_where_the_missing_ones_could_not_mend_it(self, mira, for_gold, is_out):
        suite = make_suite(templates=1, per_template=1, raters=5, threshold=4)
        gold = suite.cases.get().functionality.gold_label
        other = next(label for label in suite.labels if label != gold)
        campaign = make_open_campaign(suite, mira, raters=3, threshold=2)
        for number in range(3):
            label_everything(newcomer(campaign, number), lambda text, n=number: gold if n < for_gold else other)
        assert "4 of 5 labels of a case must equal the gold label. With 3 labels per case" in why_too_few_labels(
            campaign
        )
        assert close_campaign(campaign, by=mira) == 1
        assert bool(preview_decision(suite).going) is is_out
        assert suite_agreement(suite)["below_threshold"] == is_out

    def test_a_closed_campaign_is_measured_without_anybody_asking(self, mira):
        campaign = make_open_campaign(make_suite(templates=2, per_template=1), mira)
        for number in range(3):
            label_everything(newcomer(campaign, number))
        close_campaign(campaign, by=mira)
        assert Job.objects.get(kind=MEASURE).payload == {"campaign": campaign.key}

    def test_missing_labels_stop_it_unless_told_otherwise(self, mira):
        campaign = make_open_campaign(make_suite(templates=2, per_template=1), mira)
        label_everything(newcomer(campaign))
        with pytest.raises(Incomplete, match="4 labels are missing"):
            close_campaign(campaign, by=mira)
        assert close_campaign(campaign, by=mira, leave_out_incomplete=True) == 0
        campaign.refresh_from_db()
        assert campaign.state == "closed"

    def test_a_scale_is_cut_in_two(self, mira):
        campaign = make_open_campaign(make_suite(templates=2, per_template=1), mira, question=Scale.key)
        for number, label in enumerate(["5", "4", "3"]):
            label_everything(newcomer(campaign, number), lambda text, given=label: given)
        close_campaign(campaign, by=mira)
        assert CaseVerdict.objects.get(case__functionality__gold_label="hateful").agreeing == 2

    def test_own_answers_that_do_not_speak_about_gold_validate_nothing(self, mira):
        campaign = make_open_campaign(
            make_suite(templates=1, per_template=1), mira, question=Choice.key, labels=["clear", "unclear"]
        )
        for number in range(3):
            label_everything(newcomer(campaign, number), lambda text: "clear")
        assert close_campaign(campaign, by=mira) == 0
        assert not CaseVerdict.objects.exists()

    def test_own_answers_with_gold_among_them_are_held_against_gold(self, mira):
        answers = ["hateful", "non-hateful", "unsure"]
        campaign = make_open_campaign(
            make_suite(templates=1, per_template=1), mira, question=Choice.key, labels=answers
        )
        for number, label in enumerate(["unsure", "unsure", "hateful"]):
            label_everything(newcomer(campaign, number), lambda text, given=label: given)
        assert [item.agreeing for item in disputed_items(campaign)] == [1]
        close_campaign(campaign, by=mira)
        assert (CaseVerdict.objects.get().agreeing, CaseVerdict.objects.get().majority) == (1, "unsure")

    def test_whether_a_text_does_what_it_should_makes_no_verdict_and_shows_the_definition(self, mira):
        campaign = make_open_campaign(
            make_suite(templates=1, per_template=1), mira, question=Consistency.key, raters=1, threshold=1
        )
        person = newcomer(campaign)
        assert exchange(person).texts[0].statement == "It is hateful."
        label_everything(person, lambda text: "yes")
        assert close_campaign(campaign, by=mira) == 0

    def test_only_the_last_word_counts_as_a_flag(self, mira):
        campaign = make_open_campaign(make_suite(templates=1, per_template=1), mira, raters=1, threshold=1)
        person = newcomer(campaign)
        key = exchange(person).texts[0].assignment
        answer(person, key, is_unrealistic=True)
        exchange(person, [Event("u", key, "undo")])
        answer(person, key, client_id="again")
        close_campaign(campaign, by=mira)
        assert CaseVerdict.objects.get().flagged_unrealistic == 0

    def test_a_cancelled_campaign_makes_no_verdicts_and_takes_no_labels(self, mira):
        campaign = make_open_campaign(make_suite(), mira)
        person = newcomer(campaign)
        key = exchange(person).texts[0].assignment
        cancel_campaign(campaign, reason="Wrong question", by=mira)
        got = answer(person, key)
        assert (got.receipts[0].status, got.stop) == ("refused", "closed")
        assert not CaseVerdict.objects.exists()


class TestPaying:
    def test_everybody_is_paid_for_what_they_did(self, mira):
        campaign = make_open_campaign(make_suite(), mira, pay_unit="case", pay_amount=Decimal("0.10"), per_annotator=6)
        person = newcomer(campaign)
        key = exchange(person).texts[0].assignment
        answer(person, key, milliseconds=600_000)
        label_everything(person)
        row = next(crowd.payments(campaign, by=mira))
        assert (row.participant, row.labels, row.amount) == ("worker-1", 6, Decimal("0.60"))
        assert row.minutes == Decimal("1.0")  # an open page is paid for a minute at most

    def test_who_took_part_may_come_for_their_code_after_the_end_and_newcomers_may_not(self, mira):
        campaign = make_open_campaign(make_suite(), mira)
        person = newcomer(campaign)
        close_campaign(campaign, by=mira, leave_out_incomplete=True)
        assert crowd.enter(campaign, crowd.Visitor("prolific", "worker-1", "", "")).participation == person
        with pytest.raises(Missing, match="Return it on your platform"):
            crowd.enter(campaign, crowd.Visitor("prolific", "worker-2", "", ""))

    def test_the_link_carries_the_code(self, mira):
        campaign = make_open_campaign(
            make_suite(), mira, completion_code="C1", completion_url="https://x.example/done?a=1"
        )
        assert crowd.completion_link(campaign) == "https://x.example/done?a=1&cc=C1"
