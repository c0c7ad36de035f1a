"""Plots as SVG, drawn on the server."""

from collections.abc import Sequence
from typing import Any

from core.charts import LIGHT, as_svg
from core.drawings import hidden_drawing
from core.text import _

COLOURS = list(LIGHT.series[:2])
LETTERS = 14  # large ones: on a phone the drawing shrinks to half its size


def draw_measures(result: dict[str, Any], names: Sequence[str] = ()) -> str:
    """Draw the measures between 0 and 1 as bars, two sets side by side, with one standard deviation where known.

    `names` are those of the sets in the reader's language.
    """
    import altair

    labels = _labels(result, names)
    rows = [
        {
            "measure": measure["name"],
            "set": labels[index],
            "value": value,
            "low": value - deviation,
            "high": value + deviation,
        }
        for measure in result["measures"]
        if measure["name"].startswith(("self-BLEU", "distinct"))
        for index, value in enumerate(measure["values"])
        if value is not None
        for deviation in [measure.get("deviations", [0.0, 0.0])[index]]
    ]
    measures = [measure["name"] for measure in result["measures"]]
    base = altair.Chart(altair.Data(values=rows)).encode(
        x=altair.X("measure:N", sort=measures, title=None, axis=altair.Axis(labelAngle=0)), xOffset="set:N"
    )
    bars = base.mark_bar().encode(
        y=altair.Y("value:Q", title=str(_("share")), scale=altair.Scale(domain=[0, 1])),
        color=altair.Color("set:N", title=None, scale=altair.Scale(range=COLOURS), legend=altair.Legend(orient="top")),
    )
    spread = base.mark_rule(color="#333333").encode(y="low:Q", y2="high:Q")
    return hidden_drawing(as_svg((bars + spread).properties(width=620, height=300), letters=LETTERS))


def draw_perplexities(result: dict[str, Any], names: Sequence[str] = ()) -> str:
    """Draw the perplexities of single texts as boxes on a logarithmic scale; "" where there are none.

    `names` are those of the sets in the reader's language.
    """
    labels = _labels(result, names)
    samples: list[list[float]] = next((item["samples"] for item in result["measures"] if item.get("samples")), [])
    rows = [{"set": labels[index], "perplexity": value} for index, values in enumerate(samples) for value in values]
    if not rows:
        return ""
    import altair

    title = str(_("perplexity of single texts (logarithmic)"))
    chart = (
        altair.Chart(altair.Data(values=rows))
        .mark_boxplot(size=36, opacity=0.85, outliers={"opacity": 0.35, "size": 14}, median={"color": "#111111"})
        .encode(
            x=altair.X("perplexity:Q", scale=altair.Scale(type="log"), title=title),
            y=altair.Y("set:N", title=None, axis=altair.Axis(labels=False, ticks=False)),
            color=altair.Color(
                "set:N",
                title=None,
                scale=altair.Scale(range=COLOURS),
                legend=altair.Legend(orient="top", symbolType="square", symbolOpacity=1),
            ),
        )
        .properties(width=620, height=130)
    )
    return hidden_drawing(as_svg(chart, letters=LETTERS))


def _labels(result: dict[str, Any], names: Sequence[str]) -> list[str]:
    found = names or [item["name"] for item in result["sets"]]
    return [f"{letter}: {name}" for letter, name in zip("AB", found, strict=False)]
