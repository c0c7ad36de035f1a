"""Figures of several models or splits as dots with their intervals, one row for each kind of figure."""

from collections.abc import Sequence
from typing import Any

from core.charts import LIGHT, Theme
from evaluation.reports.figures import FigureTable
from evaluation.reports.pictures import MOST_MODELS, series_scale

WIDTH, BAND = 420, 11


def figure_dots(table: FigureTable, theme: Theme = LIGHT, *, mark: float | None = None, most: int = MOST_MODELS) -> Any:
    """Draw the lines of a table as series, at most `most`, and its columns as rows; `mark` is a dashed line."""
    import altair

    lines = table.lines[:most]
    rows: list[dict[str, Any]] = [
        {"column": str(head), "series": str(line.title), "value": figure.value,
         "low": figure.value if figure.low is None else figure.low,
         "high": figure.value if figure.high is None else figure.high}
        for line in lines
        for head, figure in zip(table.models, line.figures, strict=True)
        if figure.value is not None
    ]  # fmt: skip
    names = _unique([str(line.title) for line in lines])
    colours, shapes = series_scale(altair, names, theme)
    legend = altair.Legend(orient="top", columns=2)
    y = altair.Y("column:N", sort=[str(head) for head in table.models], title=None)
    about = {
        "y": y,
        "yOffset": altair.YOffset("series:N", sort=names),
        "color": altair.Color("series:N", title=None, scale=colours, legend=legend),
    }
    base = altair.Chart(altair.Data(values=rows))
    unit = altair.Scale(domain=[min([0.0, *(row["low"] for row in rows)]), 1])
    bars = base.mark_rule(strokeWidth=2).encode(
        x=altair.X("low:Q", scale=unit, title=None, axis=altair.Axis(format="%")), x2="high:Q", **about
    )
    dots = base.mark_point(size=62, filled=True, opacity=1).encode(
        x=altair.X("value:Q", scale=unit),
        shape=altair.Shape("series:N", title=None, scale=shapes, legend=legend),
        **about,
    )
    layers = [bars, dots]
    if mark is not None:
        line = altair.Chart(altair.Data(values=[{"x": mark}])).mark_rule(color=theme.soft, strokeDash=[4, 4])
        layers.insert(0, line.encode(x="x:Q"))
    return altair.layer(*layers).properties(width=WIDTH, height=altair.Step(BAND))


def _unique(names: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(names))
