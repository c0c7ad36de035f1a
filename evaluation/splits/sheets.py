"""The results of an experiment with splits for a paper: a table and its picture."""

from typing import Any

from core.text import _
from evaluation.models import Experiment
from evaluation.reports.figures import Figure, FigureLine, FigureTable
from evaluation.reports.pictures.dots import figure_dots
from evaluation.reports.sheets import Sheet
from evaluation.splits.experiments import positive_label, summarise

NOTE = _("Mean over training seeds; the interval is the mean plus and minus one standard error.")


def experiment_sheet(experiment: Experiment) -> Sheet:
    """Return what was reached on each split: F1 on its test set and on the independent part, and the drop."""
    label = positive_label(experiment)
    measure = _("F1 of %(label)s", label=label) if label else _("macro F1")
    lines = tuple(
        FigureLine(
            str(row["split"]), (_spread(row["test_f1"]), _spread(row["independent_f1"]), Figure(row["drop"])), ()
        )
        for row in summarise(experiment)
    )
    heads = (
        _("%(measure)s, test set", measure=measure),
        _("%(measure)s, independent part", measure=measure),
        _("against random"),
    )
    table = FigureTable("splits", measure, NOTE, heads, (), lines)
    facts: dict[str, str] = {
        _("Data set"): str(experiment.dataset),
        _("Trainer"): experiment.trainer,
        _("Seeds"): ", ".join(map(str, experiment.seeds)),
        _("Experiment"): experiment.key,
    }
    shown = FigureTable(
        "splits", measure, "", heads[:2], (), tuple(FigureLine(one.title, one.figures[:2], ()) for one in lines)
    )
    return Sheet(
        _("Results on splits of %(data)s", data=str(experiment.dataset)), facts, table, lambda: figure_dots(shown)
    )


def _spread(found: dict[str, Any]) -> Figure:
    mean, error = found["mean"], found["error"]
    return Figure(mean) if mean is None or error is None else Figure(mean, mean - error, mean + error)
