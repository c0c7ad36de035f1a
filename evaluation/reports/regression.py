"""Did a model get worse? A comparison of two models as a verdict: for the terminal, pull requests and build servers.

The first model is the one before, the second the one after. A functionality got worse where the template-aware test
says so after Holm's correction, or where it lost more than a stated share.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal
from xml.etree import ElementTree

import numpy as np

from evaluation.metrics.columns import Columns
from evaluation.metrics.compare import common_rows
from evaluation.reports.junit import write_suites

Verdict = Literal["worse", "better", "unclear", "same"]
MARK = "<!-- touchstone comparison -->"  # finds the comment again that a build wrote before
NAMED_CASES = 20
WORDS: Mapping[str, str] = {"worse": "worse", "better": "better", "unclear": "may be chance", "same": "no change"}


def verdict_of(found: Mapping[str, Any], *, max_drop: float | None = None) -> Verdict:
    """Return what a line of a comparison says about the second model."""
    lost = found["difference"] or 0.0
    if lost > 0 and (found["is_significant"] or (max_drop is not None and lost > max_drop + 1e-12)):
        return "worse"
    if lost < 0 and found["is_significant"]:
        return "better"
    return "unclear" if lost else "same"


def changed_cases(first: Columns, second: Columns) -> dict[str, list[str]]:
    """Return the cases that only the first model gets right (`broken`) and only the second (`fixed`)."""
    first, second = common_rows(first, second)
    right, other_right = first.is_correct, second.is_correct
    return {
        "broken": [first.cases[place] for place in np.flatnonzero(right & ~other_right)],
        "fixed": [first.cases[place] for place in np.flatnonzero(~right & other_right)],
    }


def judge(
    comparison: Mapping[str, Any],
    *,
    release: str,
    before: str,
    after: str,
    cases: Mapping[str, Sequence[str]],
    max_drop: float | None = None,
) -> dict[str, Any]:
    """Return the comparison with verdicts: overall, by functionality, and `is_worse` for the exit status."""
    lines = {
        key: {**found, "verdict": verdict_of(found, max_drop=max_drop)}
        for key, found in comparison["by_functionality"].items()
    }
    groups = {
        key: {**found, "verdict": verdict_of(found, max_drop=max_drop)}
        for key, found in comparison["by_target"].items()
    }
    overall = {**comparison["overall"], "verdict": verdict_of(comparison["overall"], max_drop=max_drop)}
    worse = [key for key, found in lines.items() if found["verdict"] == "worse"]
    return {
        "release": release,
        "before": before,
        "after": after,
        **comparison,
        "overall": overall,
        "by_functionality": lines,
        "by_target": groups,
        "worse": worse,
        "better": [key for key, found in lines.items() if found["verdict"] == "better"],
        "is_worse": bool(worse) or overall["verdict"] == "worse",
        "max_drop": max_drop,
        **cases,
    }


def headline(judged: Mapping[str, Any]) -> str:
    """Return the verdict as one sentence."""
    worse, better, count = len(judged["worse"]), len(judged["better"]), len(judged["by_functionality"])
    overall = judged["overall"]
    total = f"Accuracy {_percent(overall['first'])} -> {_percent(overall['second'])} ({_points(overall)} points)"
    return (
        f"{total}, {WORDS[overall['verdict']]}. Of {count} "
        f"{'functionality' if count == 1 else 'functionalities'}, {worse} got worse and {better} got better."
    )


def describe_regression(judged: Mapping[str, Any]) -> str:
    """Return the comparison for a terminal: the verdict, then every functionality that changed, worst first."""
    lines = [f"{judged['after']} against {judged['before']} on {judged['release']}", headline(judged)]
    changed = _changed(judged)
    if changed:
        width = max(len(key) for key, _ in changed) + 2
        lines += ["", f"{'':<{width}}{'Cases':>7}{'Templates':>11}{'Before':>9}{'After':>9}{'Change':>9}  Verdict"]
    for key, found in changed:
        lines.append(
            f"{key:<{width}}{found['n']:>7,}{found['templates']:>11,}{_percent(found['first']):>9}"
            f"{_percent(found['second']):>9}{_points(found):>9}  {_verdict(found)}"
        )
    lines += ["", f"{len(judged['broken']):,} cases broken, {len(judged['fixed']):,} fixed."]
    if judged["left_out"]:
        lines.append(f"{judged['left_out']:,} cases that only one of the two has were left out.")
    return "\n".join(lines)


def as_markdown(judged: Mapping[str, Any]) -> str:
    """Return the comparison as a comment for a pull request. It names cases and holds no text of any."""
    sign = "❌" if judged["is_worse"] else "✅"
    lines = [
        MARK,
        f"### {sign} {_cell(judged['after'])} against {_cell(judged['before'])} on {_cell(judged['release'])}",
        "",
        headline(judged),
        "",
    ]
    groups: dict[str, list[tuple[str, Mapping[str, Any]]]] = {}
    for key, found in _changed(judged):
        groups.setdefault(found["verdict"], []).append((key, found))
    if "worse" in groups:
        lines += ["**Got worse**", "", *_markdown_table(groups["worse"]), ""]
    for verdict, title in (("better", "Got better"), ("unclear", "Changed, but it may be chance")):
        if found_lines := groups.get(verdict):
            lines += [f"<details><summary>{title}: {len(found_lines)}</summary>", ""]
            lines += [*_markdown_table(found_lines), "", "</details>", ""]
    for name in ("broken", "fixed"):
        if cases := judged[name]:
            more = f" and {len(cases) - NAMED_CASES:,} more" if len(cases) > NAMED_CASES else ""
            listed = ", ".join(f"`{_cell(case)}`" for case in cases[:NAMED_CASES])
            lines += [f"<details><summary>Cases {name}: {len(cases):,}</summary>", "", listed + more, "", "</details>"]
            lines += [""]
    lines.append(
        "<sub>Tests count templates, not cases: signs of template differences are flipped, corrected after Holm over "
        "functionalities.</sub>"
    )
    return "\n".join(lines) + "\n"


def regression_suite(judged: Mapping[str, Any]) -> ElementTree.Element:
    """Return one test per functionality, which fails where it got worse, and one for all cases together."""
    release = judged["release"]
    name = f"{judged['after']} against {judged['before']} on {release}"
    suite = ElementTree.Element("testsuite", name=name)
    failures = 0
    lines = {"all cases": judged["overall"], **judged["by_functionality"]}
    for key, found in lines.items():
        case = ElementTree.SubElement(suite, "testcase", classname=f"{release}.regression", name=key)
        told = f"{_percent(found['first'])} before, {_percent(found['second'])} after ({_points(found)}): "
        told += _verdict(found)
        if found["verdict"] == "worse":
            failures += 1
            ElementTree.SubElement(case, "failure", message=told, type="regression").text = told
        ElementTree.SubElement(case, "system-out").text = told
    suite.attrib |= {"tests": str(len(lines)), "failures": str(failures), "errors": "0"}
    return suite


def as_junit(judged: Mapping[str, Any]) -> str:
    """Return the comparison as JUnit XML."""
    return write_suites(judged["release"], [regression_suite(judged)])


def _changed(judged: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    """Return the functionalities whose accuracy changed: what got worse first, then by the size of the change."""
    order = ("worse", "unclear", "better")
    found = [(key, line) for key, line in judged["by_functionality"].items() if line["verdict"] != "same"]
    return sorted(found, key=lambda pair: (order.index(pair[1]["verdict"]), -(pair[1]["difference"] or 0.0)))


def _markdown_table(lines: Sequence[tuple[str, Mapping[str, Any]]]) -> list[str]:
    rows = [
        f"| {_cell(key)} | {found['n']:,} | {found['templates']:,} | {_percent(found['first'])} | "
        f"{_percent(found['second'])} | {_points(found)} | {_p(found)} |"
        for key, found in lines
    ]
    head = "| Functionality | Cases | Templates | Before | After | Change | p (Holm) |"
    return [head, "|---|---:|---:|---:|---:|---:|---:|", *rows]


def _verdict(found: Mapping[str, Any]) -> str:
    why = found["reason"] if found["verdict"] in ("worse", "unclear") else ""
    return WORDS[found["verdict"]] + (f" ({why})" if why else f" (p {_p(found)})" if _p(found) else "")


def _p(found: Mapping[str, Any]) -> str:
    p = found.get("p_holm", found["p"])
    return "" if p is None else "< 0.001" if p < 0.001 else f"{p:.3f}"


def _percent(share: float | None) -> str:
    return "undefined" if share is None else f"{100 * share:.1f} %"


def _points(found: Mapping[str, Any]) -> str:
    return "" if found["difference"] is None else f"{-100 * found['difference']:+.1f}".replace("-0.0", "0.0")


def _cell(text: str) -> str:
    """Return a text that cannot end a cell of a table or begin markup."""
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace("\n", " ").replace("`", "'")
