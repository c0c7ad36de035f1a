"""JUnit XML, which every build server shows: one test per functionality, and one per rule about anything else."""

from collections.abc import Mapping, Sequence
from typing import Any
from xml.etree import ElementTree

from evaluation.reports.rules import Outcome, check_rule, functionality_of, look_up, parse_rule

CONTROL = {code: None for code in range(32) if code not in (9, 10, 13)}
USUAL = ">=0.5"  # what guessing reaches; the tables underline what is below


def as_junit(release: str, models: Mapping[str, Mapping[str, Any]], outcomes: Mapping[str, Sequence[Outcome]]) -> str:
    """Return one test per functionality, which fails where a rule about it is not met.

    Without any rule for a model, it fails where accuracy is below 0.5. With rules only these decide: functionalities
    that none is about tell their accuracy and pass, as the exit status of the commands says.
    """
    return write_suites(release, result_suites(release, models, outcomes))


def result_suites(
    release: str, models: Mapping[str, Mapping[str, Any]], outcomes: Mapping[str, Sequence[Outcome]]
) -> list[ElementTree.Element]:
    """Return the tests of each model, as `as_junit` writes them."""
    suites = []
    for model, values in models.items():
        suite = ElementTree.Element("testsuite", name=f"{model} on {release}")
        suites.append(suite)
        about: dict[str, list[Outcome]] = {key: [] for key in values["by_functionality"]}
        tests = 0
        failures = 0
        for outcome in outcomes.get(model, ()):
            if key := functionality_of(outcome.rule, about):
                about[key].append(outcome)
                continue
            case = _case(suite, f"{release}.rules", outcome.rule.text)
            tests += 1
            failures += _tell(case, [outcome], outcome.told)
        for key, rules in about.items():
            case = _case(suite, f"{release}.functionalities", key)
            path = f"by_functionality.{key}.accuracy"
            checked = rules if outcomes.get(model) else [check_rule(parse_rule(path + USUAL), values)]
            tests += 1
            failures += _tell(case, checked, f"accuracy {look_up(path, values).told}")
        suite.attrib |= {"tests": str(tests), "failures": str(failures), "errors": "0"}
    return suites


def write_suites(release: str, suites: Sequence[ElementTree.Element]) -> str:
    """Return groups of tests as one document, without control characters, for which XML has no place."""
    root = ElementTree.Element("testsuites", name=release)
    root.extend(suites)
    for element in root.iter():
        for name, value in element.items():
            element.set(name, value.translate(CONTROL))
        element.text = element.text and element.text.translate(CONTROL)
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _tell(case: ElementTree.Element, checked: Sequence[Outcome], figures: str) -> bool:
    """Write the figures into a test, and its failure where a rule is not met; say whether there is one."""
    missed = [outcome.told for outcome in checked if not outcome.is_met]
    if missed:
        message = "; ".join(missed)
        ElementTree.SubElement(case, "failure", message=message, type="rule").text = message
    ElementTree.SubElement(case, "system-out").text = figures
    return bool(missed)


def _case(suite: ElementTree.Element, group: str, name: str) -> ElementTree.Element:
    return ElementTree.SubElement(suite, "testcase", classname=group, name=name)
