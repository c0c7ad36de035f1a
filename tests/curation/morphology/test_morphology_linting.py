from hypothesis import given
from hypothesis import strategies as st

from curation.formats.values import VariantValue
from curation.morphology.linting import check_template


def codes(*variants: tuple[str, str], **options) -> list[tuple[int, str]]:
    found = check_template([VariantValue(*variant) for variant in variants], **options)
    return [(finding.variant, finding.code) for finding in found]


def test_a_sound_template_has_no_findings():
    assert codes(("Gender=Masc", "Un [male_IDENT_S]"), ("Gender=Fem", "Une [female_IDENT_S]")) == []


def test_an_unknown_token_is_found_with_position_and_fix():
    (finding,) = check_template([VariantValue("", "Les [females_IDENT_P] sont là")])
    assert finding.position == 5
    assert finding.fix == "did you mean [female_IDENT_P]?"
    assert finding.stops


def test_an_unbalanced_bracket_is_found():
    (finding,) = check_template([VariantValue("", "e uma {female_IDENT_S] morta")])
    assert (finding.code, finding.position, finding.fix) == ("syntax", 7, "write [female_IDENT_S]")


def test_a_male_token_in_the_female_text_is_found_but_does_not_stop():
    (finding,) = check_template(
        [VariantValue("Gender=Masc", "Un [male_IDENT_S]"), VariantValue("Gender=Fem", "Une [male_IDENT_S]")]
    )
    assert (finding.variant, finding.position, finding.code, finding.stops) == (1, 5, "gender", False)


def test_different_kinds_in_the_variants_are_found():
    assert codes(("Gender=Masc", "[male_IDENT_S]"), ("Gender=Fem", "[female_SLR_S]")) == [(1, "kinds")]


def test_a_text_that_is_only_a_dash_is_found():
    assert codes(("Gender=Masc", "[male_IDENT_S]"), ("Gender=Fem", "-")) == [(1, "no_text")]
    assert codes(("", "-")) == [(0, "no_text")]


def test_a_variant_without_placeholder_beside_one_that_has_one_is_found():
    assert codes(("Gender=Masc", "[male_IDENT_S]"), ("Gender=Fem", "Rien")) == [(1, "no_placeholder")]
    assert codes(("", "Rien")) == []


def test_two_variants_for_the_same_words_are_found():
    assert codes(("Gender=Fem", "[IDENT_S]"), ("Gender=Fem", "[IDENT_P]")) == [(1, "same_features")]


def test_a_choice_that_could_follow_two_words_is_found():
    assert codes(("", "[identity] et [slur] {fous|folles}")) == [(0, "agreement")]
    assert codes(("", "[identity#1] et [slur] {#1:fous|folles}")) == []
    assert codes(("", "[identity#1], [identity#1] {fous|folles}")) == []


def test_more_options_than_genders_are_found():
    assert codes(("", "[identity] {a|b|c}"), genders=("Masc", "Fem")) == [(0, "syntax")]


def test_doubled_blanks_are_found_where_they_are():
    (finding,) = check_template([VariantValue("", "Les [IDENT_P] sont  là")])
    assert (finding.code, finding.position) == ("blanks", 19)


def test_a_feature_that_no_word_has_is_found_with_those_there_are():
    known = {"Number": {"Sing", "Plur"}, "Gender": {"Fem"}}
    misspelt, unknown = check_template([VariantValue("", "[identity:Numbr=Plur] [slur:Number=Dual]")], features=known)
    assert misspelt.message == "no word has the feature Numbr; known: Gender, Number"
    assert (misspelt.position, misspelt.fix) == (1, "did you mean Number?")
    assert unknown.message == "no word has Number=Dual; known: Number=Plur, Number=Sing"
    assert unknown.position == 23


def test_features_that_words_have_are_not_reported():
    known = {"Number": {"Sing", "Plur"}}
    assert codes(("", "[identity:Number=Plur] {Number=Plur:a|b}"), features=known) == []
    assert codes(("", "[identity] {Number=Plu:a|b}"), features=known) == [(0, "unknown_feature")]


def test_features_that_make_no_sense_are_found():
    assert codes(("Gender", "[identity]")) == [(0, "features")]


@given(st.lists(st.tuples(st.text(max_size=6), st.text(st.sampled_from("[]{}|:#=\\ -aIDENT_P"))), max_size=3))
def test_checking_never_fails(variants: list[tuple[str, str]]):
    check_template([VariantValue(*variant) for variant in variants])
