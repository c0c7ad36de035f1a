"""Results as a table for the terminal."""

from __future__ import annotations

from typing import Any


def share(value: float | None) -> str:
    return "undefined" if value is None else f"{100 * value:5.1f}"


def describe_results(result: dict[str, Any]) -> str:
    """Accuracy of each model overall, by label and by functionality."""
    names = list(result["models"])
    width = max([28, *(len(name) for name in names)])
    lines = [f"Accuracy (%) on {result['release']}", " " * 32 + "  ".join(f"{name[:12]:>12}" for name in names)]

    def row(title: str, values: list[float | None]) -> str:
        return f"{title[:31]:<32}" + "  ".join(f"{share(value):>12}" for value in values)

    models = [result["models"][name] for name in names]
    lines.append(row("overall", [model["overall"]["accuracy"] for model in models]))
    for section in ("by_label", "by_functionality", "by_target"):
        keys = list(dict.fromkeys(key for model in models for key in model[section]))
        if keys:
            lines.append("-" * width)
        lines += [row(key, [model[section].get(key, {}).get("accuracy") for model in models]) for key in keys]
    return "\n".join(lines)


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
