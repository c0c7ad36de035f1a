"""One page in the terminal: the result first, then every functionality, the worst on top."""

import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from typing import Any, TextIO

from touchstone.evaluating import Result

BAR = 20
BELOW = 0.5  # what guessing reaches
GROUPS = 5
RED, YELLOW, GREEN, BOLD, PLAIN = "\033[31m", "\033[33m", "\033[32m", "\033[1m", "\033[0m"


def summarise(result: Result, *, stream: TextIO | None = None) -> str:
    """Return the summary, in colour where the stream is a terminal that shows it."""
    paint = _painter(stream or sys.stdout)
    values = result.measures
    overall, lines = values["overall"], values["by_functionality"]
    failed = [key for key, found in lines.items() if found["accuracy"] is not None and found["accuracy"] < BELOW]
    seal = f"sealed, sha256 {result.sha256[:12]}" if result.sha256 else "not a sealed release"
    told = [paint(BOLD, f"{result.model} on {result.release}") + f" ({seal})", ""]
    told.append(_verdict(lines, failed))
    macro = "undefined" if overall["macro_f1"] is None else f"{overall['macro_f1']:.3f}"
    told.append(
        f"Accuracy {_share(overall)} on {overall['n']:,} cases of {overall['templates']:,} templates; macro F1 {macro}."
    )
    told += [_baseline(values)]
    told += _unanswered(result, overall)
    if result.run.get("is_partial"):
        told.append(paint(YELLOW, "Only a part of the cases was asked about (--limit): figures are a first look."))
    told += result.notes
    told += ["", *_table(lines, paint)] if lines else []
    told += ["", *_groups(values)] if values["by_target"] else []
    return "\n".join(told)


def _verdict(lines: Mapping[str, Any], failed: Sequence[str]) -> str:
    if not lines:
        return "The cases have no functionalities."
    if not failed:
        return f"No functionality of {len(lines)} is below 50 %."
    worst = sorted(failed, key=lambda key: lines[key]["accuracy"])[:3]
    named = ", ".join(f"{key} ({100 * lines[key]['accuracy']:.1f} %)" for key in worst)
    return f"Fails {len(failed)} of {len(lines)} functionalities (below 50 %). Worst: {named}."


def _baseline(values: Mapping[str, Any]) -> str:
    name, found = max(values["baselines"].items(), key=lambda pair: pair[1]["accuracy"] or 0)
    label = name.removeprefix("always ")
    return f"For comparison: a model that always says {label} reaches {100 * (found['accuracy'] or 0):.1f} %."


def _unanswered(result: Result, overall: Mapping[str, Any]) -> list[str]:
    told = []
    if overall["refusals"]:
        told.append(f"The model refused to answer {overall['refusals']:,} cases; they count as wrong.")
    if overall["errors"]:
        usual = max(result.errors.items(), key=lambda pair: pair[1])[0] if result.errors else "unknown"
        told.append(f"{overall['errors']:,} cases got no usable answer and count as wrong. Most often: {usual}")
    return told


def _table(lines: Mapping[str, Any], paint: Any) -> list[str]:
    room = shutil.get_terminal_size((100, 40)).columns
    width = min(max(len(key) for key in lines), max(20, room - 62)) + 2
    told = [f"{'':<{width}}{'Gold label':<14}{'Cases':>6}{'Templates':>11}   Accuracy with 95 % interval"]
    ordered = sorted(lines.items(), key=lambda pair: (pair[1]["accuracy"] is None, pair[1]["accuracy"] or 0.0))
    for key, found in ordered:
        name = key if len(key) < width else key[: width - 3] + "… "
        share = found["accuracy"]
        full = round((share or 0.0) * BAR)
        colour = RED if share is None or share < BELOW else YELLOW if share < 0.8 else GREEN
        bar = paint(colour, "█" * full) + "·" * (BAR - full)
        label = (found.get("label") or "mixed")[:12]
        told.append(f"{name:<{width}}{label:<14}{found['n']:>6,}{found['templates']:>11,}   {bar} {_share(found)}")
    return told


def _groups(values: Mapping[str, Any]) -> list[str]:
    found = sorted(values["by_target"].items(), key=lambda pair: pair[1]["accuracy"] or 0.0)
    shown = ", ".join(f"{group} {_share(line)}" for group, line in found[:GROUPS])
    return [f"Groups, worst first: {shown}" + (", …" if len(found) > GROUPS else "")]


def _share(found: Mapping[str, Any]) -> str:
    if found["accuracy"] is None:
        return "undefined"
    told = f"{100 * found['accuracy']:.1f} %"
    return told + (f" ({100 * found['ci95'][0]:.0f}-{100 * found['ci95'][1]:.0f})" if found["ci95"] else "")


def _painter(stream: TextIO) -> Any:
    is_coloured = stream.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
    return (lambda colour, text: f"{colour}{text}{PLAIN}") if is_coloured else (lambda _colour, text: text)
