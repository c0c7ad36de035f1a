"""Texts are English until they are shown."""

import copy
import json
import pickle

import pytest
from django.template import Context, Template
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from accounts.plain_values import storable
from core.errors import BadInput
from core.fields import SentenceField
from core.text import Text, _, in_english, keep, ngettext, recall, shown

REQUIRED = "This field is required."
GERMAN = "Dieses Feld ist erforderlich."


def test_a_text_is_an_english_string_until_it_is_shown():
    with translation.override("de"):
        text = _(REQUIRED)
        assert text == REQUIRED
        assert json.dumps({"text": text}) == json.dumps({"text": REQUIRED})
        assert (str(text), f"{text}", f"{text:>3}") == (GERMAN,) * 3


def test_a_template_shows_it_in_the_readers_language():
    with translation.override("de"):
        assert Template("{{ text }}").render(Context({"text": _(REQUIRED)})) == GERMAN


def test_a_text_inside_another_is_shown_in_the_same_language():
    text = _("Name: %(problem)s", problem=_(REQUIRED))
    assert text == f"Name: {REQUIRED}"
    with translation.override("de"):
        assert str(text) == f"Name: {GERMAN}"


@pytest.mark.parametrize(("count", "english"), [(0, "0 words"), (1, "1 word"), (2000, "2,000 words")])
def test_plurals_and_numbers_are_english_in_the_database(count, english):
    assert ngettext("%(count)s word", "%(count)s words", count) == english


def test_numbers_follow_the_readers_locale():
    with translation.override("de"):
        assert str(_("%(count)s Zeichen", count=12345)) == "12.345 Zeichen"


def test_a_refusal_is_made_where_it_is_shown():
    error = BadInput(_(REQUIRED))
    with translation.override("de"):
        assert (str(error), error.as_problem()["title"]) == (GERMAN, GERMAN)
    assert str(error) == REQUIRED


def test_files_for_machines_stay_english():
    with translation.override("de"), in_english():
        assert str(_(REQUIRED)) == REQUIRED


def test_answers_in_json_are_shown():
    with translation.override("de"):
        assert shown({"problems": [_(REQUIRED), 3]}) == {"problems": [GERMAN, 3]}


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda text: pickle.loads(pickle.dumps(text)), storable])
def test_a_copy_can_still_be_translated(again):
    copied = again(_("Name: %(problem)s", problem=_(REQUIRED)))
    with translation.override("de"):
        assert str(copied) == f"Name: {GERMAN}"


def test_what_no_database_keeps_is_replaced_in_the_values():
    assert storable(_("No label '%(label)s'.", label="a\x00")) == "No label 'a\ufffd'."


@given(st.text(), st.integers(), st.lists(st.text()))
def test_what_is_kept_as_json_comes_back(word, count, more):
    value = {"problem": ngettext("%(count)s %(word)s", "%(count)s of %(word)s", count, word=word), "more": more}
    back = recall(json.loads(json.dumps(keep(value))))
    assert back == value
    assert isinstance(back["problem"], Text)
    assert back["problem"].values == value["problem"].values


def test_a_list_has_the_comma_of_the_readers_language():
    text = _("Use one of: %(labels)s.", labels=["hateful", "non-hateful", 3])
    assert text == "Use one of: hateful, non-hateful, 3."
    assert recall(keep(text)) == text


@given(st.text(), st.integers())
def test_a_column_of_sentences_gives_back_what_it_keeps(word, number):
    field = SentenceField()
    text = _("Row %(row)s: %(word)s", row=number, word=word)
    back = field.from_db_value(field.get_prep_value(text), None, None)
    assert (back, type(back), back.values) == (text, Text, text.values)
    assert field.from_db_value(field.get_prep_value(word), None, None) == word


@pytest.mark.parametrize(
    "typed",
    [
        '{"__text__": {"message": "%(a)s", "values": {"b": 1}}}',
        '{"__text__": {"message": "%d", "values": {"b": 1}}}',
        '{"__text__": {"message": "x", "values": [1]}}',
        '{"__text__": 1}',
        '{"__text__": ',
    ],
)
def test_what_a_person_typed_is_never_taken_for_a_kept_text(typed):
    assert SentenceField().from_db_value(typed, None, None) == typed
