"""Templates filled from a small lexicon of neighbours, bakers and friends."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.formats.values import VariantValue
from curation.morphology.expand import Expander, Expansion
from curation.morphology.features import NONE, FeatureError, parse_features
from curation.morphology.lexicon import Entry, Form, Lexicon
from curation.morphology.lookup import Fallback
from curation.morphology.orthography import load_orthography
from curation.morphology.perturb import Outcome, perturb_word
from curation.morphology.placeholders import Choice, Option, TemplateError, parse

ENTRIES = [
    Entry("voisin", "identity", "neighbours", "voisin", 0, parse_features("Gender=Masc")),
    Entry("nonne", "identity", "nuns", "nonne", 1, parse_features("Gender=Fem")),
    Entry("sot", "slur", "neighbours", "sot", 2, parse_features("Gender=Masc")),
]
FORMS = [
    Form("voisin", parse_features("Number=Sing"), "", "voisin"),
    Form("voisin", parse_features("Number=Plur"), "", "voisins"),
    Form("voisin", parse_features("Number=Plur"), "leet", "v0isins"),
    Form("nonne", parse_features("Number=Sing"), "", "nonne"),
    Form("nonne", parse_features("Number=Plur"), "", "nonnes"),
    Form("sot", parse_features("Number=Plur"), "", "sots"),
]


def expand(*texts: str | tuple[str, str], defaults: str = "", **options) -> Expansion:
    expander = Expander(Lexicon(ENTRIES, FORMS), load_orthography("fr"), **options)
    variants = [VariantValue(*text) if isinstance(text, tuple) else VariantValue("", text) for text in texts]
    return expander.expand(variants, defaults)


def texts_of(expansion: Expansion) -> list[str]:
    return [realised.text for realised in expansion]


def test_every_word_of_the_kind_fills_the_placeholder_in_order():
    assert texts_of(expand("Les [identity:Number=Plur].")) == ["Les voisins.", "Les nonnes."]


def test_a_case_knows_its_words_groups_and_forms():
    first, *_ = expand("Les [identity:Number=Plur].")
    assert first.entries == ("voisin",)
    assert first.target == "neighbours"
    assert first.forms[0]._asdict() == {
        "entry": "voisin",
        "kind": "identity",
        "target": "neighbours",
        "features": "Number=Plur",
        "perturbation": "",
        "text": "voisins",
    }
    assert first.warnings == ()


def test_published_tokens_take_the_same_words():
    assert texts_of(expand("Les [IDENTITY_P].")) == texts_of(expand("Les [identity:Number=Plur]."))


def test_choices_follow_the_gender_of_the_word():
    template = "{Tous|Toutes} les [identity:Number=Plur] sont {fous|folles}."
    assert texts_of(expand(template)) == ["Tous les voisins sont fous.", "Toutes les nonnes sont folles."]


def test_choices_may_ask_for_any_feature():
    template = "[identity:Number=Sing] {Number=Plur:sont|Number=Sing:est} {Gender=Fem:seule|seul}"
    assert texts_of(expand(template)) == ["Voisin est seul", "Nonne est seule"]


def test_a_choice_without_label_follows_the_nearest_word_before_it():
    template = "[identity:Number=Plur] et [slur:Number=Plur] {fous|folles}"
    assert texts_of(expand(template)) == ["Voisins et sots fous", "Nonnes et sots fous"]


def test_a_labelled_choice_follows_its_word():
    template = "[identity#1:Number=Plur] et [slur:Number=Plur] {#1:fous|folles}"
    assert texts_of(expand(template)) == ["Voisins et sots fous", "Nonnes et sots folles"]


def test_an_option_may_be_empty_and_leaves_no_blank_behind():
    assert texts_of(expand("un{|e} [identity:Number=Sing]")) == ["Un voisin", "Une nonne"]
    assert texts_of(expand("{Gender=Fem:chère|} [identity:Number=Sing]")) == ["Voisin", "Chère nonne"]
    assert texts_of(expand("[identity:Number=Sing] {|bien} seul.")) == ["Voisin seul.", "Nonne bien seul."]
    assert texts_of(expand("[identity:Number=Sing], {|bien}.")) == ["Voisin,.", "Nonne, bien."]


def test_placeholders_with_one_label_hold_the_same_word():
    template = "[identity#1:Number=Plur] : chaque [identity#1:Number=Sing]."
    assert texts_of(expand(template)) == ["Voisins : chaque voisin.", "Nonnes : chaque nonne."]
    assert [realised.entries for realised in expand(template)] == [("voisin",), ("nonne",)]


def test_placeholders_without_label_hold_different_words():
    assert texts_of(expand("[identity:Number=Plur] et [identity:Number=Plur]")) == [
        "Voisins et nonnes",
        "Nonnes et voisins",
    ]


def test_words_of_different_kinds_are_combined_with_each_other():
    expansion = expand("[identity:Number=Plur], [slur:Number=Plur]")
    assert texts_of(expansion) == ["Voisins, sots", "Nonnes, sots"]
    assert [realised.target for realised in expansion] == ["neighbours", "nuns + neighbours"]
    assert expansion.at_most == 2


def test_a_missing_form_is_skipped_and_told():
    expansion = expand("Les [identity:Number=Plur|leet].")
    assert texts_of(expansion) == ["Les v0isins."]
    assert [skip.reason for skip in expansion.skipped] == ["'nonne' has no form for plural (Leet)"]


def test_a_declared_fallback_warns_on_the_case_it_made():
    fallback = Fallback(parse_features("Number=Dual"), parse_features("Number=Plur"))
    case, *_ = expand("Les [slur:Number=Dual].", fallbacks=[fallback])
    assert case.text == "Les sots."
    assert case.warnings == ("'sot' has no form for Number=Dual; 'sots' (Number=Plur) is used instead",)


def test_a_word_that_only_fits_another_place_of_the_text_is_told():
    expansion = expand("[identity:Number=Plur|leet] et [identity:Number=Plur]")
    assert texts_of(expansion) == ["V0isins et nonnes"]
    assert [skip.reason for skip in expansion.uncovered] == ["'nonne' has no form for plural (Leet)"]


def test_a_word_that_fits_no_option_is_skipped_and_told():
    expansion = expand("[identity:Number=Plur] {Gender=Masc:beaux|Gender=Neut:x}")
    assert texts_of(expansion) == ["Voisins beaux"]
    assert "fits no option" in expansion.skipped[0].reason


def test_gendered_variants_share_the_words_between_them():
    expansion = expand(
        ("Gender=Masc", "Tous les [identity:Number=Plur]"), ("Gender=Fem", "Toutes les [identity:Number=Plur]")
    )
    assert texts_of(expansion) == ["Tous les voisins", "Toutes les nonnes"]
    assert [realised.variant_features for realised in expansion] == ["Gender=Masc", "Gender=Fem"]
    assert len(expansion.skipped) == 2
    assert expansion.uncovered == ()


def test_a_published_token_of_the_wrong_gender_expands_as_typed():
    entries = [Entry("a", "identity", "", "a"), Entry("b", "identity", "", "b", 1)]
    forms = [Form("a", parse_features("Gender=Masc|Number=Sing"), "", "maçon")]
    forms.append(Form("b", parse_features("Gender=Fem|Number=Sing"), "", "nonne"))
    expander = Expander(Lexicon(entries, forms), load_orthography("fr"))
    variants = [VariantValue("Gender=Masc", "Un [male_IDENT_S]"), VariantValue("Gender=Fem", "Une [male_IDENT_S]")]
    expansion = expander.expand(variants)
    assert texts_of(expansion) == ["Un maçon", "Une maçon"]
    assert [skip.entry for skip in expansion.uncovered] == ["b"]


def test_a_published_token_takes_its_own_column_and_no_richer_one():
    expander = Expander(
        Lexicon([Entry("a", "slur")], [Form("a", parse_features("Gender=Masc|Number=Sing"), "", "sot")]),
        load_orthography("fr"),
    )
    assert list(expander.expand([VariantValue("", "[SLR_S]")])) == []
    assert [case.text for case in expander.expand([VariantValue("", "[slur:Number=Sing]")])] == ["Sot"]


def test_defaults_fill_in_what_a_placeholder_does_not_say():
    assert texts_of(expand("Les [identity].", defaults="Number=Plur")) == ["Les voisins.", "Les nonnes."]
    assert texts_of(expand("Le [identity:Number=Sing].", defaults="Number=Plur")) == ["Le voisin.", "Le nonne."]


def test_forms_come_in_the_order_of_their_column():
    entries = [Entry("a", "identity", position=0), Entry("b", "identity", position=1)]
    plural = parse_features("Number=Plur")
    expander = Expander(
        Lexicon(entries, [Form("a", plural, "", "first", position=5), Form("b", plural, "", "second", position=2)]),
        load_orthography("en", capitalise="no"),
    )
    assert [case.text for case in expander.expand([VariantValue("", "[IDENT_P]")])] == ["second", "first"]


def test_a_template_without_placeholder_is_one_case():
    (case,) = expand("bonjour à tous")
    assert case == ("Bonjour à tous", (), "", (), "", ())


def test_a_faulty_variant_gives_no_case_and_the_others_do():
    expansion = expand(("Gender=Masc", "Les [IDENT_P]"), ("Gender=Fem", "Les [females_IDENT_P]"))
    assert texts_of(expansion) == ["Les voisins", "Les nonnes"]
    (fault,) = expansion.faults
    assert (fault.variant, fault.position, fault.fix) == (1, 5, "did you mean [female_IDENT_P]?")


def test_a_variant_without_text_or_placeholder_stands_for_no_such_text():
    expansion = expand(("Gender=Masc", "Les [IDENT_P]"), ("Gender=Fem", "-"), ("Gender=Neut", "Rien"))
    assert len(list(expansion)) == 2
    assert [fault.variant for fault in expansion.faults] == [1, 2]


def test_a_lone_dash_is_a_text_like_any_other():
    assert texts_of(expand("-")) == ["-"]


def test_strict_expansion_raises_the_fault():
    expander = Expander(Lexicon(ENTRIES, FORMS), load_orthography("fr"))
    with pytest.raises(TemplateError, match="character 5"):
        expander.expand([VariantValue("", "Les [idntity]")], strict=True)
    with pytest.raises(FeatureError):
        expander.expand([VariantValue("Gender", "Les [identity]")], strict=True)


def test_features_of_a_variant_that_make_no_sense_are_a_fault():
    assert expand(("Gender", "Les [IDENT_P]")).faults[0].problem.startswith("'Gender' is not a feature")


def test_too_many_options_for_the_genders_of_the_language_are_a_fault():
    expansion = expand("[identity:Number=Plur] {a|b|c}")
    assert expansion.faults[0].problem == "3 options, but the genders of the language are: masculine, feminine"


def test_combinations_beyond_all_use_are_a_fault():
    expansion = expand("[identity:Number=Plur] " * 40)
    assert list(expansion) == []
    assert expansion.faults[0].problem == "the placeholders combine to more than 100,000 cases"


def test_an_expansion_can_be_iterated_again():
    expansion = expand("Les [identity:Number=Plur].")
    assert texts_of(expansion) == texts_of(expansion)


def test_a_text_asked_for_again_follows_the_features_and_defaults_of_that_time():
    expander = Expander(Lexicon(ENTRIES, FORMS), load_orthography("fr"))
    asked = [("", "Number=Plur"), ("", "Number=Sing"), ("Number=Sing", "")] * 3
    for text in ("Un [identity].", "Un [identity] {sot|sotte}."):
        found = [
            [(case.text, case.variant_features) for case in expander.expand([VariantValue(features, text)], defaults)]
            for features, defaults in asked
        ]
        assert found[:3] == found[3:6] == found[6:]
        assert found[0] != found[1] != found[2]


def test_what_is_kept_of_texts_is_bounded(monkeypatch):
    monkeypatch.setattr("curation.morphology.expand.KEPT_AT_MOST", 5)
    expander = Expander(Lexicon(ENTRIES, FORMS), load_orthography("fr"))
    for number in range(20):
        for defaults in ("Number=Sing", f"Number=Plur|Case=C{number}"):
            for text in (f"Les [identity] {number}.", "Les [identity].", "Les [identity] {sots|sottes}."):
                expander.expand([VariantValue("", text)], defaults)
                expander.expand([VariantValue("", text)], defaults)
    assert len(expander._asked) <= 5
    assert len(expander._singles) <= 5
    assert len(expander._kept) <= 5
    assert len(expander._fitters) <= 5


def test_other_kinds_of_words_can_be_declared():
    expander = Expander(Lexicon(ENTRIES, FORMS), load_orthography("fr"), kinds={"profession"})
    assert expander.expand([VariantValue("", "[identity]")]).faults[0].problem == "no placeholder is called 'identity'"
    assert list(expander.expand([VariantValue("", "le [profession]")])) == []


def test_outer_blanks_of_a_form_are_kept_unless_the_suite_wants_them_tidy():
    words = Lexicon([Entry("a", "identity")], [Form("a", parse_features("Number=Sing"), "", "voisin ")])
    variants = [VariantValue("", "Mon [IDENT_S].")]
    kept = Expander(words, load_orthography("fr"))
    tidy = Expander(words, load_orthography("fr", tidy_spaces=True))
    assert [case.text for case in kept.expand(variants)] == ["Mon voisin ."]
    assert [case.text for case in tidy.expand(variants)] == ["Mon voisin."]


WORDS = st.sampled_from(
    ["ami", "homme", "héros", "voisin", " ami", "el niño", "الجار", "邻居", "studente", "8 ans", "le roi"]
)
NEIGHBOURS = st.lists(
    st.sampled_from(["le", "de", "a", "à", "il", "y", "ل", "我 ", "ce", "De", " ", "  ", ".", '"', "dei", "one", "l'"]),
    max_size=4,
).map("".join)


@given(st.sampled_from(["en", "fr", "it", "es", "pt", "ar", "zh", "nl", "sw"]), NEIGHBOURS, st.lists(WORDS), NEIGHBOURS)
def test_the_short_way_of_filling_spells_like_the_long_one(language, before, words, after):
    entries = [Entry(str(number), "identity", position=number) for number in range(len(words))]
    forms = [Form(str(number), parse_features(""), "", word) for number, word in enumerate(words)]
    expander = Expander(Lexicon(entries, forms), load_orthography(language))
    text = f"{before}[identity]{after}"
    assert list(expander.expand([VariantValue("", text)])) == list(expander._compile(text, "", NONE).realise())


LAST_WORDS = st.lists(
    st.sampled_from(
        ["le", "la", "Les", "de", "DE", "LE", "à", "si", "il", "un", "d'un", '"le', "A", "a", "an", "«", "I"]
    ),
    max_size=4,
).map(" ".join)


@given(
    st.sampled_from(["en", "fr", "it", "es", "pt"]),
    LAST_WORDS,
    st.sampled_from([" ", "  ", "\u00a0", ""]),
    st.lists(WORDS),
)
def test_the_word_before_gives_way_as_in_the_long_way(language, before, blank, words):
    entries = [Entry(str(number), "identity", position=number) for number in range(len(words))]
    forms = [Form(str(number), parse_features(""), "", word) for number, word in enumerate(words)]
    expander = Expander(Lexicon(entries, forms), load_orthography(language))
    text = f"{before}{blank}[identity] here"
    assert list(expander.expand([VariantValue("", text)])) == list(expander._compile(text, "", NONE).realise())


PLACEHOLDERS = st.sampled_from(
    ["[identity]", "[identity:Number=Plur]", "[IDENT_P]", "[IDENT_P_leet]", "[identty]", "[ identity ]", "[identity#1]"]
)


@given(st.text(alphabet=r"ab [](){}\|:#", max_size=12), PLACEHOLDERS, st.sampled_from(["", "Gender=Fem", "no feature"]))
def test_the_short_way_of_reading_finds_what_the_grammar_finds(text, placeholder, features):
    variants = [VariantValue(features, text.replace("()", placeholder))]
    short, long = (Expander(Lexicon(ENTRIES, FORMS), load_orthography("fr")) for _ in range(2))
    long._fit_single = lambda *arguments: None
    assert list(short.expand(variants)) == list(long.expand(variants))
    assert short.expand(variants).faults == long.expand(variants).faults
    assert short.expand(variants).skipped == long.expand(variants).skipped


def test_a_perturbed_form_is_computed_unless_the_lexicon_has_one():
    expansion = expand("les [identity:Number=Plur|leet]", perturb=in_french)
    assert texts_of(expansion) == ["Les v0isins", "Les nonn3s"]
    assert [(form.features, form.perturbation) for case in expansion for form in case.forms] == [
        ("Number=Plur", "leet"), ("Number=Plur", "leet")
    ]  # fmt: skip
    assert texts_of(expand("les [IDENTITY_P_leet]", perturb=in_french)) == ["Les v0isins"]


def test_a_word_that_cannot_be_perturbed_is_skipped_and_told():
    [skip] = expand("les [slur:Number=Plur|pinyin]", perturb=in_french).skipped
    reason = "'sots' cannot be spelt with pinyin: it is made for the language zh, not for fr in Latn"
    assert (skip.entry, skip.perturbation, skip.reason) == ("sot", "pinyin", reason)
    [skip] = expand("le [slur:Number=Sing|leet]", perturb=in_french).skipped
    assert (skip.perturbation, skip.reason) == ("", "'sot' has no form for singular")


def in_french(key: str, text: str) -> Outcome:
    return perturb_word(key, text, language="fr", script="Latn")


def test_a_choice_may_follow_several_words():
    text = "[identity#1:Number=Plur] et [identity#2:Number=Plur] sont {#1+#2:venus|venues}."
    assert texts_of(expand(text)) == ["Voisins et nonnes sont venus.", "Nonnes et voisins sont venus."]
    sisters = [
        *ENTRIES,
        Entry("amie", "identity", "friends", "amie", 4, parse_features("Gender=Fem")),
    ]
    forms = [*FORMS, Form("amie", parse_features("Number=Sing"), "", "amie")]
    expander = Expander(Lexicon(sisters, forms), load_orthography("fr"))
    both = "la [identity#1:Number=Sing] et la [identity#2:Number=Sing] {#1+#2:Number=Sing:est|Gender=Fem:belles|beaux}"
    found = texts_of(expander.expand([VariantValue("", both)]))
    assert "La nonne et l'amie belles" in found
    assert "La nonne et la voisin beaux" in found


def test_two_words_that_fit_no_option_together_give_no_case():
    text = "[identity#1:Number=Plur] et [identity#2:Number=Plur] {#1+#2:Gender=Fem:venues|Gender=Neut:venu}"
    assert texts_of(expand(text)) == []


def test_a_choice_that_follows_an_unknown_label_is_a_fault():
    [fault] = expand("[identity#1] et [identity] {#1+#2:a|b}").faults
    assert (fault.problem, str(parse("[identity#1] {#1+#2:a|b} [slur#2]"))) == (
        "no placeholder is labelled #2", "[identity#1] {#1+#2:a|b} [slur#2]"
    )  # fmt: skip
    assert str(Choice((Option("a"), Option("b")), "1+2")) == "{#1+#2:a|b}"
