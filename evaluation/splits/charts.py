"""The picture of a split: examples in the plane, coloured by part or by label. Plain values in, SVG out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from core.charts import LIGHT
from evaluation.datasets.files.parts import PART_TITLES

if TYPE_CHECKING:
    from evaluation.splits.algorithm.picture import Point

# The test set, the subject, stands out.
PARTS = {"train": LIGHT.faint, "test": LIGHT.series[1], "independent": LIGHT.series[0]}
LABELS = (*LIGHT.series, LIGHT.soft)
INK = "#59616d"
PART_IN_LEGEND = re.compile(f">({'|'.join(PARTS)})</text>")


def draw_points(points: Sequence[Point], *, colour: str) -> str:
    """Draw a scatter plot as SVG, with a legend; the background is left to the page."""
    import altair as alt
    import vl_convert

    names = [name for name in PARTS if any(point.part == name for point in points)]
    if colour == "label":
        names = sorted({point.label for point in points})
    palette = (
        [PARTS[name] for name in names] if colour == "part" else [LABELS[n % len(LABELS)] for n in range(len(names))]
    )
    # The training set is drawn first, so that the others are not covered by it.
    ordered = sorted(points, key=lambda point: (point.part != "train", point.row))
    rows = [{"x": point.x, "y": point.y, "colour": getattr(point, colour)} for point in ordered]
    chart = (
        alt.Chart(alt.InlineData(values=rows))
        .mark_circle(size=max(14, min(60, 12_000 // max(len(points), 1))), opacity=0.7)
        .encode(
            x=alt.X("x:Q", axis=None, scale=alt.Scale(zero=False)),
            y=alt.Y("y:Q", axis=None, scale=alt.Scale(zero=False)),
            color=alt.Color(
                "colour:N",
                title=None,
                scale=alt.Scale(domain=names, range=palette),
                # One below the other: the words of another language may be longer.
                legend=alt.Legend(
                    orient="bottom",
                    direction="vertical",
                    labelColor=INK,
                    labelFontSize=16,
                    symbolSize=120,
                    symbolOpacity=1,
                ),
            ),
        )
        .properties(width=560, height=380)
        .configure(aria=False, background="transparent", font="sans-serif")
        .configure_view(stroke=None)
    )
    return str(vl_convert.vegalite_to_svg(chart.to_dict()))


def in_words_of_the_reader(svg: str) -> str:
    """Return a picture coloured by part with the names of the parts in the reader's language."""
    return PART_IN_LEGEND.sub(lambda found: f">{escape(str(PART_TITLES[found[1]]))}</text>", svg)
