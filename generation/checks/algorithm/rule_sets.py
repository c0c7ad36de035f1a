"""Hypotheses and rules read from their data file, with located errors."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.text import _
from generation.checks.algorithm.rule_tests import RULE_TESTS
from generation.checks.algorithm.rules import Rule, RuleError, asked_tests, read_rule
from generation.checks.algorithm.transforms import names_of_transforms, transform_named


@dataclass(frozen=True, slots=True)
class HypothesisTest:
    """A question to the model: does `premise` (a transform of the message) entail the hypothesis?"""

    key: str
    premise: str
    hypothesis: Mapping[str, str]  # by language; English serves where a language has none
    column: str = ""  # of the published outputs
    column_is_1_when_entailed: bool = True

    def wording(self, language: str) -> str:
        """Return the hypothesis for a language. Refuses a test that has no wording at all."""
        text = self.hypothesis.get(language) or self.hypothesis.get(language.split("-")[0]) or self.hypothesis.get("en")
        if not text:
            raise RuleError(
                _(
                    "The test '%(test)s' has no hypothesis for '%(language)s'. Add one, or one in English.",
                    test=self.key,
                    language=language,
                )
            )
        return text

    def part_of(self, text: str, language: str) -> str | None:
        """Return the part of a message that the hypothesis is about; None where the message has no such part."""
        transform = transform_named(self.premise)
        return transform(text, language) if transform else None


@dataclass(frozen=True, slots=True)
class FunctionalityRule:
    """What must hold of the messages of one functionality."""

    functionality: str
    number: str
    rule: Rule
    note: str = ""


@dataclass(frozen=True, slots=True)
class RuleSet:
    """One reading of the rules: all tests, and one rule per functionality."""

    name: str
    hypothesis_tests: Mapping[str, HypothesisTest]
    rule_tests: Mapping[str, str]
    rules: Mapping[str, FunctionalityRule]

    def rule_for(self, functionality: str) -> FunctionalityRule:
        """Return the rule of a functionality. Refuses one without a rule and names those that have one."""
        if functionality not in self.rules:
            raise RuleError(
                _(
                    "'%(name)s' has no rule for '%(functionality)s'. It has rules for: %(known)s.",
                    name=self.name,
                    functionality=functionality,
                    known=list(self.rules),
                )
            )
        return self.rules[functionality]

    def hypotheses_for(self, functionality: str) -> list[HypothesisTest]:
        """Return the questions that the functionality's rule puts to the model, in order."""
        asked = asked_tests(self.rule_for(functionality).rule)
        return [self.hypothesis_tests[key] for key in asked if key in self.hypothesis_tests]


def read_rule_set(path: Path, *, variant: str = "touchstone") -> RuleSet:
    """Read one variant of a rule file.

    Refuses unknown variants, premises, rule tests and operators, and says where in the file they stand.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise RuleError(
            _(
                "%(file)s: %(problem)s. Use a JSON file with the key 'variants'.",
                file=path.name,
                problem=str(problem),
            )
        ) from problem
    variants = data.get("variants", {}) if isinstance(data, dict) else {}
    if variant not in variants:
        raise RuleError(
            _(
                "%(file)s: no variant is called '%(name)s'. Known: %(known)s.",
                file=path.name,
                name=variant,
                known=list(variants) or _("none"),
            )
        )
    return build_rule_set(variants[variant], name=variant, where=f"{path.name}: variants.{variant}")


def build_rule_set(data: Mapping[str, Any], *, name: str, where: str = "") -> RuleSet:
    """Return a rule set from its JSON form, such as one that was edited on a page."""
    where = where or name
    hypotheses: dict[str, HypothesisTest] = {}
    rule_tests: dict[str, str] = {}
    for key, entry in data.get("tests", {}).items():
        place = f"{where}.tests.{key}"
        if "rule_test" in entry:
            if entry["rule_test"] not in RULE_TESTS:
                raise RuleError(
                    _(
                        "%(place)s: no built-in test is called '%(name)s'. Known: %(known)s.",
                        place=place,
                        name=entry["rule_test"],
                        known=list(RULE_TESTS),
                    )
                )
            rule_tests[key] = entry["rule_test"]
        else:
            hypotheses[key] = _read_hypothesis(key, entry, place)
    known = frozenset(hypotheses) | frozenset(rule_tests)
    rules = {}
    for functionality, entry in data.get("rules", {}).items():
        place = f"{where}.rules.{functionality}"
        if not isinstance(entry, dict) or "rule" not in entry:
            raise RuleError(_("%(place)s: write an object with the key 'rule'.", place=place))
        rule = read_rule(entry["rule"], known=known, where=f"{place}.rule")
        rules[functionality] = FunctionalityRule(functionality, entry.get("number", ""), rule, entry.get("note", ""))
    return RuleSet(name=name, hypothesis_tests=hypotheses, rule_tests=rule_tests, rules=rules)


def _read_hypothesis(key: str, entry: Mapping[str, Any], place: str) -> HypothesisTest:
    premise = entry.get("premise", "message")
    if transform_named(premise) is None:
        raise RuleError(
            _(
                "%(place)s: no part of a message is called '%(name)s'. Known: %(known)s.",
                place=f"{place}.premise",
                name=premise,
                known=names_of_transforms(),
            )
        )
    hypothesis = entry.get("hypothesis", {})
    if not hypothesis and not entry.get("column"):
        raise RuleError(_("%(place)s: write a 'hypothesis', a 'column' or a 'rule_test'.", place=place))
    when = entry.get("column_is_1_when", "entailed")
    if when not in ("entailed", "not entailed"):
        raise RuleError(
            _(
                "%(place)s: write 'entailed' or 'not entailed' instead of '%(found)s'.",
                place=f"{place}.column_is_1_when",
                found=when,
            )
        )
    return HypothesisTest(key, premise, hypothesis, entry.get("column", ""), when == "entailed")
