"""Results as a table for the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from evaluation.reports.tables import Line, tables_of

if TYPE_CHECKING:
    from evaluation.runners.chat import CostEstimate

WIDTH, COLUMN = 26, 20


def describe_results(result: dict[str, Any]) -> str:
    """Accuracy of each model overall, by label, by functionality and by group, beside always giving one answer."""
    tables = tables_of(result["models"], sections=("by_label", "by_functionality", "by_target"))[:4]
    if not tables:
        return f"No results on {result['release']}."
    heads = [short(name) for name in (*tables[0].models, *tables[0].baselines)]
    lines = [f"Accuracy (%) on {result['release']}", " " * WIDTH + "".join(f"{head:>{COLUMN}}" for head in heads)]
    for table in tables:
        if table.key in ("overall", "by_label", "by_functionality", "by_target"):
            lines += ["-" * (WIDTH + COLUMN * len(heads))] if table.key != "overall" else []
            lines += [_row(line) for line in table.lines]
    return "\n".join(lines)


def _row(line: Line) -> str:
    cells = [cell.printed or "undefined" for cell in (*line.cells, *line.baselines)]
    return f"{line.title[: WIDTH - 1]:<{WIDTH}}" + "".join(f"{cell:>{COLUMN}}" for cell in cells)


def short(name: str) -> str:
    """A name that fits above its column: cut in the middle, because names of models differ at both ends."""
    most = COLUMN - 2
    return name if len(name) <= most else f"{name[: most // 2]}…{name[-(most - most // 2 - 1) :]}"


def describe_cost(estimate: CostEstimate) -> str:
    """What is about to be spent, as one sentence."""
    money = "" if estimate.cost is None else f", at most about {estimate.at_most}"
    return (
        f"{estimate.requests:,} requests, about {estimate.input_tokens:,} tokens to read and at most "
        f"{estimate.output_tokens:,} to write{money}."
    )


def describe_rules(rules: list[dict[str, Any]]) -> str:
    """Which rules are met; empty without rules."""
    if not rules:
        return ""
    width = max(len(rule["rule"]) for rule in rules)
    lines = ["", "", f"{'Rule':<{width}}  {'Value':>10}  Met"]
    for rule in rules:
        value = "undefined" if rule["value"] is None else f"{rule['value']:.4f}"
        lines.append(f"{rule['rule']:<{width}}  {value:>10}  {'yes' if rule['is_met'] else 'NO'}")
    return "\n".join(lines)
