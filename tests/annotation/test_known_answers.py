"""Texts with a known answer: always in the campaign's language, seen one by one, removed one by one."""

import pytest

from accounts.models import AuditEvent
from annotation.campaigns.guidelines import load_guidelines
from annotation.campaigns.known_answers import (
    KnownAnswer,
    add_examples,
    add_items,
    add_own_items,
    change_item,
    copy_items,
    draw_items,
    known_items,
    remove_item,
)
from annotation.campaigns.models import Mode, Role, Source
from annotation.campaigns.opening import open_campaign, opening_problems
from annotation.campaigns.options import ItemOptions, ItemsOptions
from annotation.campaigns.services import change_campaign, create_campaign
from annotation.errors import CannotOpen
from annotation.labelling.exchange import exchange
from annotation.models import Campaign, CampaignItem
from core.errors import BadInput, Missing, NotAllowed, WrongState
from curation.catalogue.loading import load_catalogue
from curation.catalogue.services import add_functionality
from curation.models import Functionality, Language, TestCase
from tests.annotation.factories import make_open_campaign, make_suite, newcomer

pytestmark = pytest.mark.django_db
KNOWN = (Role.TRAINING, Role.TEST, Role.CHECK)


@pytest.fixture
def suite(db):
    load_catalogue()
    load_guidelines()
    return make_suite()


def language(code: str) -> Language:
    return Language.objects.get(code=code)


def draft(suite, mira, code: str | None = "en", **settings) -> Campaign:
    return create_campaign(suite, title="Labels", by=mira, language=code, **{"mode": Mode.CROWD, **settings})


def texts_of(campaign: Campaign) -> set[str]:
    return {item.shown_text for item in known_items(campaign)}


class TestExamplesOfTheCatalogue:
    @pytest.mark.parametrize("role", KNOWN)
    def test_an_english_campaign_gets_all_english_examples_and_no_other(self, suite, mira, role):
        campaign = draft(suite, mira)
        assert add_examples(campaign, role, 200, by=mira) == 29
        spoken = Functionality.objects.filter(example__in=texts_of(campaign)).values_list("example_language__code")
        assert set(spoken) == {("en",)}
        assert all(text.isascii() for text in texts_of(campaign))
        assert not any("b7eb" in text or "yimin" in text for text in texts_of(campaign))

    @pytest.mark.parametrize(("code", "number"), [("ar", 4), ("zh", 3)])
    def test_other_languages_get_their_own_examples(self, suite, mira, code, number):
        suite.languages.add(language(code))
        campaign = draft(suite, mira, code)
        assert add_examples(campaign, Role.TEST, 200, by=mira) == number
        assert {item.shown_language.code for item in known_items(campaign)} == {code}

    def test_where_the_catalogue_has_none_it_says_so(self, suite, mira):
        suite.languages.add(language("de"))
        with pytest.raises(BadInput, match="The catalogue has no example in German"):
            add_examples(draft(suite, mira, "de"), Role.TEST, 8, by=mira)

    def test_where_all_are_used_it_says_so(self, suite, mira):
        campaign = draft(suite, mira)
        add_examples(campaign, Role.TRAINING, 200, by=mira)
        with pytest.raises(BadInput, match="All 29 examples of the catalogue in English are already in this campaign"):
            add_examples(campaign, Role.TEST, 1, by=mira)

    def test_an_example_without_a_language_is_not_offered(self, suite, mira):
        Functionality.objects.filter(example_language__code="en").exclude(key="slur_h").update(example_language=None)
        assert add_examples(draft(suite, mira), Role.TEST, 200, by=mira) == 1

    def test_a_campaign_over_the_whole_suite_gets_examples_in_its_languages(self, suite, mira):
        suite.languages.add(language("zh"))
        campaign = draft(suite, mira, None)
        assert add_examples(campaign, Role.CHECK, 200, by=mira) == 32
        assert {item.shown_language.code for item in known_items(campaign)} == {"en", "zh"}

    def test_a_new_functionality_says_the_language_of_its_example(self, suite, mira):
        facts = {
            "key": "", "title": "Rude weather", "functionality_class": "Tone", "gold_label": "hateful",
            "definition": "x", "example": "Regen ist doof.", "by": mira,
        }  # fmt: skip
        with pytest.raises(BadInput, match="Choose the language of the example"):
            add_functionality(**facts)
        added = add_functionality(**facts, example_language=language("de"))
        assert added.example_language == language("de")


