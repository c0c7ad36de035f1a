"""Boolean rules as data: what must hold of a message for it to follow its functionality.

Answers are true, false, or None where a test could not be asked (no quotation, not scored yet). Logic with None is
Kleene's: "and" is false as soon as one part is false, unknown only when the rest cannot decide it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from core.text import _


class RuleError(ValueError):
    """A rule in a data file cannot be read; the message says where it stands and what to do."""


@dataclass(frozen=True, slots=True)
class Ask:
    """The answer to one test, by key."""

    test: str


@dataclass(frozen=True, slots=True)
class Not:
    part: Rule


@dataclass(frozen=True, slots=True)
class AllOf:
    parts: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    parts: tuple[Rule, ...]


Rule = Ask | Not | AllOf | AnyOf


def read_rule(data: Any, *, known: frozenset[str], where: str) -> Rule:
    """Return a rule from its JSON form: a test's key, {"not": rule}, {"all": [rules]} or {"any": [rules]}.

    Refuses unknown tests, unknown operators and empty lists, and names the place.
    """
    if isinstance(data, str):
        if data not in known:
            raise RuleError(
                _(
                    "%(place)s: no test is called '%(name)s'. Known: %(known)s.",
                    place=where,
                    name=data,
                    known=sorted(known),
                )
            )
        return Ask(data)
    if isinstance(data, dict) and len(data) == 1:
        operator, body = next(iter(data.items()))
        if operator == "not":
            return Not(read_rule(body, known=known, where=f"{where}.not"))
        if operator in ("all", "any"):
            if not isinstance(body, list) or not body:
                raise RuleError(_("%(place)s: write a list of at least one rule.", place=f"{where}.{operator}"))
            parts = tuple(read_rule(part, known=known, where=f"{where}.{operator}[{i}]") for i, part in enumerate(body))
            return AllOf(parts) if operator == "all" else AnyOf(parts)
        raise RuleError(
            _(
                "%(place)s: no operator is called '%(name)s'. Known: %(known)s.",
                place=where,
                name=operator,
                known=["all", "any", "not"],
            )
        )
    raise RuleError(
        _(
            "%(place)s: write the name of a test, or an object with all, any or not, instead of %(found)s.",
            place=where,
            found=repr(data),
        )
    )


_TOKEN = re.compile(r"\s*(\(|\)|[\w-]+|\S)")


def parse_rule(text: str) -> Any:
    """Return the JSON form of a rule as `describe` writes it: `about_group and (not hate_speech or about_us)`.

    Refuses brackets that do not match, `and` beside `or` without brackets, and anything else that is not a rule.
    """
    tokens = _TOKEN.findall(text)
    if not tokens:
        raise RuleError(_("The rule is empty. Write for example: about_group and not hate_speech."))
    rule = _parse_joined(tokens)
    if tokens:
        raise RuleError(
            _("The rule cannot be read at '%(word)s'. Join tests with and, or, not and brackets.", word=tokens[0])
        )
    return rule


def _parse_joined(tokens: list[str]) -> Any:
    parts = [_parse_single(tokens)]
    joined = tokens[0].lower() if tokens else ""
    if joined not in ("and", "or"):
        return parts[0]
    while tokens and tokens[0].lower() == joined:
        tokens.pop(0)
        parts.append(_parse_single(tokens))
    if tokens and tokens[0].lower() in ("and", "or"):
        raise RuleError(_("The rule has 'and' next to 'or'. Put brackets around one of them."))
    return {"all" if joined == "and" else "any": parts}


def _parse_single(tokens: list[str]) -> Any:
    word = tokens.pop(0) if tokens else ""
    if word.lower() == "not":
        return {"not": _parse_single(tokens)}
    if word == "(":
        inner = _parse_joined(tokens)
        if not tokens or tokens.pop(0) != ")":
            raise RuleError(_("The rule has a bracket that is not closed."))
        return inner
    if not re.fullmatch(r"[\w-]+", word) or word.lower() in ("and", "or"):
        if not word:
            raise RuleError(_("The rule ends too early. Add the name of a test."))
        raise RuleError(_("The rule has '%(word)s' where it needs the name of a test.", word=word))
    return word


def rule_as_json(rule: Rule) -> Any:
    """Return the JSON form that `read_rule` reads."""
    match rule:
        case Ask(test):
            return test
        case Not(part):
            return {"not": rule_as_json(part)}
        case AllOf(parts):
            return {"all": [rule_as_json(part) for part in parts]}
        case AnyOf(parts):
            return {"any": [rule_as_json(part) for part in parts]}


def evaluate(rule: Rule, answers: Mapping[str, bool | None]) -> bool | None:
    """Return whether a rule holds; None when the answers do not decide it."""
    match rule:
        case Ask(test):
            return answers.get(test)
        case Not(part):
            value = evaluate(part, answers)
            return None if value is None else not value
        case AllOf(parts):
            return _kleene_and([evaluate(part, answers) for part in parts])
        case AnyOf(parts):
            value = _kleene_and([_invert(evaluate(part, answers)) for part in parts])
            return _invert(value)


def failing_parts(rule: Rule, answers: Mapping[str, bool | None]) -> list[str]:
    """Return the parts of a rule that do not hold, in words, for the person who decides."""
    if evaluate(rule, answers) is True:
        return []
    if isinstance(rule, AllOf):
        return [reason for part in rule.parts for reason in failing_parts(part, answers)]
    words = describe(rule).replace("_", " ")
    if evaluate(rule, answers) is None:
        return [_("The rule is undecided: %(rule)s", rule=words)]
    return [_("The rule does not hold: %(rule)s", rule=words)]


def describe(rule: Rule) -> str:
    """Return a rule as one line, such as `about_group and (not hate_speech or about_us)`."""
    match rule:
        case Ask(test):
            return test
        case Not(part):
            return f"not {_in_brackets(part)}"
        case AllOf(parts):
            return " and ".join(_in_brackets(part) for part in parts)
        case AnyOf(parts):
            return " or ".join(_in_brackets(part) for part in parts)


def asked_tests(rule: Rule) -> Iterator[str]:
    """Return the keys of all tests that a rule asks, each once, in order."""
    seen: dict[str, None] = {}
    pending: list[Rule] = [rule]
    while pending:
        match pending.pop(0):
            case Ask(test):
                seen[test] = None
            case Not(part):
                pending.insert(0, part)
            case AllOf(parts) | AnyOf(parts):
                pending[:0] = parts
    return iter(seen)


def _in_brackets(rule: Rule) -> str:
    return f"({describe(rule)})" if isinstance(rule, AllOf | AnyOf) else describe(rule)


def _kleene_and(values: list[bool | None]) -> bool | None:
    if False in values:
        return False
    return None if None in values else True


def _invert(value: bool | None) -> bool | None:
    return None if value is None else not value
