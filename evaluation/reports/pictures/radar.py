"""The radar: the accuracy on each class of functionalities as a polygon. It shows no intervals: prefer the forest."""

from collections.abc import Mapping
from math import cos, pi, sin
from typing import Any

from core.charts import LIGHT, Theme
from evaluation.reports.names import Names
from evaluation.reports.pictures import series_scale

RADIUS, RINGS = 170, (0.25, 0.5, 0.75, 1.0)
WIDE, HIGH = 2.1, 1.25  # how far the drawing reaches, in radii: words stand beside it
FEWEST = 3  # sides of a polygon


def radar(models: Mapping[str, Mapping[str, Any]], names: Names, theme: Theme = LIGHT) -> Any:
    """Draw one polygon for each model, with a corner for each class that all models were measured on."""
    import altair

    keys = names.in_order("functionality_class", axes(models))
    corners = {key: 2 * pi * place / max(1, len(keys)) for place, key in enumerate(keys)}
    closed = [*keys, *keys[:1]]

    def at(key: str, share: float) -> dict[str, float]:
        return {"x": share * sin(corners[key]), "y": share * cos(corners[key])}

    rings = [
        {"ring": f"{share:.0%}", "place": place, **at(key, share)}
        for share in RINGS
        for place, key in enumerate(closed)
    ]
    spokes = [{"class": key, "place": place, **at(key, share)} for key in keys for place, share in enumerate((0, 1))]
    words: list[dict[str, Any]] = [{"title": str(names.of("functionality_class", key)), **at(key, 1.1)} for key in keys]
    rows = [
        {"model": model, "place": place, **at(key, values["by_class"][key]["accuracy"])}
        for model, values in models.items()
        for place, key in enumerate(closed)
    ]
    x = altair.X("x:Q", scale=altair.Scale(domain=[-WIDE, WIDE]), axis=None)
    y = altair.Y("y:Q", scale=altair.Scale(domain=[-HIGH, HIGH]), axis=None)
    colours, _shapes = series_scale(altair, list(models), theme)

    def chart(values: list[dict[str, Any]]) -> Any:
        return altair.Chart(altair.Data(values=values)).encode(x=x, y=y)

    layers = [
        chart(rings).mark_line(color=theme.grid, strokeWidth=1).encode(detail="ring:N", order="place:Q"),
        chart(spokes).mark_line(color=theme.grid, strokeWidth=1).encode(detail="class:N", order="place:Q"),
        chart([row for row in rings if row["place"] == 0])
        .mark_text(color=theme.soft, align="left", dx=4, fontSize=10)
        .encode(text="ring:N"),
        chart(rows)
        .mark_line(strokeWidth=2.5, point=altair.OverlayMarkDef(size=50, filled=True))
        .encode(
            color=altair.Color("model:N", title=None, scale=colours, legend=altair.Legend(orient="top", columns=2)),
            detail="model:N",
            order="place:Q",
        ),
    ]
    for align, wanted in (("left", 1), ("center", 0), ("right", -1)):
        beside = [word for word in words if _side(word["x"]) == wanted]
        layers.append(chart(beside).mark_text(align=align, color=theme.ink).encode(text="title:N"))
    return altair.layer(*layers).properties(
        width=2 * RADIUS * WIDE, height=2 * RADIUS * HIGH, view=altair.ViewBackground(stroke=None)
    )


def _side(x: float) -> int:
    return 0 if abs(x) < 0.05 else 1 if x > 0 else -1


def axes(models: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return the classes of functionalities that every model was measured on."""
    found = [
        {key for key, line in values.get("by_class", {}).items() if line["accuracy"] is not None}
        for values in models.values()
    ]
    first = next(iter(models.values()), {}).get("by_class", {})
    return [key for key in first if all(key in keys for keys in found)]
