"""Removing a word: what is said about its cases beforehand is what the next generation does."""

import pytest

from curation.cases.generating import generate_cases
from curation.cases.perturbing import perturb_cases
from curation.lexicon.removal import removal_of
from curation.lexicon.services import remove_entry
from curation.models import Form, LexiconEntry, TestCase
from tests.curation.authoring.factories import approve_template, functionality, german, make_suite, write_template

pytestmark = pytest.mark.django_db


@pytest.fixture
def suite(emil, mira):
    """Two templates of two words each: four cases."""
    suite = make_suite()
    for text in ("Ich mag [identity:Number=Plur] nicht.", "Das ist [identity:Number=Sing]."):
        approve_template(write_template(suite, text, by=emil), author=emil, reviewer=mira)
    generate_cases(suite, by=mira)
    return suite


def word(key: str = "frau") -> LexiconEntry:
    return LexiconEntry.objects.select_related("suite", "language").get(key=key)


def test_the_count_said_before_is_what_the_next_generation_retires(suite, emil, mira):
    said = removal_of(word())
    assert said.sentence == (
        "2 cases made with this word will be retired when cases are next generated. "
        "Imported cases and released cases stay."
    )
    assert remove_entry(word(), by=emil) == said
    assert TestCase.objects.in_use().count() == 4  # until then nothing is retired
    assert generate_cases(suite, by=mira).retired == said.retires == 2


def test_misspelt_versions_are_counted_with_their_originals(suite, emil, mira):
    perturb_cases(suite, 7, language=german(), functionality=functionality("spell_leet_h"), by=emil)
    said = remove_entry(word(), by=emil)
    assert generate_cases(suite, by=mira).generated == 0
    assert said.retires == TestCase.objects.filter(state="retired").count() == 4


def test_a_case_that_another_word_gives_just_the_same_is_not_counted(suite, emil, mira):
    twin = LexiconEntry.objects.create(
        suite=suite, language=german(), key="frau-2", kind="identity", target=word().target, lemma="Frau", position=9
    )
    Form.objects.create(entry=twin, features="Number=Plur", text="Frauen")
    said = remove_entry(word(), by=emil)
    assert generate_cases(suite, by=mira).retired == said.retires == 1
    assert TestCase.objects.in_use().filter(text="Ich mag Frauen nicht.").exists()


def test_imported_cases_stay_and_are_not_counted(suite, emil, mira):
    TestCase.objects.filter(text="Ich mag Frauen nicht.").update(origin="import")
    said = remove_entry(word(), by=emil)
    assert generate_cases(suite, by=mira).retired == said.retires == 1


def test_a_word_without_cases_retires_none(emil):
    make_suite()
    assert removal_of(word()).sentence == "No case will be retired when cases are next generated."


def test_one_case_is_told_in_the_singular(suite, emil, mira):
    TestCase.objects.filter(text="Ich mag Frauen nicht.").update(state="retired")
    assert removal_of(word()).sentence.startswith("1 case made with this word will be retired")
