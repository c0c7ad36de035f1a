"""Figures of several models side by side that are no accuracies: F1, and how well scores tell labels apart."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.text import _
from evaluation.reports.names import Names, always

NO_NAMES = Names()

F1_NOTE = _(
    "Of all cases, then by language and macro F1 by target group; undefined where a label never occurs. "
    "95 % intervals count templates."
)


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure, mostly between 0 and 1; None where it is undefined."""

    value: float | None
    low: float | None = None
    high: float | None = None
    is_best: bool = False
    note: str = ""

    @property
    def printed(self) -> str:
        return "" if self.value is None else f"{self.value:.3f}"


@dataclass(frozen=True, slots=True)
class FigureLine:
    title: str
    figures: tuple[Figure, ...]
    baselines: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class FigureTable:
    key: str
    title: str
    note: str
    models: tuple[str, ...]
    baselines: tuple[str, ...]
    lines: tuple[FigureLine, ...]


def f1_table(models: Mapping[str, Mapping[str, Any]], names: Names = NO_NAMES) -> FigureTable:
    """Return the table; lines in which no model has a value are left out."""
    first = next(iter(models.values()))
    labels: list[str] = first["settings"]["labels"]
    lines = []
    for title, path in _paths(models, labels, names):
        figures = [_figure(values, path) for values in models.values()]
        if any(figure.value is not None for figure in figures):
            lines.append(FigureLine(title, _marked(figures), _baselines(models, path, labels)))
    return FigureTable("f1", _("F1"), F1_NOTE, tuple(models), tuple(map(always, labels)), tuple(lines))


def _paths(
    models: Mapping[str, Mapping[str, Any]], labels: list[str], names: Names
) -> Iterator[tuple[str, tuple[str, ...]]]:
    yield _("macro F1"), ("overall", "macro_f1")
    yield _("micro F1"), ("overall", "micro_f1")
    for label in labels:
        yield _("F1 of %(label)s", label=label), ("overall", "f1", label)
    for section in ("by_language", "by_target"):
        keys = dict.fromkeys(key for values in models.values() for key in values.get(section, {}))
        for key in keys if len(keys) > 1 else ():
            name = names.of(section.removeprefix("by_"), key)
            yield _("macro F1, %(slice)s", slice=name), (section, key, "macro_f1")
            for label in labels if section == "by_language" else ():
                yield _("F1 of %(label)s, %(slice)s", label=label, slice=name), (section, key, "f1", label)


def _figure(values: Mapping[str, Any], path: tuple[str, ...]) -> Figure:
    if path[0] == "overall":
        bounds = _at(values, ("overall", "ci95_over_templates", *path[1:]))
        return _with_interval(_at(values, path), bounds)
    section, key, measure, *label = path
    bounds = _at(values, (section, key, f"{measure}_ci95", *label))
    return _with_interval(_at(values, path), bounds, note=shots_of(_at(values, (section, key))))


def _with_interval(value: float | None, bounds: Sequence[float] | None, *, note: str = "") -> Figure:
    low, high = bounds or (None, None)
    return Figure(value, low, high, note=note)


def shots_of(found: Mapping[str, Any] | None) -> str:
    """Whether the model was trained on the language of a slice; empty where that is unknown or makes no sense."""
    return {"many": _("many-shot"), "zero": _("zero-shot")}.get((found or {}).get("shots") or "", "")


def _baselines(models: Mapping[str, Mapping[str, Any]], path: tuple[str, ...], labels: list[str]) -> tuple[Figure, ...]:
    """Return the same measure of always giving one answer; empty where the composition of the slice was not stored."""
    if path[0] == "overall":
        stored = next(iter(models.values()))["baselines"]
        return tuple(Figure(_at(stored[f"always {said}"], path[1:])) for said in labels)
    for values in models.values():
        counts = _at(values, ("composition", *path[:2]))
        if counts:
            return tuple(Figure(_always(said, counts, labels, path[2:])) for said in labels)
    return ()


def _always(said: str, gold: Mapping[str, int], labels: list[str], measure: tuple[str, ...]) -> float | None:
    """F1 of a label, or macro F1, of a model that always says one label; undefined where a label never occurs."""
    of_said = 2 * gold.get(said, 0) / (gold.get(said, 0) + sum(gold.values()))
    if measure[0] == "f1":
        return None if not gold.get(measure[1]) else of_said if measure[1] == said else 0.0
    return of_said / len(labels) if all(gold.get(label) for label in labels) else None


