"""Cases from templates: repeatable, nothing twice, and what is missing is said."""

import pytest

from core.errors import WrongState
from curation.authoring.case_changes import follow_words
from curation.cases.generating import generate_cases
from curation.cases.handwritten import is_retired_by_hand, retire_case
from curation.cases.perturbing import perturb_cases
from curation.formats.values import EntryValue, FormValue, SuiteValues, TemplateValue, VariantValue
from curation.importing.services import import_values
from curation.models import Form, Functionality, FunctionalityClass, Language, Suite, Template, TestCase

pytestmark = pytest.mark.django_db


def template(key: str, text: str, functionality: str = "ident_pos_nh", **facts) -> TemplateValue:
    variants = (VariantValue("", text),)
    return TemplateValue(key, "en", functionality, variants, "non-hateful", int(key), **facts)


@pytest.fixture
def suite() -> Suite:
    words = [
        ("identity-01", "woman", "women"),
        ("identity-02", "immigrant", "immigrants"),
        ("identity-03", "Muslim", "Muslims"),
    ]
    values = SuiteValues(
        entries=[
            EntryValue(key, "en", "identity", plural, singular, n) for n, (key, singular, plural) in enumerate(words)
        ],
        forms=[
            FormValue(key, f"Number={number}", "", text, language="en", position=n)
            for n, (key, singular, plural) in enumerate(words)
            for number, text in (("Sing", singular), ("Plur", plural))
        ],
        templates=[
            template("1", "I like [identity:Number=Plur]."),
            template("2", "a [identity:Number=Sing] is welcome", refers_to="1"),
            template("3", "Everybody is welcome."),
        ],
    )
    import_values("small", values, format_name="csv")
    return Suite.objects.get(key="small")


def texts(suite: Suite) -> list[str]:
    return list(TestCase.objects.of(suite).in_order().values_list("text", flat=True))


def test_every_word_fills_every_template(suite):
    report = generate_cases(suite)
    assert report.generated == 7
    assert texts(suite) == [
        "I like women.", "I like immigrants.", "I like Muslims.",
        "A woman is welcome", "An immigrant is welcome", "A Muslim is welcome", "Everybody is welcome.",
    ]  # fmt: skip


def test_generating_again_makes_nothing_twice(suite):
    generate_cases(suite)
    report = generate_cases(suite)
    assert (report.generated, report.unchanged) == (0, 7)
    assert TestCase.objects.count() == 7


def test_a_template_without_any_word_to_fill_it_is_said(suite):
    import_values("small", SuiteValues(templates=[template("4", "I like [slur:Number=Plur].")]), format_name="csv")
    (warning,) = generate_cases(suite).warnings
    assert (warning["template"], warning["problem"]) == ("4", "no word of the lexicon fills its placeholders")


def test_a_new_word_gives_only_its_own_cases(suite):
    generate_cases(suite)
    before = set(TestCase.objects.values_list("key", flat=True))
    more = SuiteValues(
        entries=[EntryValue("identity-04", "en", "identity", "refugees", "refugee", 3)],
        forms=[FormValue("identity-04", "Number=Plur", "", "refugees", language="en", position=3)],
    )
    import_values("small", more, format_name="csv")
    report = generate_cases(suite)
    assert report.generated == 1
    assert report.skipped == 1  # there is no singular yet, and that is said
    assert "refugee" in report.warnings[0]["problem"]
    assert before < set(TestCase.objects.values_list("key", flat=True))


def correct(text: str, instead: str) -> None:
    assert Form.objects.filter(text=text).update(text=instead) == 1


def in_use(suite: Suite) -> list[str]:
    return list(TestCase.objects.of(suite).in_use().in_order().values_list("text", flat=True))


def test_a_corrected_form_replaces_its_cases(suite):
    generate_cases(suite)
    correct("women", "ladies")
    report = generate_cases(suite)
    assert (report.generated, report.retired, report.revived) == (1, 1, 0)
    assert "I like ladies." in in_use(suite)
    assert "I like women." not in in_use(suite)
    correct("ladies", "women")
    report = generate_cases(suite)
    assert (report.generated, report.retired, report.revived) == (0, 1, 1)
    assert "I like women." in in_use(suite)
    assert "I like ladies." not in in_use(suite)
    report = generate_cases(suite)
    assert (report.generated, report.retired, report.revived, report.unchanged) == (0, 0, 0, 7)


