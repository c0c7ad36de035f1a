"""Rules for builds: read before a model runs, held against its measures afterwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from curation.errors import BadInput
from curation.models import Release
from evaluation.reports.composition import gold_counts
from evaluation.reports.rules import Outcome, Rule, RuleError, check_rule, expand_rule, parse_rule, require_known
from evaluation.services.scoring import case_rows


def read_rules(texts: Sequence[str], release: Release) -> list[Rule]:
    """The rules, a star spelled out. Refuses those that cannot be held against this release."""
    if not texts:
        return []
    try:
        sections = gold_counts(row for _, row in case_rows(release))
        rules = [each for text in texts for each in expand_rule(parse_rule(text), sections)]
        for rule in rules:
            require_known(rule, sections)
    except RuleError as error:
        raise BadInput(str(error)) from error
    return rules


def check_rules(rules: Sequence[Rule], values: Mapping[str, Any]) -> list[Outcome]:
    """Hold rules against the measures of one model."""
    try:
        return [check_rule(rule, values) for rule in rules]
    except RuleError as error:
        raise BadInput(str(error)) from error
