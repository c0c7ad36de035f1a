"""The reliability diagram: how often texts with a score are positive, against that score."""

from collections.abc import Mapping
from typing import Any

from core.charts import LIGHT, Theme
from core.text import _

SIDE, ACROSS = 300, 3


def reliability(models: Mapping[str, Mapping[str, Any]], theme: Theme = LIGHT) -> Any:
    """Draw the share of positive cases among those with a score, with its interval; the diagonal is perfect.

    Dots are as large as the cases they stand for are many. Models that give no scores have no panel.
    """
    import altair

    rows = [
        {"model": model, "score": found["mean_score"], "share": found["positive_share"], "n": found["n"],
         "low": found["ci95"][0], "high": found["ci95"][1]}
        for model, values in models.items()
        for found in values.get("calibration", {}).get("bins", ())
        if found["n"]
    ]  # fmt: skip
    shown = list(dict.fromkeys(row["model"] for row in rows))
    unit = altair.Scale(domain=[0, 1])
    x = altair.X("score:Q", scale=unit, title=str(_("Mean score")), axis=altair.Axis(format="%"))
    y_title = str(_("Share that is positive"))
    base = altair.Chart()
    diagonal = altair.Chart(altair.Data(values=[{"score": 0, "share": 0}, {"score": 1, "share": 1}])).mark_line(
        color=theme.soft, strokeDash=[4, 4]
    )
    bars = base.mark_rule(color=theme.blue, strokeWidth=2).encode(
        x=x, y=altair.Y("low:Q", scale=unit, title=y_title, axis=altair.Axis(format="%")), y2="high:Q"
    )
    dots = base.mark_circle(color=theme.blue, opacity=1).encode(
        x=x, y=altair.Y("share:Q", scale=unit), size=altair.Size("n:Q", legend=None)
    )
    layers = [diagonal.encode(x=altair.X("score:Q", scale=unit), y=altair.Y("share:Q", scale=unit)), bars, dots]
    drawn = altair.layer(*layers, data=altair.Data(values=rows)).properties(width=SIDE, height=SIDE)
    if len(shown) < 2:
        return drawn
    header = altair.Header(title=None, labelFontWeight="bold", labelAnchor="start")
    return drawn.facet(facet=altair.Facet("model:N", sort=shown, header=header), columns=ACROSS)