def test_misspelt_versions_of_a_retired_case_are_retired_too(suite, mira):
    generate_cases(suite)
    spelling = Functionality.objects.create(
        key="leet", title="Leet", functionality_class=FunctionalityClass.objects.first(), gold_label="non-hateful",
        perturbation="leet",
    )  # fmt: skip
    perturb_cases(suite, 1, language=Language.objects.get(code="en"), functionality=spelling, by=mira)
    before = set(in_use(suite))
    assert len(before) > 7
    correct("women", "ladies")
    generate_cases(suite)
    gone = before - set(in_use(suite))
    assert "I like women." in gone
    assert len(gone) == 2
    correct("ladies", "women")
    generate_cases(suite)
    assert set(in_use(suite)) == before


@pytest.fixture
def released(suite) -> TestCase:
    """A case as a published file has it: its text was changed by hand after filling."""
    generate_cases(suite)
    Form.objects.update(source="import")
    TestCase.objects.filter(text="A woman is welcome").update(
        origin="import", text="Every woman is welcome", identity_hash="0" * 32
    )
    return TestCase.objects.get(text="Every woman is welcome")


def test_an_imported_text_that_its_template_does_not_give_gets_no_twin(suite, released):
    report = generate_cases(suite)
    assert (report.generated, report.unchanged, report.retired) == (0, 7, 0)
    (warning,) = report.warnings
    assert warning["problem"].startswith(f"case {released.key} was imported with another text")
    assert "A woman is welcome" not in texts(suite)


def test_a_word_changed_here_gives_a_new_case_beside_the_imported_one(suite, released):
    Form.objects.filter(text="woman").update(text="lady", source="hand")
    assert generate_cases(suite).generated == 1
    assert {"A lady is welcome", "Every woman is welcome"} < set(in_use(suite))


def test_a_retired_imported_case_makes_room_for_what_its_template_gives(suite, released, mira):
    retire_case(released, by=mira, reason="It was released with a slip.")
    assert generate_cases(suite).generated == 1
    assert "A woman is welcome" in in_use(suite)
    assert "Every woman is welcome" not in in_use(suite)


def test_an_imported_case_that_its_template_gives_goes_with_the_template(suite, mira):
    generate_cases(suite)
    TestCase.objects.update(origin="import")
    case = TestCase.objects.get(text="I like women.")
    assert not is_retired_by_hand(case)
    with pytest.raises(WrongState, match="Change the template instead"):
        retire_case(case, by=mira, reason="It is dull.")


def test_imported_texts_keep_their_cases(suite):
    generate_cases(suite)
    TestCase.objects.filter(text="I like women.").update(origin="import")
    correct("women", "ladies")
    assert generate_cases(suite).retired == 0
    assert "I like women." in in_use(suite)


def test_a_template_that_cannot_be_read_keeps_its_cases(suite):
    generate_cases(suite)
    unread = Template.objects.get(key="2")
    assert follow_words(suite, Language.objects.get(code="en"), set(), [unread.pk]) == (4, 0)
    assert in_use(suite) == ["A woman is welcome", "An immigrant is welcome", "A Muslim is welcome"]


def test_a_case_refers_to_the_one_with_the_same_word(suite):
    generate_cases(suite)
    original = TestCase.objects.get(text="I like immigrants.")
    assert TestCase.objects.get(text="An immigrant is welcome").refers_to == original.key


def test_a_case_tells_which_forms_it_was_made_from(suite):
    generate_cases(suite)
    case = TestCase.objects.get(text="I like women.")
    assert case.provenance["forms"][0][0] == "identity-01"
    assert case.variant.text == "I like [identity:Number=Plur]."


def test_a_suggested_form_does_not_count_until_it_is_accepted(suite):
    Form.objects.filter(text="women").update(source="suggestion")
    report = generate_cases(suite)
    assert "I like women." not in texts(suite)
    assert report.skipped == 1


def test_a_declared_fallback_stands_in_and_is_said(suite, mira):
    from curation.catalogue.languages import change_language
    from curation.models import Language

    Form.objects.filter(text="women").delete()
    change_language(Language.objects.get(code="en"), fallbacks=["Number=Plur -> Number=Sing"], by=mira)
    report = generate_cases(suite)
    assert "I like woman." in texts(suite)
    assert report.skipped == 0
    assert any("woman" in warning["problem"] for warning in report.warnings)
    assert TestCase.objects.get(text="I like woman.").provenance["warnings"]


def test_a_fallback_that_is_none_is_refused_with_an_example(suite, mira):
    from core.errors import BadInput
    from curation.catalogue.languages import change_language
    from curation.models import Language

    with pytest.raises(BadInput, match="Case=Acc -> Case=Nom"):
        change_language(Language.objects.get(code="en"), fallbacks=["plural becomes singular"], by=mira)