def _at(values: Any, path: tuple[str, ...]) -> Any:
    for key in path:
        values = (values or {}).get(key)
    return values


def _marked(figures: Sequence[Figure], *, is_lowest_best: bool = False) -> tuple[Figure, ...]:
    known = [figure.value for figure in figures if figure.value is not None]
    best = (min if is_lowest_best else max)(known) if len(figures) > 1 and known else None
    return tuple(replace(figure, is_best=figure.value is not None and figure.value == best) for figure in figures)


SCORES_NOTE = _(
    "How well the scores tell labels apart, whatever the threshold (AUROC, average precision), and what a threshold "
    "gives: the model's own and the one with the best F1. A suite has far more positive cases than real traffic, so "
    "precision is also given for texts of which 1, 5 or 10 % are positive. 95 % intervals count templates."
)
SLICES_NOTE = _(
    "A functionality or group whose cases all have one label is told apart from all cases with other labels. "
    "95 % intervals count templates; none where fewer than five templates have, or have not, the positive label."
)
POINT_NOTE = _(
    "Recall: share of the positive cases that is found. False positive rate: share of the others called positive. By "
    "functionality and group: share of cases called positive, right or wrong."
)
MIXED_NOTE = _("How often two labels are taken for each other; AUROC on the cases of these two labels.")
SOFT_NOTE = _(
    "How close the score comes to the share of annotators who chose the positive label: Jensen-Shannon divergence in "
    "bits (0 is equal, 1 is opposite) and cross-entropy in nats, whose lowest possible value is the entropy of the "
    "annotators. 95 % intervals count templates."
)
RATES = {"recall": _("recall"), "false_positive_rate": _("false positive rate"), "precision": _("precision")}


def score_tables(models: Mapping[str, Mapping[str, Any]], names: Names = NO_NAMES) -> list[FigureTable]:
    """Return what scores tell, for the models that give some: overall, AUROC by slice, labels that are mixed up."""
    scored = {
        name: values["discrimination"]
        for name, values in models.items()
        if (values.get("discrimination") or {}).get("overall") and "thresholds" in values["discrimination"]
    }
    found = []
    if scored:
        found.append(_figure_table("scores", _("Scores"), SCORES_NOTE, scored, _score_paths(scored)))
        found.append(_figure_table("auroc", _("AUROC by slice"), SLICES_NOTE, scored, _slice_paths(scored, names)))
    mixed = {name: values["mixed_up_labels"] for name, values in models.items() if values.get("mixed_up_labels")}
    if mixed:
        found.append(_figure_table("mixed", _("Labels that are mixed up"), MIXED_NOTE, mixed, _mixed_paths(mixed)))
    soft = {name: said for name, values in models.items() if (said := values.get("soft_labels") or {}).get("overall")}
    if soft:
        found.append(_figure_table("soft_labels", _("Against the labels of annotators"), SOFT_NOTE, soft, SOFT_PATHS))
    return [table for table in found if table.lines]


def operating_table(points: Mapping[str, Mapping[str, Any]], names: Names = NO_NAMES) -> FigureTable:
    """Return what a chosen threshold gives each model: overall, by functionality and by group."""
    first = next(iter(points.values()))
    positive, share = first["positive"], str(first["prevalence"])
    paths: list[Path] = [
        (title, ("overall", name), name == "false_positive_rate" or None) for name, title in RATES.items()
    ]
    texts = f"{100 * first['prevalence']:g}%"
    said = _("precision if %(share)s of texts are %(label)s", share=texts, label=positive)
    paths.append((said, ("overall", "precision_at_prevalence", share), False))
    for section in ("by_functionality", "by_target"):
        dimension = section.removeprefix("by_")
        for key in names.in_order(dimension, (key for found in points.values() for key in found[section])):
            called = _("called %(label)s: %(slice)s", label=positive, slice=names.of(dimension, key))
            paths.append((called, (section, key, "called_positive"), None))
    cuts = {found["threshold"] for found in points.values()}
    if len(cuts) == 1:
        title = _("At the threshold %(threshold)s", threshold=f"{cuts.pop():g}")
    else:
        title = _("At each model's own threshold")
    return _figure_table("operating_point", title, POINT_NOTE, points, paths)


