"""The released outputs of GPT-HateCheck, read through the rules: columns in, answers out."""

from collections.abc import Mapping

from generation.checks.algorithm.rule_sets import RuleSet
from generation.checks.algorithm.rules import RuleError


def answers_from_columns(rule_set: RuleSet, row: Mapping[str, str]) -> dict[str, bool | None]:
    """The answer to each test from a row of the released outputs; None where the column says -1, "not asked".

    Refuses a row without a column that the rules read.
    """
    answers: dict[str, bool | None] = {}
    for key, test in rule_set.hypothesis_tests.items():
        if not test.column:
            continue
        if test.column not in row:
            raise RuleError(f"the outputs have no column '{test.column}', which the test '{key}' reads")
        value = row[test.column].strip()
        answers[key] = None if value == "-1" else (value == "1") == test.column_is_1_when_entailed
    return answers
