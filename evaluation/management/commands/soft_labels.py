"""Compare models with groups of annotators."""

from typing import Any

from core.commands import DomainCommand
from curation.finding import find_release
from evaluation.results.options import GroupLabelsOptions
from evaluation.results.perspectives import compare_models_with_groups
from evaluation.results.reporting import newest_runs

MEASURES = {"jensen_shannon": "Jensen-Shannon", "cross_entropy": "cross-entropy", "disagreement": "disagreement"}


class Command(DomainCommand):
    help = "How close models come to the labels of groups of annotators, from answers they agreed to link to labels."
    options = GroupLabelsOptions

    def perform(self, options: GroupLabelsOptions) -> dict[str, Any]:
        release = find_release(options.release)
        runs = newest_runs(release, options.model or None)
        return compare_models_with_groups(release, runs, by=options.by, viewer=None)

    def describe(self, result: dict[str, Any]) -> str:
        lines = [f"{result['release']}, by {result['by']}, differences to all other groups on the same cases"]
        for model, groups in result["models"].items():
            lines += [model, *(_line(group, values) for group, values in groups.items())]
        return "\n".join([*lines, *filter(None, [str(result["reason"])])])


def _line(group: str, values: dict[str, Any]) -> str:
    head = f"  {group}: {values['annotators']} annotators, {values['labels']} labels on {values['n']} cases"
    return "; ".join([head, *(_measure(name, title, values) for name, title in MEASURES.items())])


def _measure(name: str, title: str, values: dict[str, Any]) -> str:
    if values[name] is None:
        return f"{title} undefined"
    said = f"{title} {values[name]:.3f}"
    difference = values.get(f"{name}_difference")
    if difference is None:
        return said
    bounds, p_value = values[f"{name}_difference_ci95"], values[f"{name}_p_value"]
    interval = " (95% {:+.3f} to {:+.3f})".format(*bounds) if bounds else ""
    return f"{said}, {difference:+.3f}{interval}, p {'undefined' if p_value is None else format(p_value, '.4f')}"
