import pytest

from curation.formats.values import EntryValue, FormValue
from curation.morphology.features import parse_features
from curation.morphology.lexicon import Entry, Form, Lexicon
from curation.morphology.lookup import Fallback, find_form
from tests.curation.morphology.factories import make_lexicon

BAKER = Entry("baker", "profession", lemma="Bäcker", inherent=parse_features("Gender=Masc"))


def lexicon(*cells: tuple[str, str, str], entry: Entry = BAKER) -> Lexicon:
    forms = [Form(entry.key, parse_features(features), perturbation, text) for features, perturbation, text in cells]
    return Lexicon([entry], forms)


def found(words: Lexicon, wanted: str, perturbation: str = "", **options):
    return find_form(words, BAKER, parse_features(wanted), perturbation, **options)


def test_the_cell_with_exactly_the_wanted_features_comes_first():
    words = lexicon(("Case=Dat|Number=Plur", "", "Bäckern"), ("Number=Plur", "", "Bäcker"))
    assert found(words, "Number=Plur").form.text == "Bäcker"


def test_a_form_may_have_more_features_than_wanted_if_no_other_fits():
    words = lexicon(("Case=Dat|Number=Plur", "", "Bäckern"))
    assert found(words, "Number=Plur") == (words.column(parse_features("Case=Dat|Number=Plur"))["baker"], ())


def test_what_the_word_is_by_itself_counts():
    words = lexicon(("Number=Sing", "", "Bäcker"))
    assert found(words, "Gender=Masc|Number=Sing").form.text == "Bäcker"
    assert found(words, "Gender=Fem|Number=Sing") is None


def test_two_forms_that_fit_equally_well_are_told():
    words = lexicon(("Case=Nom|Number=Plur", "", "Bäcker"), ("Case=Dat|Number=Plur", "", "Bäckern"))
    form, warnings = found(words, "Number=Plur")
    assert form.text == "Bäcker"
    assert "is ambiguous: 2 forms fit" in warnings[0]
    assert "Bäckern" in warnings[0]


def test_two_cells_with_the_same_text_are_no_reason_to_warn():
    words = lexicon(("Case=Nom|Number=Plur", "", "Bäcker"), ("Case=Acc|Number=Plur", "", "Bäcker"))
    assert found(words, "Number=Plur").warnings == ()


def test_exactly_means_without_further_features():
    words = lexicon(("Case=Dat|Number=Plur", "", "Bäckern"))
    assert found(words, "Number=Plur", exactly=True) is None
    assert found(words, "Case=Dat|Gender=Masc|Number=Plur", exactly=True).form.text == "Bäckern"


def test_a_perturbed_form_never_stands_in_for_a_plain_one():
    words = lexicon(("Number=Sing", "leet", "B4cker"))
    assert found(words, "Number=Sing") is None
    assert found(words, "Number=Sing", "leet").form.text == "B4cker"


def test_nothing_falls_back_unless_it_was_declared():
    words = lexicon(("Case=Nom|Number=Sing", "", "Bäcker"))
    assert found(words, "Case=Acc|Number=Sing") is None


def test_a_declared_fallback_is_used_and_told():
    words = lexicon(("Case=Nom|Number=Sing", "", "Bäcker"))
    fallback = Fallback(parse_features("Case=Acc"), parse_features("Case=Nom"))
    form, warnings = found(words, "Case=Acc|Number=Sing", fallbacks=[fallback])
    assert form.text == "Bäcker"
    assert warnings == (
        "'Bäcker' has no form for Case=Acc|Number=Sing; 'Bäcker' (Case=Nom|Number=Sing) is used instead",
    )


def test_fallbacks_are_tried_in_the_order_they_were_declared():
    words = lexicon(("Case=Nom", "", "first"), ("Case=Dat", "", "second"))
    to_dative = Fallback(parse_features("Case=Gen"), parse_features("Case=Dat"))
    to_nominative = Fallback(parse_features("Case=Gen"), parse_features("Case=Nom"))
    assert found(words, "Case=Gen", fallbacks=[to_dative, to_nominative]).form.text == "second"
    assert found(words, "Case=Gen", fallbacks=[to_nominative, to_dative]).form.text == "first"


def test_a_fallback_to_nothing_leaves_the_feature_open():
    words = lexicon(("Number=Plur", "", "Bäcker"))
    fallback = Fallback(parse_features("Case=Acc"), parse_features(""))
    assert found(words, "Case=Acc|Number=Plur", fallbacks=[fallback]).form.text == "Bäcker"


def test_a_lexicon_refuses_what_is_there_twice_or_belongs_to_nobody():
    with pytest.raises(ValueError, match="two entries are called 'baker'"):
        Lexicon([BAKER, BAKER], [])
    with pytest.raises(ValueError, match="two forms for singular"):
        lexicon(("Number=Sing", "", "a"), ("Number=Sing", "", "b"))
    with pytest.raises(ValueError, match="which is not an entry"):
        Lexicon([BAKER], [Form("cook", parse_features(""), "", "cook")])


def test_a_lexicon_is_built_from_what_a_reader_hands_over():
    words = make_lexicon(
        [EntryValue("b", "de", "profession", "", "Bäcker", 1), EntryValue("a", "de", "profession", "", "Koch", 0)],
        [FormValue("a", "Number=Plur", "leet", "K0che")],
    )
    assert [entry.lemma for entry in words.entries("profession")] == ["Koch", "Bäcker"]
    assert words.kinds == {"profession"}
    assert words.perturbations == {"leet"}
    assert words.entries("identity") == ()


def test_a_lexicon_knows_which_features_there_are():
    words = lexicon(("Case=Dat|Number=Plur", "", "Bäckern"), ("Number=Sing", "", "Bäcker"))
    assert words.features == {"Case": {"Dat"}, "Gender": {"Masc"}, "Number": {"Plur", "Sing"}}
