"""The published suites made again from their templates and word lists, by the rules of each language."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from curation.formats.hatecheck import read_hatecheck
from curation.formats.mhc import read_mhc
from curation.formats.values import SuiteValues
from curation.morphology.expand import Expander, Realised
from curation.morphology.linting import check_template
from curation.morphology.orthography import load_orthography
from tests.curation.morphology.factories import make_lexicon

# Language: folder, cases generated before any were removed, cases whose released text differs, as explained below.
LANGUAGES = {
    "ar": ("arabic", 3577, 0),
    "nl": ("dutch", 3765, 0),
    "fr": ("french", 3719, 38),
    "de": ("german", 3645, 0),
    "hi": ("hindi", 3565, 0),
    "it": ("italian", 3690, 0),
    "zh": ("mandarin", 3379, 0),
    "pl": ("polish", 3815, 0),
    "pt": ("portuguese", 3691, 0),
    "es": ("spanish", 3745, 0),
}
RELEASED = [code for code, (folder, _, _) in LANGUAGES.items() if folder not in ("hindi", "italian", "polish")]

# Why a released French text is not what the rules make, each with what turns the one into the other.
ELIDES_BEFORE_ASPIRATED_H = "the released text elides before an aspirated h"
LOST_BLANK = "the released text is wrong: 'cet' has lost its blank"
ELIDES_QUELQUE = "the released text elides 'quelque', which French does only before 'un'"
DOES_NOT_ELIDE_QUE = "the released text is wrong: 'que' is not elided"
DOUBLED_BLANK = "faulty template: two blanks, so the original's replacement did not find 'de'"


@cache
def published(folder: Path, language: str) -> SuiteValues:
    return read_hatecheck(folder) if language == "en" else read_mhc(folder, language=language)


def generate(values: SuiteValues, language: str, **settings: object) -> Iterator[tuple[str, Realised]]:
    expander = Expander(make_lexicon(values.entries, values.forms), load_orthography(language, **settings))
    for template in values.templates:
        for realised in expander.expand(template.variants, template.defaults):
            yield template.key, realised


def generated_texts(values: SuiteValues, language: str, **settings: object) -> list[str]:
    return [realised.text for _, realised in generate(values, language, **settings)]


def why_it_differs(released: str, ours: str) -> str | None:
    """The reason why a released French text is not ours; None where there is none we know."""
    if re.search(r"\bcet(?!te)\w", released, re.IGNORECASE):
        apart = re.sub(r"\b(cet)(?!te)(?=\w)", r"\1 ", released, flags=re.IGNORECASE)
        return LOST_BLANK if ours in (apart, re.sub(r"\b(ce)t (?=h)", r"\1 ", apart, flags=re.IGNORECASE)) else None
    repairs = {
        ELIDES_BEFORE_ASPIRATED_H: re.sub(r"\b([ld])'(?=h)", r"\1e ", released, flags=re.IGNORECASE),
        ELIDES_QUELQUE: re.sub(r"\bquelqu'(?!une?\b)", "quelque ", released),
        DOES_NOT_ELIDE_QUE: re.sub(r"\bque (?=h)", "qu'", released),
        DOUBLED_BLANK: re.sub(r"\bde  (?=a)", "d'", released),
    }
    return next((reason for reason, repaired in repairs.items() if repaired == ours), None)


def differences(values: SuiteValues, language: str) -> list[tuple[str, str, str]]:
    """Id, released text and ours, wherever they are not equal to the letter."""
    folder = LANGUAGES[language][0]
    ours = {f"{folder}-{n}": text for n, text in enumerate(generated_texts(values, language), 1)}
    return [(case.key, case.text, ours[case.key]) for case in values.cases if case.text != ours[case.key]]


def test_all_of_hatecheck_is_made_again_by_rules(shared_data):
    values = published(shared_data / "hatecheck", "en")
    ours = generated_texts(values, "en")
    assert len(ours) == len(values.cases) == 3901
    assert [text.strip() for text in ours] == [case.text.strip() for case in values.cases]


@pytest.mark.parametrize(("rules", "wrong"), [({"articles": False}, 49), ({"capitalise": "no"}, 605)])
def test_hatecheck_needs_each_of_its_rules(shared_data, rules, wrong):
    values = published(shared_data / "hatecheck", "en")
    ours = generated_texts(values, "en", **rules)
    assert sum(text.strip() != case.text.strip() for text, case in zip(ours, values.cases, strict=True)) == wrong


def test_hatecheck_can_be_made_without_having_read_its_texts(shared_data):
    blind = read_hatecheck(shared_data / "hatecheck", templates_only=True)
    released = published(shared_data / "hatecheck", "en").cases
    assert not blind.cases
    assert [text.strip() for text in generated_texts(blind, "en")] == [case.text.strip() for case in released]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_gives_the_number_of_cases_it_had_before_removals(shared_data, language):
    folder, count, _ = LANGUAGES[language]
    assert len(generated_texts(published(shared_data / "mhc" / folder, language), language)) == count


@pytest.mark.parametrize("language", RELEASED)
def test_at_least_98_percent_of_the_released_texts_are_made_again_under_their_number(shared_data, language):
    folder, _, expected = LANGUAGES[language]
    values = published(shared_data / "mhc" / folder, language)
    different = differences(values, language)
    assert len(different) == expected
    assert 1 - len(different) / len(values.cases) >= 0.98


@pytest.mark.parametrize("language", RELEASED)
def test_every_case_is_about_the_group_it_was_released_with(shared_data, language):
    folder = LANGUAGES[language][0]
    values = published(shared_data / "mhc" / folder, language)
    targets = {f"{folder}-{n}": case.target for n, (_, case) in enumerate(generate(values, language), 1)}
    assert [case.key for case in values.cases if targets[case.key] != case.target] == []


def test_every_difference_in_french_has_its_reason(shared_data):
    values = published(shared_data / "mhc" / "french", "fr")
    reasons = Counter(why_it_differs(released, ours) for _, released, ours in differences(values, "fr"))
    assert reasons == {
        ELIDES_BEFORE_ASPIRATED_H: 25,
        LOST_BLANK: 9,
        ELIDES_QUELQUE: 2,
        DOES_NOT_ELIDE_QUE: 1,
        DOUBLED_BLANK: 1,
    }


def test_with_elision_set_in_the_lexicon_only_released_errors_remain_in_french(shared_data):
    values = published(shared_data / "mhc" / "french", "fr")
    words = [
        replace(entry, properties=(("elides", "yes"),))
        if entry.target == "disabled people" and entry.kind == "identity"
        else entry
        for entry in values.entries
    ]
    different = differences(replace(values, entries=words), "fr")
    reasons = Counter(why_it_differs(released, ours) for _, released, ours in different)
    assert reasons == {LOST_BLANK: 9, ELIDES_QUELQUE: 2, DOES_NOT_ELIDE_QUE: 2, DOUBLED_BLANK: 1}


def test_italian_articles_change_only_where_grammar_asks_for_it(shared_data):
    values = published(shared_data / "mhc" / "italian", "it")
    plain = generated_texts(values, "it", articles=False)
    ours = generated_texts(values, "it")
    changed = [(before, after) for before, after in zip(plain, ours, strict=True) if before != after]
    # 249 by the original's twelve pairs; 35 more after "dei" and 6 after a quotation mark, which it forgot.
    # In one template "degli" is typed before words that take "dei": 4 cases.
    assert len(changed) == 294
    before_vowel = [after for _, after in changed if re.search(r"(?:gli |l')i ?m", after, re.IGNORECASE)]
    assert len(before_vowel) == 290
    assert {before.replace("vite degli ", "vite dei ") for before, after in changed if after not in before_vowel} == {
        after for _, after in changed if after not in before_vowel
    }


def test_polish_words_come_in_the_order_of_the_file_of_their_token(shared_data):
    values = published(shared_data / "mhc" / "polish", "pl")
    singular = next(template for template in values.templates if "[SLR_S]" in template.variants[0].text)
    plural = next(template for template in values.templates if "[SLR_P]" in template.variants[0].text)
    targets: dict[str, list[str]] = {key: [] for key in (singular.key, plural.key)}
    for key, case in generate(values, "pl"):
        if key in targets:
            targets[key].append(case.target)
    assert len(targets[singular.key]) == len(targets[plural.key]) == 19
    assert targets[singular.key] != targets[plural.key]


@pytest.mark.parametrize(
    ("language", "faulty"),
    [
        ("ar", {"77": "gender", "123": "kinds"}),
        ("de", {"68": "gender"}),
        ("es", dict.fromkeys(["108", "380", "383", "410", "464", "860"], "gender")),
        ("fr", {"260": "no_text", "380": "no_text", "460": "no_text", "527": "syntax"}),
        ("pt", {"70": "syntax", "493": "gender"}),
        *((language, {}) for language in ("nl", "hi", "it", "zh", "pl")),
    ],
)
def test_the_faulty_templates_are_found_and_no_others(shared_data, language, faulty):
    values = published(shared_data / "mhc" / LANGUAGES[language][0], language)
    found = {
        template.key: finding.code
        for template in values.templates
        for finding in check_template(template.variants)
        if finding.code != "blanks"
    }
    assert found == faulty