def language_table(model: str, values: Mapping[str, Any], names: Names = NO_NAMES) -> FigureTable:
    """Return the F1 of each label and macro F1 of one model by language, as table 2 of Multilingual HateCheck."""
    labels = values["settings"]["labels"]
    lines = []
    for key, found in values["by_language"].items():
        figures = [
            *(_with_interval(found["f1"].get(label), _at(found, ("f1_ci95", label))) for label in labels),
            _with_interval(found["macro_f1"], found.get("macro_f1_ci95")),
        ]
        name, shots = names.of("language", key), shots_of(found)
        title = _("%(language)s %(shots)s", language=name, shots=shots) if shots else name
        lines.append(FigureLine(title, tuple(figures), ()))
    heads = (*(_("F1 %(label)s", label=label) for label in labels), _("Macro F1"))
    title = _("F1 by language: %(model)s", model=model)
    return FigureTable("f1_by_language: " + model, title, "", heads, (), tuple(lines))


def group_table(model: str, crossed: Mapping[str, Mapping[str, Any]], names: Names = NO_NAMES) -> FigureTable:
    """Return macro F1 of one model by target group and language, as table 3 of Multilingual HateCheck."""
    heads = tuple(dict.fromkeys(language for cells in crossed.values() for language in cells))
    lines = tuple(
        FigureLine(group, _marked([Figure((cells.get(head) or {}).get("macro_f1")) for head in heads]), ())
        for group, cells in crossed.items()
    )
    shown = tuple(names.of("language", head) for head in heads)
    title = _("Macro F1 by target group and language: %(model)s", model=model)
    return FigureTable("macro_f1_by_group: " + model, title, "", shown, (), lines)


Path = tuple[str, tuple[str, ...], bool | None]  # title, keys, whether the lowest is best; None: no best is marked


SOFT_PATHS: tuple[Path, ...] = (
    (_("Jensen-Shannon divergence"), ("overall", "jensen_shannon"), True),
    (_("cross-entropy"), ("overall", "cross_entropy"), True),
    (_("entropy of the annotators"), ("overall", "entropy"), None),
)


def _figure_table(
    key: str, title: str, note: str, models: Mapping[str, Mapping[str, Any]], paths: Iterable[Path]
) -> FigureTable:
    lines = []
    for line, path, is_lowest_best in paths:
        figures = [_with_interval(_at(values, path), _at(values, _bounds_of(path))) for values in models.values()]
        if any(figure.value is not None for figure in figures):
            marked = tuple(figures) if is_lowest_best is None else _marked(figures, is_lowest_best=is_lowest_best)
            lines.append(FigureLine(line, marked, ()))
    return FigureTable(key, title, note, tuple(models), (), tuple(lines))


def _bounds_of(path: tuple[str, ...]) -> tuple[str, ...]:
    return (*path[:-1], f"{path[-1]}_ci95")


def _score_paths(scored: Mapping[str, Mapping[str, Any]]) -> Iterator[Path]:
    yield _("AUROC"), ("overall", "auroc"), False
    yield _("average precision"), ("overall", "average_precision"), False
    shares = next(iter(scored.values()))["overall"]["at_threshold"]["precision_at_prevalence"]
    for point, said in (("at_threshold", _("at the model's threshold")), ("best_f1", _("where F1 is best"))):
        yield _("threshold, %(point)s", point=said), ("overall", point, "threshold"), None
        for name, rate in RATES.items():
            yield (
                _("%(rate)s, %(point)s", rate=rate, point=said),
                ("overall", point, name),
                name == "false_positive_rate",
            )
        for share in shares:
            texts = f"{float(share):.0%}"
            title = _("precision if %(share)s of texts are positive, %(point)s", share=texts, point=said)
            yield title, ("overall", point, "precision_at_prevalence", share), False


def _slice_paths(scored: Mapping[str, Mapping[str, Any]], names: Names) -> Iterator[Path]:
    for section in ("by_functionality", "by_target"):
        dimension = section.removeprefix("by_")
        for key in names.in_order(dimension, (key for values in scored.values() for key in values[section])):
            yield names.of(dimension, key), (section, key, "auroc"), False


def _mixed_paths(mixed: Mapping[str, Mapping[str, Any]]) -> Iterator[Path]:
    for label, found in next(iter(mixed.values())).items():
        for name in found:
            if name.startswith("called_") and not name.endswith("_ci95"):
                positive = name.removeprefix("called_")
                missed = _("%(label)s called %(other)s", label=positive, other=label)
                yield _("%(label)s called %(other)s", label=label, other=positive), (label, name), True
                yield missed, (label, f"{positive}_called_this"), True
                yield _("AUROC, %(label)s against %(other)s", label=positive, other=label), (label, "auroc"), False
