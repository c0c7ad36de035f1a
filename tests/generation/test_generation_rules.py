"""Boolean rules as data: reading, evaluating with unknown answers, explaining."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.checks.algorithm.rule_sets import build_rule_set, read_rule_set
from generation.checks.algorithm.rules import RuleError, asked_tests, describe, evaluate, failing_parts, read_rule

HYPOTHESES = Path(__file__).resolve().parents[2] / "fixtures" / "nli" / "hypotheses.json"
KNOWN = frozenset("abc")
RULES = st.recursive(
    st.sampled_from("abc"),
    lambda inner: st.one_of(
        st.fixed_dictionaries({"not": inner}),
        st.fixed_dictionaries({"all": st.lists(inner, min_size=1, max_size=3)}),
        st.fixed_dictionaries({"any": st.lists(inner, min_size=1, max_size=3)}),
    ),
    max_leaves=8,
)
ANSWERS = st.fixed_dictionaries({key: st.sampled_from([True, False, None]) for key in "abc"})


def plainly(data, answers):
    if isinstance(data, str):
        return answers[data]
    if "not" in data:
        return not plainly(data["not"], answers)
    if "all" in data:
        return all(plainly(part, answers) for part in data["all"])
    return any(plainly(part, answers) for part in data["any"])


def completions(answers):
    filled: list[dict[str, bool]] = [{}]
    for key, value in answers.items():
        filled = [
            {**one, key: option} for one in filled for option in ([value] if value is not None else [True, False])
        ]
    return filled


@given(RULES, ANSWERS)
def test_a_decided_rule_holds_whatever_the_unknown_answers_turn_out_to_be(data, answers):
    decided = evaluate(read_rule(data, known=KNOWN, where="rule"), answers)
    outcomes = {plainly(data, one) for one in completions(answers)}
    if decided is not None:
        assert outcomes == {decided}
    if None not in answers.values():
        assert decided is outcomes.pop()


@given(RULES, ANSWERS)
def test_reasons_are_given_exactly_when_a_rule_does_not_hold(data, answers):
    rule = read_rule(data, known=KNOWN, where="rule")
    assert bool(failing_parts(rule, answers)) == (evaluate(rule, answers) is not True)


def test_a_rule_reads_as_a_sentence():
    rule = read_rule({"all": ["a", {"any": [{"not": "b"}, "c"]}]}, known=KNOWN, where="rule")
    assert describe(rule) == "a and (not b or c)"
    assert list(asked_tests(rule)) == ["a", "b", "c"]
    assert failing_parts(rule, {"a": True, "b": True, "c": False}) == ["The rule does not hold: not b or c"]
    assert failing_parts(rule, {"a": None, "b": False, "c": False}) == ["The rule is undecided: a"]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"all": ["a", "d"]}, r"rule\.all\[1\]: no test is called 'd'\. Known: a, b, c"),
        ({"xor": ["a"]}, "no operator is called 'xor'. Known: all, any, not"),
        ({"any": []}, r"rule\.any: write a list of at least one rule"),
        (7, "write the name of a test, or an object"),
    ],
)
def test_a_faulty_rule_is_refused_with_its_place(data, message):
    with pytest.raises(RuleError, match=message):
        read_rule(data, known=KNOWN, where="rule")


def test_our_rules_cover_all_functionalities_of_the_english_suite():
    rule_set = read_rule_set(HYPOTHESES)
    numbers = {rule.number for rule in rule_set.rules.values()}
    assert numbers == {f"F{number}" for number in range(1, 25)} | {"F25-29"}
    assert len(rule_set.rules) == 30
    for functionality in rule_set.rules:
        for test in rule_set.hypotheses_for(functionality):
            assert test.wording("en").endswith(".")


def test_a_language_without_its_own_wording_gets_the_english_one():
    test = read_rule_set(HYPOTHESES).hypothesis_tests["hate_speech"]
    assert test.wording("pl") == test.wording("en")


@pytest.mark.parametrize(
    ("tests", "message"),
    [
        ({"x": {"premise": "backwards", "hypothesis": {"en": "h"}}}, "no part of a message is called 'backwards'"),
        ({"x": {"rule_test": "is_nice"}}, "no built-in test is called 'is_nice'"),
        ({"x": {"premise": "message"}}, "a 'hypothesis', a 'column' or a 'rule_test'"),
        ({"x": {"column": "c", "column_is_1_when": "maybe"}}, "'entailed' or 'not entailed'"),
    ],
)
def test_a_faulty_test_is_refused_with_its_place(tests, message):
    with pytest.raises(RuleError, match=message):
        build_rule_set({"tests": tests, "rules": {}}, name="mine")


def test_an_unknown_variant_and_an_unknown_functionality_are_named(tmp_path):
    with pytest.raises(RuleError, match=r"no variant is called 'theirs'\. Known: touchstone, as_published"):
        read_rule_set(HYPOTHESES, variant="theirs")
    with pytest.raises(RuleError, match="has no rule for 'nothing_h'"):
        read_rule_set(HYPOTHESES).rule_for("nothing_h")
    broken = tmp_path / "broken.json"
    broken.write_text(json.dumps([1]))
    with pytest.raises(RuleError, match=r"broken\.json"):
        read_rule_set(broken)
