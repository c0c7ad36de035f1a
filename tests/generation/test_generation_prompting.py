"""Prompts: the library that comes along, filling with located errors, versions compared by hash."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from generation.checks.algorithm.rule_sets import read_rule_set
from generation.prompts.algorithm.filling import fill_prompt
from generation.prompts.algorithm.library import read_prompt_folder, read_prompts
from generation.prompts.algorithm.trial import try_versions
from generation.prompts.algorithm.values import FilledPrompt, Instruction, PromptError, PromptVersion, Skeleton
from generation.prompts.algorithm.versions import compare_versions

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
SKELETON = Skeleton(
    language="en",
    system="Be brief.",
    task="Write {count} messages that {instruction}.",
    demonstration="For example: {demonstration}",
    slurs="Words: {slurs}",
    answer="Give {count}.",
)
VERSION = PromptVersion(SKELETON, Instruction("f_h", "are about {group}", "Hello {group}."))


@pytest.fixture(scope="module")
def libraries():
    return read_prompt_folder(FIXTURES / "prompts")


def test_english_covers_all_functionalities_that_have_rules(libraries):
    rules = read_rule_set(FIXTURES / "nli" / "hypotheses.json", variant="as_published").rules
    assert set(libraries["en"].instructions) == set(rules)


def test_all_eleven_languages_have_all_24_functionalities(libraries):
    assert set(libraries) == {"ar", "de", "en", "es", "fr", "hi", "it", "nl", "pl", "pt", "zh"}
    wanted = {key: one.needs_group for key, one in libraries["en"].instructions.items()}
    del wanted["spelling_variation_h"]
    assert len(wanted) == 24
    for library in libraries.values():
        found = {key: library.instructions[key].needs_group for key in wanted}
        assert found == wanted


def test_instructions_that_a_machine_drafted_say_so_and_are_no_other_prompt(libraries):
    drafted = libraries["pl"].version_for("derog_dehum_h")
    assert drafted.instruction.origin.startswith("Drafted by a machine")
    assert not libraries["en"].instructions["derog_dehum_h"].origin
    checked = replace(drafted, instruction=replace(drafted.instruction, origin=""))
    assert checked.sha256 == drafted.sha256


def test_every_prompt_that_comes_along_can_be_filled_and_is_different(libraries):
    filled = [
        fill_prompt(library.version_for(functionality), count=20, group="GROUP", slurs=["s*"])
        for library in libraries.values()
        for functionality in library.instructions
    ]
    assert len({prompt.sha256 for prompt in filled}) == len(filled)
    assert not any("{" in prompt.user for prompt in filled)


def test_a_prompt_is_filled_part_by_part():
    prompt = fill_prompt(VERSION, count=3, group="bakers")
    assert prompt == FilledPrompt(
        "Be brief.", "Write 3 messages that are about bakers.\n\nFor example: Hello bakers.\n\nGive 3."
    )


def test_the_demonstration_can_be_left_out_and_slurs_are_listed():
    version = replace(VERSION, instruction=replace(VERSION.instruction, uses_slurs=True))
    prompt = fill_prompt(version, count=1, group="bakers", slurs=["a*", "b*"], demonstration="")
    assert "Words: a*, b*" in prompt.user
    assert "example" not in prompt.user


@pytest.mark.parametrize(
    ("changes", "options", "message"),
    [
        ({}, {"count": 0, "group": "bakers"}, "at least one message"),
        ({}, {"count": 1}, "names a group, but none is given"),
        ({"uses_slurs": True}, {"count": 1, "group": "bakers"}, "needs slurs for the group"),
        (
            {"text": "are {grup}"},
            {"count": 1, "group": "b"},
            r"en, f_h, text, character 5: .* 'grup'\. Known: \{group\}",
        ),
    ],
)
def test_a_prompt_that_cannot_be_filled_says_why(changes, options, message):
    version = replace(VERSION, instruction=replace(VERSION.instruction, **changes))
    with pytest.raises(PromptError, match=message):
        fill_prompt(version, **options)


def test_a_group_name_with_braces_is_not_filled_again():
    assert "{count}" in fill_prompt(VERSION, count=2, group="{count}").user


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: data["skeleton"].pop("task"), r"xx\.json: skeleton\.task is missing"),
        (lambda data: data["skeleton"].update(task="Write."), r"skeleton\.task must contain \{"),
        (lambda data: data["skeleton"].update(system="{name}"), r"skeleton\.system, character 1: .*'name'"),
        (lambda data: data["instructions"].update(f_h={"txt": "x"}), r"instructions\.f_h: no field is called 'txt'"),
        (lambda data: data["instructions"].update(f_h={"text": "x {y}"}), r"instructions\.f_h\.text, character 3"),
    ],
)
def test_a_faulty_prompt_file_is_refused_with_its_place(tmp_path, change, message):
    data = json.loads((FIXTURES / "prompts" / "de.json").read_text(encoding="utf-8"))
    change(data)
    path = tmp_path / "xx.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(PromptError, match=message):
        read_prompts(path)


def test_a_functionality_without_a_prompt_is_named(libraries):
    with pytest.raises(PromptError, match="de: there is no prompt for 'spelling_variation_h'"):
        libraries["de"].version_for("spelling_variation_h")


def test_equal_versions_have_one_hash_and_no_changes():
    comparison = compare_versions(VERSION, replace(VERSION))
    assert comparison.is_same
    assert comparison.changes == ()


def test_a_changed_version_shows_the_words_that_changed():
    after = replace(VERSION, instruction=replace(VERSION.instruction, text="are kindly about {group}"))
    comparison = compare_versions(VERSION, after)
    assert not comparison.is_same
    (change,) = comparison.changes
    assert change.field == "instruction.text"
    assert change.pieces == (("same", "are"), ("added", "kindly"), ("same", "about {group}"))


def test_versions_are_tried_at_temperature_zero():
    asked = []

    def ask(prompt, temperature):
        asked.append(temperature)
        return ["a b c", "a b c", "d"] if prompt.user == "one" else []

    first, second = try_versions({"v1": FilledPrompt("", "one"), "v2": FilledPrompt("", "two")}, ask=ask)
    assert asked == [0.0, 0.0]
    assert (first.repeated, first.mean_words, first.distinct_2) == (1, 7 / 3, 0.5)
    assert (second.messages, second.mean_words, second.distinct_2) == ((), None, None)
