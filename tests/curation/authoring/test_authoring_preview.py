"""The preview while typing: cases, faults with their place, missing forms, twins, uneven groups."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.authoring.preview import MissingForm, preview
from curation.authoring.views.preview import lexicon_cell
from curation.authoring.word_diff import diff_texts, diff_words
from curation.authoring.wording_checks import VariantText
from curation.cases.generating import generate_cases
from curation.catalogue.languages import add_language
from curation.catalogue.loading import load_catalogue
from curation.lexicon.paradigms import Cell
from curation.lexicon.services import add_entry, set_form
from curation.lexicon.vocabulary import completions_for, vocabulary_of
from curation.models import Form, LexiconEntry, Suite
from tests.curation.authoring.factories import approve_template, german, make_suite, write_template

PLURAL = "Ich mag [identity:Number=Plur] nicht."


@pytest.fixture
def suite(db):
    return make_suite()


def as_typed(*texts: str) -> list[VariantText]:
    return [VariantText("", text) for text in texts]


def look(suite, *texts: str, **more):
    return preview(suite, german(), as_typed(*texts), **more)


def test_every_case_is_shown_with_its_target(suite):
    seen = look(suite, PLURAL)
    assert [(case.text, case.target) for case in seen.cases] == [
        ("Ich mag Frauen nicht.", "women"), ("Ich mag Muslime nicht.", "Muslims")
    ]  # fmt: skip
    assert (seen.total, seen.findings, seen.missing, seen.is_uneven) == (2, (), (), False)


def test_a_half_written_placeholder_is_a_fault_with_its_place(suite):
    seen = look(suite, "Ich mag [identi")
    assert seen.cases == ()
    assert seen.stops[0].position == 9
    assert seen.spans[0][-1].end == len("Ich mag [identi")


def test_a_missing_form_names_the_empty_cell(suite):
    Form.objects.filter(entry__key="muslim", features="Case=Dat|Number=Plur").delete()
    seen = look(suite, "Mit [identity:Case=Dat,Number=Plur] rede ich.")
    assert [case.text for case in seen.cases] == ["Mit Frauen rede ich."]
    assert [(form.entry, form.kind, form.wanted) for form in seen.missing] == [
        ("muslim", "identity", "Case=Dat|Number=Plur")
    ]
    assert seen.is_uneven
    assert seen.groups == (("Muslims", 0), ("women", 1))


def test_a_feature_no_word_has_and_an_unknown_perturbation_are_named_with_what_is_meant(suite):
    seen = look(suite, "Ich mag [identity:Nunber=Plur].")
    (cause,) = seen.causes
    assert (cause.position, cause.fix) == (9, "did you mean Number?")
    assert (seen.missing, seen.hints) == ((), ())  # said once, not for each word
    (fault,) = look(suite, "Ich mag [identity:Number=Plur|leeet].").stops
    assert (fault.position, fault.fix) == (31, "did you mean leet?")
    assert look(suite, "Ich mag [identity:Number=Plur|leet].").stops == ()


def test_defaults_apply_to_every_placeholder(suite):
    seen = look(suite, "Mit [identity:Number=Plur] rede ich.", defaults="Case=Dat")
    assert [case.text for case in seen.cases] == ["Mit Frauen rede ich.", "Mit Muslimen rede ich."]
    assert look(suite, PLURAL, defaults="Dativ").stops


def test_a_text_the_suite_has_already_is_a_twin(suite, emil, mira):
    template = write_template(suite, PLURAL, by=emil)
    approve_template(template, author=emil, reviewer=mira)
    generate_cases(suite)
    assert {case.twin for case in look(suite, PLURAL).twins} == {"de-00001", "de-00002"}
    assert look(suite, PLURAL, template=template).twins == ()


def test_a_text_that_comes_out_twice_is_a_twin_of_its_own_template(suite):
    seen = preview(suite, german(), [VariantText("", PLURAL), VariantText("Gender=Fem", PLURAL)])
    assert {case.twin for case in seen.twins} == {"this template"}


def test_a_changed_lexicon_shows_at_once(suite):
    before = vocabulary_of(suite, german())
    assert vocabulary_of(suite, german()) is before
    Form.objects.filter(entry__key="frau", features="Number=Plur").update(text="Damen")
    assert look(suite, PLURAL).cases[0].text == "Ich mag Damen nicht."
    LexiconEntry.objects.filter(key="frau").update(inherent="Gender=Neut")
    assert vocabulary_of(suite, german()) is not before


def test_the_preview_needs_few_queries(suite, django_assert_max_num_queries):
    language = german()
    look(suite, PLURAL)
    with django_assert_max_num_queries(3):
        preview(suite, language, [VariantText("", PLURAL)])


def test_what_is_too_much_to_show_is_counted(suite):
    entries = [
        LexiconEntry(suite=suite, language=german(), key=f"w{n}", kind="identity", lemma=f"w{n}", position=n)
        for n in range(60)
    ]
    made = LexiconEntry.objects.bulk_create(entries)
    Form.objects.bulk_create(Form(entry=entry, features="Number=Plur", text=entry.lemma) for entry in made)
    seen = look(suite, " ".join(["[identity:Number=Plur]"] * 2))
    assert len(seen.cases) == 1000
    assert seen.total == 62**2
    assert seen.is_cut


def test_placeholders_complete_from_schema_and_lexicon(suite):
    known = completions_for(suite, german())
    assert set(known["kinds"]) == {"identity", "slur"}
    assert known["kinds"]["identity"][:2] == ["Number=Sing", "Number=Plur"]
    assert "Case=Gen" in known["kinds"]["identity"]
    assert "leet" in known["perturbations"]
    assert "pinyin" not in known["perturbations"]


def test_nothing_typed_is_no_case_and_no_fault(suite):
    seen = look(suite, " ")
    assert (seen.total, seen.findings, seen.cases) == (0, (), ())


def test_a_text_too_long_to_keep_is_said_to_be(suite):
    seen = preview(suite, german(), [VariantText("", "x" * 6000), VariantText("Gender=Fem", PLURAL)])
    assert "6,000 characters" in seen.stops[0].message
    assert len(seen.spans) == 2


@pytest.mark.django_db
@given(text=st.text(st.sampled_from("a [identy]{|}:=,#\\Numb"), max_size=30))
def test_no_text_breaks_the_preview(text):
    from curation.models import Language, Suite

    seen = preview(Suite(pk=1, key="none"), Language(pk=1, code="de", orthography="de"), [VariantText("", text)])
    assert "".join(text[span.start : span.end] for span in seen.spans[0]) == (text if text.strip() else "")


def test_the_difference_is_told_word_by_word():
    assert [tuple(part) for part in diff_words("I like [identity] a lot.", "I like [slur] a lot!")] == [
        ("same", "I like "), ("gone", "[identity]"), ("new", "[slur]"), ("same", " a lot"), ("gone", "."), ("new", "!")
    ]  # fmt: skip


@given(old=st.text(max_size=40), new=st.text(max_size=40))
def test_a_difference_gives_both_texts_back(old, new):
    parts = diff_words(old, new)
    assert "".join(part.text for part in parts if part.kind != "new") == old
    assert "".join(part.text for part in parts if part.kind != "gone") == new


def test_variants_are_compared_by_their_features():
    old = [VariantText("", "Alle sind gleich.")]
    new = [VariantText("Gender=Masc", "Alle sind gleich."), VariantText("Gender=Fem", "Neu.")]
    diffs = diff_texts(old, new)
    assert [(diff.old_features, diff.features) for diff in diffs] == [("", "Gender=Masc"), ("", "Gender=Fem")]
    assert all(diff.is_changed for diff in diffs)


def test_a_perturbation_is_computed_for_words_without_a_form_of_their_own(suite):
    word = LexiconEntry.objects.get(key="muslim")
    Form.objects.create(entry=word, features="Number=Plur", perturbation="leet", text="Mu5l1me")
    seen = look(suite, "Hier wohnen [identity:Number=Plur|leet].")
    assert [case.text for case in seen.cases] == ["Hier wohnen Frau3n.", "Hier wohnen Mu5l1me."]
    assert (seen.missing, seen.findings) == ((), ())


@pytest.mark.django_db
def test_a_perturbation_works_in_a_language_that_is_new(mira):
    load_catalogue()
    facts = {"name": "Amharic", "script": "Ethi", "direction": "ltr", "features": {"Number": ["Sing", "Plur"]}}
    amharic = add_language(code="am", **facts, by=mira)
    suite = Suite.objects.create(key="am", name="Amharic")
    suite.languages.add(amharic)
    entry = add_entry(suite, amharic, kind="identity", lemma="ኢትዮጵያዊ", by=mira)
    set_form(entry, Cell("", "Number=Sing"), "ኢትዮጵያዊ", by=mira)
    seen = preview(suite, amharic, as_typed("[identity:Number=Sing|char_swap] ነው።"))
    [case] = seen.cases
    assert sorted(case.text) == sorted("ኢትዮጵያዊ ነው።")
    assert case.text != "ኢትዮጵያዊ ነው።"
    [refused] = preview(suite, amharic, as_typed("[identity:Number=Sing|leet] ነው።")).stops
    assert "no perturbation is called 'leet'" in refused.message


def test_a_kind_without_words_says_so(suite):
    (fault,) = look(suite, "Ich mag [slur:Number=Plur] nicht.").stops
    assert (fault.code, fault.position, fault.message) == ("no_words", 9, "the lexicon has no word of the kind slur")


def test_an_ambiguous_placeholder_is_named_once_with_the_features_to_add(suite):
    seen = look(suite, "Ich mag [identity].")
    (hint,) = seen.hints
    assert hint.message == "[identity] is ambiguous: 2 words have up to 2 forms"
    assert hint.fix == "add these features: number. For example: [identity:Number=Sing]"
    assert (hint.typed, hint.replacement) == ("[identity]", "[identity:Number=Sing]")
    assert not any(case.warnings for case in seen.cases)
    assert look(suite, "Ich mag [identity:Number=Plur].").hints == ()
    assert look(suite, "Ich mag [identity].", defaults="Number=Plur").hints == ()


def test_a_missing_form_links_to_its_column_even_where_no_word_has_it(suite):
    form = MissingForm("frau", "Frau", "identity", "Number=Plur", "pinyin", "")
    assert "column=Number%3DPlur+~+pinyin" in lexicon_cell(suite, german(), form)
