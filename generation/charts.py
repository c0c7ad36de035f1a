"""Plots as SVG, drawn on the server."""

from __future__ import annotations

from typing import Any


def draw_measures(result: dict[str, Any]) -> str:
    """Bars of the measures between 0 and 1, two sets side by side, with one standard deviation where there is one."""
    import altair
    import vl_convert

    rows = [
        {
            "measure": measure["name"],
            "set": f"{'AB'[index]}: {result['sets'][index]['name']}",
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
    names = [measure["name"] for measure in result["measures"]]
    base = altair.Chart(altair.Data(values=rows)).encode(
        x=altair.X("measure:N", sort=names, title=None, axis=altair.Axis(labelAngle=0)), xOffset="set:N"
    )
    bars = base.mark_bar().encode(
        y=altair.Y("value:Q", title="share", scale=altair.Scale(domain=[0, 1])),
        color=altair.Color(
            "set:N", title=None, scale=altair.Scale(range=["#0072b2", "#d55e00"]), legend=altair.Legend(orient="top")
        ),
    )
    spread = base.mark_rule(color="#333333").encode(y="low:Q", y2="high:Q")
    chart = (bars + spread).properties(width=620, height=260)
    svg: str = vl_convert.vegalite_to_svg(chart.to_json())
    return svg
