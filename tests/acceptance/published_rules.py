"""The released outputs of GPT-HateCheck, read through the rules: columns in, answers out."""

import csv
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

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


def with_published_wording(rule_set: RuleSet, hypotheses: Path) -> RuleSet:
    """The same rules worded as in a user's own copy of the published table, so that texts can be checked."""
    with hypotheses.open(encoding="utf-8", newline="") as file:
        wording = {row["column"]: row["hypothesis"].replace("[X]", "{group}") for row in csv.DictReader(file)}
    tests = {}
    for key, test in rule_set.hypothesis_tests.items():
        if test.column not in wording:
            raise RuleError(f"{hypotheses.name}: no row for the column '{test.column}', which the test '{key}' reads")
        # There [X] stands for the masked quotation, not for the group.
        text = wording[test.column]
        if test.premise.startswith("mask_quotation"):
            text = text.replace("{group}", "[X]")
        tests[key] = replace(test, hypothesis={"en": text})
    return replace(rule_set, hypothesis_tests=tests)
