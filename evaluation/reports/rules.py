"""Rules a build can fail on: `negate_neg_nh.accuracy>=0.6`, `overall.macro_f1>0.7`, `by_target.women.accuracy>=0.8`.

A rule is about the estimate; with `.low` or `.high` it is about that end of the 95% interval, which counts templates.
"""

import operator
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

RULE = re.compile(
    r"^\s*(?P<path>[^<>=]+?)\s*(?P<sign>>=|<=|>|<)\s*(?P<limit>[-+]?\d*\.?\d+(?:[eE][-+]?\d+)?)\s*(?P<unit>%?)\s*$"
)
SIGNS = {">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt}
# A bare first word is looked for in these, in this order.
PAIRS_AND_SETS = ("contrast_pairs", "contrast_sets", "perturbed_pairs")
SHORT_FOR = ("by_functionality", "by_label", "by_class", "by_language", "by_target", "by_direction", "by_origin")
MEASURES = ("accuracy", "macro_f1", "micro_f1", "f1", "n", "correct", "unanswered", "templates", "refusals", "errors")
SHARES = ("accuracy", "macro_f1", "micro_f1", "consistency")
BOUNDS = {"low": 0, "high": 1}
EVERY = "*"
KNOWN_MEASURES = (
    "Measures are accuracy, macro_f1, micro_f1, f1.LABEL, n; .low and .high after a share are its 95 % bounds."
)
EXAMPLE = "Write for example 'negate_neg_nh.accuracy>=0.6' or 'overall.macro_f1>=0.7'."


class RuleError(ValueError):
    """A rule that cannot be read or speaks of something the release does not have."""


@dataclass(frozen=True, slots=True)
class Rule:
    """`path` names a measure, `bound` says which end of its interval is meant: `low`, `high`, or none: the estimate."""

    text: str
    path: str
    sign: str
    limit: float
    bound: str = ""


@dataclass(frozen=True, slots=True)
class Figure:
    """A measure with its 95% interval, and the cases and templates it rests on; None where undefined or not known."""

    value: float | None
    interval: tuple[float, float] | None = None
    n: int | None = None
    templates: int | None = None

    @property
    def told(self) -> str:
        """`0.6000 (95 % interval 0.41 to 0.76) on 133 cases of 19 templates`, as far as known."""
        told = "undefined" if self.value is None else f"{self.value:.4f}"
        if self.interval is not None:
            told += f" (95 % interval {self.interval[0]:.2f} to {self.interval[1]:.2f})"
        if self.n is not None:
            told += f" on {self.n} {'case' if self.n == 1 else 'cases'}"
            if self.templates is not None:
                told += f" of {self.templates} {'template' if self.templates == 1 else 'templates'}"
        return told


@dataclass(frozen=True, slots=True)
class Outcome:
    """A rule held against results. `value` is what was held against the limit; None, where undefined, never passes."""

    rule: Rule
    figure: Figure
    value: float | None
    is_met: bool

    @property
    def is_clear(self) -> bool | None:
        """Whether the whole interval lies on one side of the limit; None without one, or where a bound is the rule."""
        if self.figure.interval is None or self.rule.bound:
            return None
        sides = {bool(SIGNS[self.rule.sign](bound, self.rule.limit)) for bound in self.figure.interval}
        return len(sides) == 1

    @property
    def told(self) -> str:
        wanted = f"{self.rule.bound} bound " if self.rule.bound else ""
        if self.rule.bound and self.figure.interval is None:
            return f"{self.rule.path} is {self.figure.told} without an interval, wanted a {self.rule.bound} bound"
        return f"{self.rule.path} is {self.figure.told}, wanted {wanted}{self.rule.sign} {self.rule.limit:g}"

    def as_json(self) -> dict[str, Any]:
        return {
            "rule": self.rule.text,
            "value": self.value,
            "is_met": self.is_met,
            "ci95": None if self.figure.interval is None else list(self.figure.interval),
            "is_clear": self.is_clear,
            "n": self.figure.n,
            "templates": self.figure.templates,
        }


def parse_rule(text: str) -> Rule:
    """Take a rule apart. Refuses anything that is not `name.measure`, a sign and a number it can reach."""
    found = RULE.match(text)
    if found is None or "." not in found["path"]:
        raise RuleError(f"'{text}' is not a rule. {EXAMPLE}")
    limit = float(found["limit"]) / (100 if found["unit"] else 1)
    path, _, bound = found["path"].rpartition(".")
    if bound not in BOUNDS:
        path, bound = found["path"], ""
    before, last = ["", *path.split(".")][-2:]
    is_share = last in SHARES or before == "f1"
    if bound and not is_share:
        raise RuleError(f"'{text}': only shares have a {bound} bound. {KNOWN_MEASURES}")
    if is_share and not 0 <= limit <= 1:
        raise RuleError(f"'{text}': shares lie between 0 and 1. Write 0.6 or 60%.")
    return Rule(text.strip(), path, found["sign"], limit, bound)


def expand_rule(rule: Rule, sections: Mapping[str, Iterable[str]]) -> list[Rule]:
    """Return one rule for each slice that a star stands for: `*.accuracy>=0.5` is about every functionality."""
    first, _, inner = rule.path.partition(".")
    section, measure = ("by_functionality", inner) if first == EVERY else (first, inner.removeprefix(f"{EVERY}."))
    if first != EVERY and measure == inner:
        return [rule]
    keys = list(sections.get(section, ()))
    if not keys:
        raise RuleError(f"'{rule.text}': the release has no '{section}'. Sections: {', '.join(sections)}.")
    bound = f".{rule.bound}" if rule.bound else ""
    return [
        replace(rule, path=path, text=f"{path}{bound}{rule.sign}{rule.limit:g}")
        for path in (f"{section}.{key}.{measure}" for key in keys)
    ]


def read_rules(texts: Iterable[str], sections: Mapping[str, Mapping[str, object]]) -> list[Rule]:
    """Return the rules, a star spelled out. Refuses those that cannot be held against results with these sections."""
    rules = [each for text in texts for each in expand_rule(parse_rule(text), sections)]
    for rule in rules:
        require_known(rule, sections)
    return rules


def check_rule(rule: Rule, values: Mapping[str, Any]) -> Outcome:
    """Hold a rule against the measures of one model. Refuses a name or measure that is not there."""
    figure = look_up(rule.path, values)
    value = figure.value
    if rule.bound:
        value = None if figure.interval is None else figure.interval[BOUNDS[rule.bound]]
    return Outcome(rule, figure, value, value is not None and bool(SIGNS[rule.sign](value, rule.limit)))


def look_up(path: str, values: Mapping[str, Any]) -> Figure:
    """Return the figure at a path. Names may hold dots and spaces themselves, so the longest fitting one is taken."""
    parts = path.split(".")
    starts = [values, *(values[section] for section in SHORT_FOR if section in values)]
    for start in starts:
        found = _descend(parts, start)
        if found is not None:
            return found
    raise RuleError(f"The results have no '{path}'. {_nearest(parts, values)}")


def functionality_of(rule: Rule, keys: Iterable[str]) -> str:
    """Return the functionality that a rule is about; empty where it is about something else."""
    path = rule.path.removeprefix("by_functionality.")
    return max((key for key in keys if path.startswith(f"{key}.")), key=len, default="")


def require_known(rule: Rule, sections: Mapping[str, Mapping[str, object]]) -> None:
    """Refuse a rule about a slice or measure that there will not be, before a model runs for hours."""
    first, _, inner = rule.path.partition(".")
    if first in (
        "contrast_pairs",
        "contrast_sets",
        "perturbed_pairs",
        "calibration",
        "near_threshold",
        "by_slur",
        "gaps",
    ):
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
    """Return what follows the name of a slice; names may hold dots, so there may be several readings."""
    return [path.removeprefix(f"{key}.") for key in keys if path.startswith(f"{key}.")]


def _descend(parts: Sequence[str], value: Any) -> Figure | None:
    """Return the number that the parts lead to, with what its slice says about it; None where they lead nowhere."""
    if not parts:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return Figure(value if is_number else None) if value is None or is_number else None
    if isinstance(value, Mapping):
        for length in range(len(parts), 0, -1):
            key = ".".join(parts[:length])
            if key in value:
                found = _descend(parts[length:], value[key])
                if found is not None:
                    return found if found.n is not None else _of_slice(found, value, [key, *parts[length:]])
    return None


def _of_slice(found: Figure, owner: Mapping[str, Any], measure: Sequence[str]) -> Figure:
    """Return the figure with what its slice says about it; unchanged where `owner` is no slice."""
    if not isinstance(owner.get("n"), int):
        return found
    if measure[0] in ("accuracy", "consistency"):
        bounds = owner.get("ci95")
    else:
        bounds = owner.get("ci95_over_templates", {}).get(measure[0]) or owner.get(f"{measure[0]}_ci95")
        for key in measure[1:]:
            bounds = (bounds or {}).get(key)
    interval = (float(bounds[0]), float(bounds[1])) if bounds else None
    return replace(found, interval=interval, n=owner["n"], templates=owner.get("templates"))


def _nearest(parts: Sequence[str], values: Mapping[str, Any]) -> str:
    known = [key for section in SHORT_FOR for key in values.get(section, {})]
    if parts[0] in known or parts[0] in values:
        return KNOWN_MEASURES
    return f"Known: overall, {', '.join(known[:40])}."
