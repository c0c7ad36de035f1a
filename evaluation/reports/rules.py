"""Rules a build can fail on: `negate_neg_nh.accuracy>=0.6`, `overall.macro_f1>0.7`, `by_target.women.accuracy>=0.8`."""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

RULE = re.compile(
    r"^\s*(?P<path>[^<>=]+?)\s*(?P<sign>>=|<=|>|<)\s*(?P<limit>[-+]?\d*\.?\d+(?:[eE][-+]?\d+)?)\s*(?P<unit>%?)\s*$"
)
SIGNS = {">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt}
# A bare first word is looked for in these, in this order.
SHORT_FOR = ("by_functionality", "by_label", "by_class", "by_language", "by_target", "by_direction", "by_origin")
MEASURES = ("accuracy", "macro_f1", "micro_f1", "f1", "n", "correct", "unanswered", "templates", "refusals", "errors")
SHARES = ("accuracy", "macro_f1", "micro_f1", "consistency")
KNOWN_MEASURES = "Measures are accuracy, macro_f1, micro_f1, f1.LABEL, n."
EXAMPLE = "Write for example 'negate_neg_nh.accuracy>=0.6' or 'overall.macro_f1>=0.7'."


class RuleError(ValueError):
    """A rule that cannot be read or speaks of something the release does not have."""


@dataclass(frozen=True, slots=True)
class Rule:
    text: str
    path: str
    sign: str
    limit: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """A rule held against results. `value` is None where the measure is undefined; that never passes."""

    rule: Rule
    value: float | None
    is_met: bool

    def as_json(self) -> dict[str, Any]:
        return {"rule": self.rule.text, "value": self.value, "is_met": self.is_met}


def parse_rule(text: str) -> Rule:
    """Take a rule apart. Refuses anything that is not `name.measure`, a sign and a number it can reach."""
    found = RULE.match(text)
    if found is None or "." not in found["path"]:
        raise RuleError(f"'{text}' is not a rule. {EXAMPLE}")
    limit = float(found["limit"]) / (100 if found["unit"] else 1)
    *_, before, last = found["path"].split(".")
    if (last in SHARES or before == "f1") and not 0 <= limit <= 1:
        raise RuleError(f"'{text}': shares lie between 0 and 1. Write 0.6 or 60%.")
    return Rule(text.strip(), found["path"], found["sign"], limit)


def check_rule(rule: Rule, values: Mapping[str, Any]) -> Outcome:
    """Hold a rule against the measures of one model. Refuses a name or measure that is not there."""
    value = look_up(rule.path, values)
    return Outcome(rule, value, value is not None and bool(SIGNS[rule.sign](value, rule.limit)))


def look_up(path: str, values: Mapping[str, Any]) -> float | None:
    """The number at a path. Names may hold dots and spaces themselves, so the longest fitting one is taken."""
    parts = path.split(".")
    starts = [values, *(values[section] for section in SHORT_FOR if section in values)]
    for start in starts:
        found, found_it = _descend(parts, start)
        if found_it:
            return found
    raise RuleError(f"The results have no '{path}'. {_nearest(parts, values)}")


def require_known(rule: Rule, sections: Mapping[str, Mapping[str, object]]) -> None:
    """Refuse a rule about a slice or measure that there will not be, before a model runs for hours."""
    first, _, inner = rule.path.partition(".")
    if first in ("contrast_pairs", "perturbed_pairs", "calibration", "near_threshold", "by_slur", "gaps"):
        return
    if first == "overall":
        measures = [inner]
    elif first in sections:
        measures = _after_a_key(inner, sections[first])
        if not measures:
            raise RuleError(f"'{rule.text}': {first} has {', '.join(sections[first]) or 'nothing'}.")
    else:
        measures = _after_a_key(rule.path, [key for section in SHORT_FOR for key in sections.get(section, {})])
        if not measures:
            known = ", ".join(sections.get("by_functionality", {}))
            raise RuleError(f"'{rule.text}': this release has no '{first}'. Functionalities: {known}.")
    if not any(measure.partition(".")[0] in MEASURES for measure in measures):
        raise RuleError(f"The results will have no '{rule.path}'. {KNOWN_MEASURES}")


def _after_a_key(path: str, keys: Iterable[str]) -> list[str]:
    """What follows the name of a slice; names may hold dots, so there may be several readings."""
    return [path.removeprefix(f"{key}.") for key in keys if path.startswith(f"{key}.")]


def failed(outcomes: Sequence[Outcome]) -> list[Outcome]:
    return [outcome for outcome in outcomes if not outcome.is_met]


def _descend(parts: Sequence[str], value: Any) -> tuple[float | None, bool]:
    if not parts:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return (value if is_number else None), value is None or is_number
    if isinstance(value, Mapping):
        for length in range(len(parts), 0, -1):
            key = ".".join(parts[:length])
            if key in value:
                found, found_it = _descend(parts[length:], value[key])
                if found_it:
                    return found, True
    return None, False


def _nearest(parts: Sequence[str], values: Mapping[str, Any]) -> str:
    known = [key for section in SHORT_FOR for key in values.get(section, {})]
    if parts[0] in known or parts[0] in values:
        return KNOWN_MEASURES
    return f"Known: overall, {', '.join(known[:40])}."
