"""The fixtures agree with each other: whoever loads them meets no dangling key."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from curation.formats.values import EntryValue, FormValue, VariantValue
from curation.morphology.expand import Expander
from curation.morphology.orthography import load_orthography
from tests.curation.morphology.factories import make_lexicon

FIXTURES = Path(__file__).parents[3] / "fixtures"
PLACEHOLDER = re.compile(r"\[(?P<kind>[a-z]+):(?P<features>[^\]|]*)(?:\|(?P<perturbation>[a-z_]+))?\]")


def load(name: str, key: str) -> Any:
    return json.loads((FIXTURES / name).read_text(encoding="utf-8"))[key]


LANGUAGES = {language["code"]: language for language in load("catalogue/languages.json", "languages")}
FUNCTIONALITIES = {row["key"]: row for row in load("catalogue/functionalities.json", "functionalities")}
GROUPS = {group["key"]: group for group in load("catalogue/groups.json", "groups")}
TEMPLATES = {template["key"]: template for template in load("demo/templates.json", "templates")}
ENTRIES = load("demo/lexicon.json", "entries")


def test_eleven_languages_and_thirty_six_functionalities_are_there():
    assert set(LANGUAGES) == {"en", "ar", "nl", "fr", "de", "hi", "it", "zh", "pl", "pt", "es"}
    assert len(FUNCTIONALITIES) == 36
    assert [row["number"] for row in FUNCTIONALITIES.values()] == list(range(1, 37))


def test_the_gold_label_agrees_with_the_ending_of_the_key():
    for key, row in FUNCTIONALITIES.items():
        assert row["label"] == ("non-hateful" if key.endswith("_nh") else "hateful")


def test_each_functionality_has_a_known_class_one_sentence_and_an_example():
    classes = {row["key"] for row in load("catalogue/classes.json", "classes")}
    references = {row["key"] for row in load("catalogue/references.json", "references")}
    for row in FUNCTIONALITIES.values():
        assert row["class"] in classes
        assert row["definition"].count(".") == 1
        assert row["definition"].endswith(".")
        assert row["example"]["text"]
        assert row["example"]["language"] in LANGUAGES
        assert row["references"]
        assert set(row["references"]) <= references
        assert (row["perturbation"] is not None) == (row["class"] == "spelling")


def test_coverage_names_every_language_of_every_functionality_once():
    coverage = {row["functionality"]: row for row in load("catalogue/coverage.json", "coverage")}
    assert set(coverage) == set(FUNCTIONALITIES)
    for row in coverage.values():
        named = row["applies"] + [code for absence in row["not_in"] for code in absence["languages"]]
        assert sorted(named) == sorted(LANGUAGES)
        assert all(absence["reason"] for absence in row["not_in"])


def test_coverage_counts_are_the_published_ones():
    applies = [code for row in load("catalogue/coverage.json", "coverage") for code in row["applies"]]
    counts = {code: applies.count(code) for code in LANGUAGES}
    assert counts == dict.fromkeys(LANGUAGES, 27) | {"en": 29, "zh": 25}


def test_groups_have_a_name_in_each_language_they_were_published_in_and_aliases_are_unambiguous():
    aliases = [alias for group in GROUPS.values() for alias in group["aliases"]]
    assert len(aliases) == len(set(aliases))
    for group in GROUPS.values():
        assert "en" in group["local_names"]
        assert set(group["published_in"]) <= set(group["local_names"]) <= set(LANGUAGES)


def test_seven_groups_were_published_in_every_language():
    published = [code for group in GROUPS.values() for code in group["published_in"]]
    assert {code: published.count(code) for code in LANGUAGES} == dict.fromkeys(LANGUAGES, 7)


@pytest.mark.parametrize("code", sorted(LANGUAGES))
def test_each_language_has_guidelines_that_name_both_labels(code):
    text = (FIXTURES / "guidelines" / f"{code}.md").read_text(encoding="utf-8")
    assert "non-hateful" in text
    assert re.search(r"(?<!non-)hateful", text)


def test_demo_forms_use_only_features_of_their_language_in_canonical_order():
    for entry in ENTRIES:
        schema = {row["name"]: row["values"] for row in LANGUAGES[entry["language"]]["feature_schema"]["features"]}
        perturbed = [cell for forms in entry.get("perturbed", {}).values() for cell in forms]
        for features in [*entry["forms"], *perturbed, *filter(None, [entry["inherent"]])]:
            pairs = [pair.split("=") for pair in features.split("|")]
            assert pairs == sorted(pairs)
            assert all(value in schema[name] for name, value in pairs)


def test_each_demo_template_finds_a_form_of_every_group():
    for template in TEMPLATES.values():
        for variant in template["variants"]:
            for found in PLACEHOLDER.finditer(variant["text"]):
                cell = "|".join(sorted(found["features"].split(",")))
                fitting = [
                    entry
                    for entry in ENTRIES
                    if (entry["language"], entry["kind"]) == (template["language"], found["kind"])
                    and (not variant["features"] or variant["features"] in (entry["inherent"], ""))
                ]
                for entry in fitting:
                    forms = entry["perturbed"][found["perturbation"]] if found["perturbation"] else entry["forms"]
                    assert cell in forms, (template["key"], entry["key"], cell)
                if not variant["features"]:
                    assert fitting, template["key"]


def test_demo_templates_refer_to_templates_of_their_own_language():
    for template in TEMPLATES.values():
        assert template["functionality"] in FUNCTIONALITIES
        assert (template["refers_to"] is None) == (template["relation"] is None)
        if template["refers_to"]:
            assert TEMPLATES[template["refers_to"]]["language"] == template["language"]
        assert template.get("adapted_from") is None or template["adapted_from"] in TEMPLATES


def test_demo_groups_are_the_same_in_each_demo_language():
    by_language = {
        code: {entry["group"] for entry in ENTRIES if entry["language"] == code and entry["kind"] == "identity"}
        for code in ("en", "de", "fr")
    }
    assert by_language["en"] == by_language["de"] == by_language["fr"]
    assert by_language["en"] <= set(GROUPS)


def test_demo_slurs_are_masked():
    for entry in ENTRIES:
        if entry["kind"] == "slur":
            assert all("*" in form for form in entry["forms"].values())


def test_demo_labels_dispute_templates_that_exist():
    for dispute in load("demo/labels.json", "disputed"):
        assert dispute["template"] in TEMPLATES


def test_there_is_one_demo_user_per_role():
    roles = [user["role"] for user in load("demo/users.json", "users")]
    assert sorted(roles) == ["administrator", "annotator", "evaluator", "expert", "maintainer", "visitor"]


def expander(code: str) -> Expander:
    own = [entry for entry in ENTRIES if entry["language"] == code]
    entries = [
        EntryValue(
            key=entry["key"],
            language=code,
            kind=entry["kind"],
            target=entry["group"] or "",
            lemma=entry["lemma"],
            position=position,
            inherent=entry["inherent"],
            properties=tuple(entry.get("properties", {}).items()),
        )
        for position, entry in enumerate(own)
    ]
    forms = [
        FormValue(entry["key"], features, perturbation, text)
        for entry in own
        for perturbation, cells in {"": entry["forms"], **entry.get("perturbed", {})}.items()
        for features, text in cells.items()
    ]
    return Expander(make_lexicon(entries, forms), load_orthography(code))


@pytest.mark.parametrize("code", ["en", "de", "fr"])
def test_demo_templates_expand_without_fault_and_evenly_over_the_groups(code):
    expand = expander(code).expand
    for template in TEMPLATES.values():
        if template["language"] != code:
            continue
        variants = [VariantValue(variant["features"], variant["text"]) for variant in template["variants"]]
        expansion = expand(variants, "")
        assert not expansion.faults, template["key"]
        cases = list(expansion)
        assert cases, template["key"]
        if "[identity:" in variants[0].text:
            assert len({case.target for case in cases}) == len(cases) == 5, template["key"]


def test_demo_texts_agree_and_are_spelt_as_the_language_asks():
    texts = {
        case.text
        for code in ("en", "de", "fr")
        for template in TEMPLATES.values()
        if template["language"] == code
        for case in expander(code).expand(
            [VariantValue(variant["features"], variant["text"]) for variant in template["variants"]], ""
        )
    }
    assert {
        "My neighbour is an immigrant.",
        "Mit Muslimen will ich nichts zu tun haben.",
        "Keine trans Person verdient Respekt.",
        "Les femmes sont toutes malhonnêtes.",
        "Je suis content que tant d'immigrés travaillent ici.",
        "Je suis content que tant de handicapés travaillent ici.",
    } <= texts
