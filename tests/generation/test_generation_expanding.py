"""Combinatorial expansion of a suite's templates: counted before, balanced, repeatable, kept as cases."""

from collections import Counter

import pytest

from accounts.errors import NotAllowed
from core.errors import BadInput, Missing
from core.jobs import services as jobs
from curation.cases.generating import generate_cases
from curation.formats.values import EntryValue, FormValue, SuiteValues, TemplateValue, VariantValue
from curation.importing.services import import_values
from curation.models import Suite, TestCase
from generation.runs.expanding import count_expansion, expand_templates, request_expansion
from generation.runs.options import ExpansionOptions

pytestmark = pytest.mark.django_db

WORDS = {
    "identity": [("women", "women"), ("ladies", "women"), ("Muslims", "Muslims"), ("believers", "Muslims")],
    "place": [(place, "") for place in ("bakery", "library", "harbour", "orchard", "museum")],
    "verb": [(verb, "") for verb in ("sing", "dance", "paint", "cook")],
}


def template(key: str, *texts: str, functionality: str = "ident_pos_nh") -> TemplateValue:
    variants = tuple(VariantValue("", text) for text in texts)
    return TemplateValue(key, "en", functionality, variants, "non-hateful", int(key))


@pytest.fixture
def suite() -> Suite:
    entries = [
        EntryValue(f"{kind}-{number}", "en", kind, group, word, number)
        for kind, words in WORDS.items()
        for number, (word, group) in enumerate(words)
    ]
    forms = [
        FormValue(f"{kind}-{number}", "", "", word, language="en", position=number)
        for kind, words in WORDS.items()
        for number, (word, _) in enumerate(words)
    ]
    templates = [
        template("1", "The [identity] at the [place] [verb]."),
        template("2", "I like [identity].", functionality="ident_neutral_nh"),
        template("3", "Everybody is welcome.", functionality="ident_neutral_nh"),
    ]
    import_values("wide", SuiteValues(entries=entries, forms=forms, templates=templates), format_name="csv")
    return Suite.objects.get(key="wide")


def choice(**facts) -> ExpansionOptions:
    return ExpansionOptions(suite="wide", language="en", **facts)


def texts(suite: Suite) -> list[str]:
    return list(TestCase.objects.of(suite).in_order().values_list("text", flat=True))


def test_it_is_counted_before_anything_is_made(suite):
    count = count_expansion(choice())
    assert count.total == 4 * 5 * 4 + 4 + 1
    assert count.by_functionality == {"ident_pos_nh": 80, "ident_neutral_nh": 5}
    assert count.by_group == {"Muslims": 42, "women": 42, "about no group": 1}
    assert count.is_exact
    assert not count.unbalanced
    assert not TestCase.objects.exists()


def test_everything_is_what_generating_makes(suite):
    result = expand_templates(choice(), by=None)
    assert result["generated"] == 85
    assert generate_cases(suite).generated == 0
    made = TestCase.objects.of(suite).filter(text="The ladies at the harbour cook.").get()
    assert (made.origin, made.state, made.target.name, made.template.key) == ("template", "ready", "women", "1")
    assert [form[0] for form in made.provenance["forms"]] == ["identity-1", "place-2", "verb-3"]


def test_a_sample_has_equally_many_texts_of_each_group(suite):
    result = expand_templates(choice(functionalities=("ident_pos_nh",), size=20, seed=3), by=None)
    assert result["generated"] == 20
    assert result["by_group"] == {"Muslims": 10, "women": 10}
    groups = Counter(TestCase.objects.of(suite).values_list("target__name", flat=True))
    assert groups == {"women": 10, "Muslims": 10}


def test_a_sample_takes_its_share_of_every_functionality(suite):
    result = expand_templates(choice(size=10), by=None)
    assert result["by_functionality"] == {"ident_pos_nh": 6, "ident_neutral_nh": 5}


def test_the_same_seed_makes_nothing_new_and_another_one_other_texts(suite):
    expand_templates(choice(size=12, seed=1), by=None)
    first = texts(suite)
    again = expand_templates(choice(size=12, seed=1), by=None)
    assert (again["generated"], again["unchanged"]) == (0, len(first))
    assert texts(suite) == first
    assert expand_templates(choice(size=12, seed=2), by=None)["generated"] > 0


def test_near_duplicates_are_left_out_and_groups_stay_equal(suite):
    strict = expand_templates(choice(functionalities=("ident_pos_nh",), similarity=0.7), by=None)
    assert 0 < strict["generated"] < 80
    assert strict["near_duplicates"] > 0
    assert strict["by_group"]["women"] == strict["by_group"]["Muslims"]


def test_words_of_two_groups_meet_only_when_asked_for(suite):
    more = SuiteValues(templates=[template("4", "[identity] meet [identity].", functionality="ident_pos_nh")])
    import_values("wide", more, format_name="csv")
    same, across = count_expansion(choice()), count_expansion(choice(across_groups=True))
    assert (same.total, across.total) == (85 + 8, 85 + 16)
    assert not same.is_exact  # a word never meets itself
    assert expand_templates(choice(across_groups=True), by=None)["generated"] == 85 + 12
    assert TestCase.objects.filter(text="Women meet Muslims.", target__name="Muslims + women").exists()
    assert generate_cases(suite).generated == 0


def test_gendered_texts_of_a_template_share_out_its_groups(suite):
    texts_of_five = (VariantValue("Gender=Masc", "He knows [craft]."), VariantValue("Gender=Fem", "She knows [craft]."))
    crafts = [("monks", "Muslims", "Gender=Masc"), ("nuns", "women", "Gender=Fem")]
    more = SuiteValues(
        templates=[TemplateValue("5", "en", "ident_neutral_nh", texts_of_five, "non-hateful", 5)],
        entries=[EntryValue(word, "en", "craft", group, word, 0) for word, group, _ in crafts],
        forms=[FormValue(word, gender, "", word, language="en") for word, _, gender in crafts],
    )
    import_values("wide", more, format_name="csv")
    TestCase.objects.all().delete()
    result = expand_templates(choice(functionalities=("ident_neutral_nh",), size=7), by=None)
    assert result["by_group"]["women"] == result["by_group"]["Muslims"]
    assert {"He knows monks.", "She knows nuns."} <= set(texts(suite))


def test_a_stopped_expansion_adds_nothing(suite):
    result = expand_templates(choice(), by=None, should_stop=lambda: True)
    assert result["was_stopped"]
    assert not TestCase.objects.exists()


def test_the_job_does_it_for_an_expert_of_the_language(suite, mira):
    job = request_expansion(choice(size=6, seed=4), by=mira)
    jobs.perform(job.key, worker="test")
    job.refresh_from_db()
    assert job.state == "done", job.reason
    assert job.result["generated"] == TestCase.objects.count() >= 6
    assert TestCase.objects.first().author == mira


def test_it_says_why(suite, emil):
    with pytest.raises(NotAllowed):
        request_expansion(choice(), by=emil)  # he knows German
    with pytest.raises(Missing, match="no suite 'none'"):
        count_expansion(ExpansionOptions(suite="none", language="en"))
    with pytest.raises(Missing, match="no language 'de'"):
        count_expansion(ExpansionOptions(suite="wide", language="de"))
    with pytest.raises(Missing, match="has no approved template of 'counter_quote_nh'"):
        count_expansion(choice(functionalities=("counter_quote_nh",)))
    with pytest.raises(BadInput, match="size: Use at least 1"):
        choice(size=0)
    with pytest.raises(BadInput, match="similarity: Use at least"):
        choice(similarity=0.2)
