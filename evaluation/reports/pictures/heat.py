"""The heat map: accuracy by functionality and target group, one panel for each language and model."""

from collections.abc import Mapping
from typing import Any

from core.charts import LIGHT, Theme
from core.text import _
from evaluation.metrics.crossing import Crossed
from evaluation.reports.names import Names
from evaluation.reports.pictures import label_of

CELL, ROW = 46, 22
ACROSS = 3  # panels side by side
PALE = 0.55  # from here on letters are those of the unremarkable end


def heatmap(panels: Mapping[str, Crossed], names: Names, theme: Theme = LIGHT) -> Any:
    """Draw the accuracy of each functionality on each group; failures are what stands out.

    `panels` are results by functionality and group, by title. A pair without a case has no cell.
    """
    import altair

    rows = [
        {"panel": title, "functionality": label_of(names, key), "group": group,
         "share": cell["accuracy"], "shown": f"{100 * cell['accuracy']:.0f}"}
        for title, found in panels.items()
        for key in names.in_order("functionality", found)
        for group, cell in found[key].items()
        if cell["accuracy"] is not None
    ]  # fmt: skip
    known = [key for found in panels.values() for key in found]
    functionalities = [label_of(names, key) for key in names.in_order("functionality", known)]
    groups = list(dict.fromkeys(row["group"] for row in rows))
    base = altair.Chart(altair.Data(values=rows)).encode(
        x=altair.X("group:N", sort=groups, title=None, axis=altair.Axis(orient="top", labelAngle=-40, labelLimit=160)),
        y=altair.Y("functionality:N", sort=functionalities, title=None),
    )
    shade = altair.Color(
        "share:Q",
        title=str(_("Accuracy")),
        scale=altair.Scale(domain=[0, 1], range=list(theme.ramp), interpolate="lab"),
        legend=altair.Legend(format="%", orient="bottom", direction="horizontal"),
    )
    failed, fine = theme.on_ramp
    ink = altair.condition(f"datum.share < {PALE}", altair.value(failed), altair.value(fine))
    cells = base.mark_rect(stroke=theme.paper, strokeWidth=2).encode(color=shade)
    drawn = (cells + base.mark_text(fontSize=11).encode(text="shown:N", color=ink)).properties(
        width=CELL * max(1, len(groups)), height=ROW * max(1, len(functionalities))
    )
    if len(panels) == 1:
        return drawn
    header = altair.Header(title=None, labelFontWeight="bold", labelAnchor="start")
    return drawn.facet(facet=altair.Facet("panel:N", sort=list(panels), header=header), columns=ACROSS)
