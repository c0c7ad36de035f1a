"""F1 of several models side by side: of every label, macro, micro; also by language, and macro by target group."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

TITLE = "F1"
NOTE = (
    "Of all cases, then by language and macro F1 by target group; undefined where a label never occurs. "
    "95 % intervals by bootstrap over templates."
)


@dataclass(frozen=True, slots=True)
class Figure:
    """One F1 between 0 and 1; None where it is undefined."""

    value: float | None
    low: float | None = None
    high: float | None = None
    is_best: bool = False
    note: str = ""

    @property
    def printed(self) -> str:
        return "" if self.value is None else f"{self.value:.3f}"


@dataclass(frozen=True, slots=True)
class F1Line:
    title: str
    figures: tuple[Figure, ...]
    baselines: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class F1Table:
    models: tuple[str, ...]
    baselines: tuple[str, ...]
    lines: tuple[F1Line, ...]


def f1_table(models: Mapping[str, Mapping[str, Any]]) -> F1Table:
    """Return the table; lines in which no model has a value are left out."""
    first = next(iter(models.values()))
    labels: list[str] = first["settings"]["labels"]
    lines = []
    for title, path in _paths(models, labels):
        figures = [_figure(values, path) for values in models.values()]
        if any(figure.value is not None for figure in figures):
            lines.append(F1Line(title, _marked(figures), _baselines(models, path, labels)))
    return F1Table(tuple(models), tuple(first["baselines"]), tuple(lines))


def _paths(models: Mapping[str, Mapping[str, Any]], labels: list[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    yield "macro F1", ("overall", "macro_f1")
    yield "micro F1", ("overall", "micro_f1")
    for label in labels:
        yield f"F1 of {label}", ("overall", "f1", label)
    for section in ("by_language", "by_target"):
        keys = dict.fromkeys(key for values in models.values() for key in values.get(section, {}))
        for key in keys if len(keys) > 1 else ():
            yield f"macro F1, {key}", (section, key, "macro_f1")
            for label in labels if section == "by_language" else ():
                yield f"F1 of {label}, {key}", (section, key, "f1", label)


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
    return {"many": "many-shot", "zero": "zero-shot"}.get((found or {}).get("shots") or "", "")


def _baselines(models: Mapping[str, Mapping[str, Any]], path: tuple[str, ...], labels: list[str]) -> tuple[Figure, ...]:
    """Return the same measure of always giving one answer; empty where the composition of the slice was not stored."""
    if path[0] == "overall":
        return tuple(Figure(_at(found, path[1:])) for found in next(iter(models.values()))["baselines"].values())
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


def _marked(figures: list[Figure]) -> tuple[Figure, ...]:
    known = [figure.value for figure in figures if figure.value is not None]
    best = max(known) if len(figures) > 1 else None
    return tuple(replace(figure, is_best=figure.value is not None and figure.value == best) for figure in figures)
