"""Results as a table for the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from evaluation.reports.tables import Cell, Line, tables_of

if TYPE_CHECKING:
    from evaluation.runners.chat import CostEstimate

RULES = (
    "exit non-zero unless 'negate_neg_nh.accuracy>=0.6', 'overall.macro_f1>=0.7', ...; .low and .high are the bounds "
    "of the 95 % interval: '*.accuracy.low>=0.5' wants every functionality to be better than chance for certain"
)
WIDTH, COUNT, COLUMN = 26, 10, 20


def describe_results(result: dict[str, Any]) -> str:
    """Accuracy of each model overall, by label, by functionality and by group, beside always giving one answer."""
    tables = tables_of(result["models"], sections=("by_label", "by_functionality", "by_target"))[:4]
    if not tables:
        return f"No results on {result['release']}."
    heads = [short(name) for name in (*tables[0].models, *tables[0].baselines)]
    counts = f"{'Cases':>{COUNT}}{'Templates':>{COUNT}}"
    lines = [
        f"Accuracy (%) on {result['release']}, with 95 % intervals over templates",
        " " * WIDTH + counts + "".join(f"{head:>{COLUMN}}" for head in heads),
    ]
    for table in tables:
        if table.key in ("overall", "by_label", "by_functionality", "by_target"):
            lines += ["-" * (WIDTH + 2 * COUNT + COLUMN * len(heads))] if table.key != "overall" else []
            lines += [_row(line) for line in table.lines]
    return "\n".join([*lines, *_unanswered(result["models"])])


def _unanswered(models: Mapping[str, Any]) -> list[str]:
    """Return how many cases each model refused, and how many got no usable answer: both count as wrong."""
    told = []
    for name, values in models.items():
        overall = values.get("overall", {})
        refusals, errors = overall.get("refusals") or 0, overall.get("errors") or 0
        if refusals or errors:
            told.append(f"{name}: {refusals:,} refusals, {errors:,} answers that cannot be used; both count as wrong.")
    return ["", *told] if told else []


def _row(line: Line) -> str:
    cells = [_cell(cell) for cell in line.cells] + [cell.printed or "undefined" for cell in line.baselines]
    counts = f"{line.n:>{COUNT},}{line.printed_templates:>{COUNT}}"
    return f"{line.title[: WIDTH - 1]:<{WIDTH}}{counts}" + "".join(f"{cell:>{COLUMN}}" for cell in cells)


def _cell(cell: Cell) -> str:
    if cell.low is None or cell.high is None:
        return cell.printed or "undefined"
    return f"{cell.printed} ({100 * cell.low:.0f}-{100 * cell.high:.0f})"


def short(name: str) -> str:
    """Return a name that fits above its column: cut in the middle, because names of models differ at both ends."""
    most = COLUMN - 2
    return name if len(name) <= most else f"{name[: most // 2]}…{name[-(most - most // 2 - 1) :]}"


def describe_cost(estimate: CostEstimate) -> str:
    """Return what is about to be spent, as one sentence."""
    money = "" if estimate.cost is None else f", at most about {estimate.at_most}"
    return (
        f"{estimate.requests:,} requests, about {estimate.input_tokens:,} tokens to read and at most "
        f"{estimate.output_tokens:,} to write{money}."
    )


def describe_rules(rules: Sequence[Mapping[str, Any]]) -> str:
    """Return which rules are met, with the interval and the templates each figure rests on; empty without rules."""
    if not rules:
        return ""
    names = [_name(rule) for rule in rules]
    width = max(len(name) for name in names)
    lines = ["", "", f"{'Rule':<{width}}  {'Value':>10}  {'95 % interval':>16}  {'Templates':>9}  Met"]
    for name, rule in zip(names, rules, strict=True):
        value = "undefined" if rule["value"] is None else f"{rule['value']:.4f}"
        low, high = rule["ci95"] or (None, None)
        interval = "" if low is None else f"{low:.4f}-{high:.4f}"
        templates = "" if rule["templates"] is None else str(rule["templates"])
        met = "yes" if rule["is_met"] else "NO"
        doubt = ", but the limit lies within the interval" if rule["is_clear"] is False else ""
        lines.append(f"{name:<{width}}  {value:>10}  {interval:>16}  {templates:>9}  {met}{doubt}")
    return "\n".join(lines)


def describe_missed(rules: Sequence[Mapping[str, Any]]) -> str:
    """Return the rules that are not met, as one sentence; empty where all are."""
    missed = [_name(rule) for rule in rules if not rule["is_met"]]
    return f"{len(missed)} of {len(rules)} rules are not met: {'; '.join(missed)}" if missed else ""


def _name(rule: Mapping[str, Any]) -> str:
    """Return the rule, with its model where several are held against it."""
    return f"{rule['model']}: {rule['rule']}" if "model" in rule else str(rule["rule"])


def describe_leaderboard(result: Mapping[str, Any]) -> str:
    """Return the ranking with intervals and ties, and what always giving one answer reaches."""
    if not result["ranking"]:
        return f"No model with results on {result['release']} is public yet."
    width = max(map(len, [*(entry["model"] for entry in result["ranking"]), *result["baselines"]])) + 2
    lines = [f"{'Rank':>4}  {'':<{width}}{'Macro F1':>9}{'Accuracy':>20}  Tied with"]
    for entry in result["ranking"]:
        accuracy = f"{100 * entry['accuracy']:.1f} %"
        if entry["ci95"]:
            low, high = entry["ci95"]
            accuracy += f" ({100 * low:.1f}-{100 * high:.1f})"
        model = entry["model"] + ("" if entry["is_verified"] else "*")
        lines.append(
            f"{entry['rank']:>4}  {model:<{width}}{_thousandths(entry['macro_f1']):>9}"
            f"{accuracy:>20}  {', '.join(entry['tied_with'])}"
        )
    for name, found in result["baselines"].items():
        lines.append(f"{'':>4}  {name:<{width}}{_thousandths(found['macro_f1']):>9}{100 * found['accuracy']:>12.1f} %")
    lines += ["", "A rank is one plus the number of models that are significantly better (over templates, Holm)."]
    lines += ["* uploaded predictions, which were not computed here"] if "*" in "".join(lines[1:]) else []
    return "\n".join(lines)


def _thousandths(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.3f}"