class TestOwnTexts:
    def test_they_are_in_the_language_of_the_campaign(self, suite, mira):
        campaign = draft(suite, mira)
        add_own_items(campaign, Role.CHECK, [KnownAnswer("Press hateful.", "hateful")], by=mira)
        assert known_items(campaign).get().shown_language == language("en")

    @pytest.mark.parametrize("role", KNOWN)
    def test_a_text_in_another_language_is_refused_with_its_line(self, suite, mira, role):
        campaign = draft(suite, mira)
        answers = [KnownAnswer("Hello.", "non-hateful", language="en"), KnownAnswer("Hallo.", "non-hateful", "", "de")]
        with pytest.raises(BadInput, match=r"Line 2 is in 'de'\. This campaign takes texts in: en \(English\)\."):
            add_own_items(campaign, role, answers, by=mira)
        assert not known_items(campaign).exists()

    def test_where_the_campaign_has_several_languages_the_text_says_which(self, suite, mira):
        suite.languages.add(language("de"))
        campaign = draft(suite, mira, None)
        with pytest.raises(BadInput, match="Line 1 does not say its language"):
            add_own_items(campaign, Role.TEST, [KnownAnswer("Hallo.", "non-hateful")], by=mira)
        add_own_items(campaign, Role.TEST, [KnownAnswer("Hallo.", "non-hateful", language="de")], by=mira)
        assert known_items(campaign).get().shown_language == language("de")

    def test_a_check_is_shown_with_its_own_language(self, suite, mira):
        suite.languages.add(language("de"))
        campaign = draft(suite, mira, None, check_every=1, asks_demographics=False)
        change_campaign(campaign, by=mira, guideline="en:1")
        add_own_items(campaign, Role.CHECK, [KnownAnswer("Hallo.", "non-hateful", language="de")], by=mira)
        shown = exchange(newcomer(open_campaign(campaign, by=mira))).texts
        assert {text.language for text in shown if text.text == "Hallo."} == {"de"}


class TestDrawnCases:
    def test_they_are_in_the_language_of_the_campaign(self, suite, mira):
        TestCase.objects.filter(key__startswith="small-0000").update(language=language("de"))
        campaign = draft(suite, mira)
        assert draw_items(campaign, Role.TEST, 200, by=mira) == 20
        assert {item.shown_language.code for item in known_items(campaign)} == {"en"}

    def test_where_none_is_left_it_says_so(self, suite, mira):
        campaign = draft(suite, mira)
        draw_items(campaign, Role.TEST, 24, by=mira)
        with pytest.raises(BadInput, match="No selected case is left to draw"):
            draw_items(campaign, Role.CHECK, 1, by=mira)


class TestAChangedLanguage:
    def test_texts_in_the_old_language_stand_in_the_way_until_they_are_removed(self, suite, mira):
        campaign = draft(suite, mira)
        TestCase.objects.filter(key__startswith="small-0001").update(language=language("de"))
        add_examples(campaign, Role.TRAINING, 1, by=mira)
        add_own_items(campaign, Role.TEST, [KnownAnswer("Hello.", "non-hateful")], by=mira)
        draw_items(campaign, Role.CHECK, 1, by=mira)
        assert opening_problems(campaign) == []
        change_campaign(campaign, by=mira, language="de")
        assert campaign.guideline.key == "de:1"
        with pytest.raises(CannotOpen, match=r"3 texts for training, test or checks are not in German\. Remove"):
            open_campaign(campaign, by=mira)
        for item in known_items(campaign):
            remove_item(campaign, item.pk, by=mira)
        open_campaign(campaign, by=mira)

    def test_one_text_is_one_text(self, suite, mira):
        campaign = draft(suite, mira)
        add_own_items(campaign, Role.TEST, [KnownAnswer("Hello.", "non-hateful")], by=mira)
        change_campaign(campaign, by=mira, language="de")
        says = "1 text for training, test or checks is not in German. Remove it, and add another if needed."
        assert says in opening_problems(campaign)


class TestOneTextIsRemoved:
    def test_the_others_stay_and_it_is_audited(self, suite, mira):
        campaign = draft(suite, mira)
        add_examples(campaign, Role.TEST, 3, by=mira)
        first, second, third = known_items(campaign)
        remove_item(campaign, second.pk, by=mira)
        assert list(known_items(campaign)) == [first, third]
        event = AuditEvent.objects.filter(action="campaign_changed").latest("id")
        assert (event.actor, event.facts) == (mira, {"role": "test", "removed": 1, "source": "examples"})

    def test_what_is_added_later_still_comes_last(self, suite, mira):
        campaign = draft(suite, mira)
        add_examples(campaign, Role.TEST, 3, by=mira)
        remove_item(campaign, known_items(campaign)[0].pk, by=mira)
        add_own_items(campaign, Role.TEST, [KnownAnswer("The last one.", "hateful")], by=mira)
        places = list(known_items(campaign).values_list("position", flat=True))
        assert len(set(places)) == 3
        assert list(known_items(campaign))[-1].text == "The last one."

    def test_not_once_the_campaign_is_open(self, suite, mira):
        campaign = draft(suite, mira)
        add_examples(campaign, Role.CHECK, 1, by=mira)
        open_campaign(campaign, by=mira)
        with pytest.raises(WrongState):
            remove_item(campaign, known_items(campaign).get().pk, by=mira)

    def test_neither_a_text_of_another_campaign_nor_a_case_to_be_labelled(self, suite, mira):
        campaign, other = draft(suite, mira), make_open_campaign(suite, mira)
        to_label = CampaignItem.objects.filter(campaign=other).first()
        with pytest.raises(Missing):
            remove_item(campaign, to_label.pk, by=mira)

    def test_only_by_those_who_manage(self, suite, mira, ana):
        campaign = draft(suite, mira)
        add_examples(campaign, Role.CHECK, 1, by=mira)
        with pytest.raises(NotAllowed):
            remove_item(campaign, known_items(campaign).get().pk, by=ana)


