"""JUnit XML, which every build server shows: one test per rule, and one per functionality for the record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from xml.etree import ElementTree

from evaluation.reports.rules import Outcome

CONTROL = {code: None for code in range(32) if code not in (9, 10, 13)}


def as_junit(release: str, models: Mapping[str, Mapping[str, Any]], outcomes: Mapping[str, Sequence[Outcome]]) -> str:
    """A test fails where its rule is not met; functionalities without a rule only tell their accuracy."""
    root = ElementTree.Element("testsuites", name=_clean(release))
    for model, values in models.items():
        checked = outcomes.get(model, ())
        suite = ElementTree.SubElement(
            root,
            "testsuite",
            name=_clean(f"{model} on {release}"),
            tests=str(len(checked) + len(values["by_functionality"])),
            failures=str(sum(not outcome.is_met for outcome in checked)),
            errors="0",
        )
        for outcome in checked:
            case = _case(suite, f"{release}.rules", outcome.rule.text)
            if not outcome.is_met:
                value = "undefined" if outcome.value is None else f"{outcome.value:.4f}"
                message = f"{outcome.rule.path} is {value}, wanted {outcome.rule.sign} {outcome.rule.limit:g}"
                ElementTree.SubElement(case, "failure", message=_clean(message), type="rule").text = _clean(message)
        for key, found in values["by_functionality"].items():
            case = _case(suite, f"{release}.functionalities", key)
            told = "undefined" if found["accuracy"] is None else f"{found['accuracy']:.4f}"
            ElementTree.SubElement(case, "system-out").text = f"accuracy {told} on {found['n']} cases"
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _case(suite: ElementTree.Element, group: str, name: str) -> ElementTree.Element:
    return ElementTree.SubElement(suite, "testcase", classname=_clean(group), name=_clean(name))


def _clean(text: str) -> str:
    """XML has no place for control characters."""
    return text.translate(CONTROL)