def test_every_text_says_where_it_comes_from(suite, mira):
    campaign = draft(suite, mira)
    add_own_items(campaign, Role.CHECK, [KnownAnswer("Press hateful.", "hateful")], by=mira)
    draw_items(campaign, Role.TEST, 1, by=mira)
    add_examples(campaign, Role.TRAINING, 1, by=mira)
    assert [(item.role, item.source) for item in known_items(campaign)] == [
        (Role.TRAINING, Source.EXAMPLES),
        (Role.TEST, Source.CASES),
        (Role.CHECK, Source.OWN),
    ]


class TestTheStudio:
    @pytest.mark.parametrize("add", [draw_items, add_examples])
    def test_what_is_drawn_is_balanced_over_labels(self, suite, mira, add):
        campaign = draft(suite, mira)
        add(campaign, Role.TEST, 8, by=mira)
        expected = list(known_items(campaign).values_list("expected", flat=True))
        assert sorted(expected) == ["hateful"] * 4 + ["non-hateful"] * 4

    def test_labels_of_cases_are_balanced_where_functionalities_are_mixed(self, suite, mira):
        Functionality.objects.update(gold_label="")
        campaign = draft(suite, mira)
        draw_items(campaign, Role.TEST, 8, by=mira)
        expected = list(known_items(campaign).values_list("expected", flat=True))
        assert sorted(expected) == ["hateful"] * 4 + ["non-hateful"] * 4

    def test_an_own_text_is_changed_and_a_case_keeps_its_text(self, suite, mira):
        campaign = draft(suite, mira)
        add_own_items(campaign, Role.TRAINING, [KnownAnswer("Hello.", "hateful")], by=mira)
        draw_items(campaign, Role.CHECK, 1, by=mira)
        own, drawn = known_items(campaign)
        before = drawn.shown_text
        options = ItemOptions(text="Hello, you.", expected="non-hateful", explanation="Rule 2: a greeting.")
        for item in (own, drawn):
            change_item(campaign, item.pk, options, by=mira)
        own, drawn = known_items(campaign)
        assert (own.text, own.expected, own.explanation) == ("Hello, you.", "non-hateful", "Rule 2: a greeting.")
        assert (drawn.shown_text, drawn.explanation) == (before, "Rule 2: a greeting.")
        with pytest.raises(BadInput, match="'maybe' is not an answer of this campaign"):
            change_item(campaign, own.pk, ItemOptions(expected="maybe"), by=mira)
        open_campaign(campaign, by=mira)
        with pytest.raises(WrongState):
            change_item(campaign, own.pk, options, by=mira)

    def test_texts_are_copied_from_another_campaign_of_the_suite_once(self, suite, mira):
        first, second = draft(suite, mira), draft(suite, mira)
        texts = [KnownAnswer("Hello.", "non-hateful", "A greeting."), KnownAnswer("Go.", "hateful")]
        add_own_items(first, Role.TRAINING, texts, by=mira)
        add_own_items(first, Role.CHECK, texts[:1], by=mira)
        wanted = ItemsOptions(role="training", source="campaign", campaign=first.key)
        assert add_items(second, wanted, by=mira) == 2
        assert add_items(second, wanted, by=mira) == 0
        assert [(one.text, one.expected, one.explanation, one.role) for one in known_items(second)] == [
            ("Hello.", "non-hateful", "A greeting.", "training"), ("Go.", "hateful", "", "training"),
        ]  # fmt: skip
        with pytest.raises(BadInput, match="another campaign of the same suite"):
            add_items(second, wanted.model_copy(update={"campaign": second.key}), by=mira)

    def test_what_does_not_fit_is_not_copied(self, suite, mira):
        first = draft(suite, mira)
        add_own_items(first, Role.TEST, [KnownAnswer("Hello.", "non-hateful")], by=mira)
        assert copy_items(draft(suite, mira, "de"), first, by=mira) == 0
        assert copy_items(draft(suite, mira, question="choice", labels=["a", "b"]), first, by=mira) == 0
