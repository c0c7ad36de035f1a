"""Dumbbells: two models on each functionality, what changed most on top."""

from collections.abc import Mapping
from typing import Any

from core.charts import LIGHT, Theme
from core.text import _
from evaluation.reports.names import Names
from evaluation.reports.pictures import label_of, series_scale

WIDTH, ROW = 460, 20


def dumbbell(comparison: Mapping[str, Any], first: str, second: str, names: Names, theme: Theme = LIGHT) -> Any:
    """Draw both accuracies of each functionality and the line between them; the change stands beside it.

    Strong lines are significant after Holm's correction; pale ones may be chance.
    """
    import altair

    found = {key: line for key, line in comparison["by_functionality"].items() if line["difference"] is not None}
    keys = sorted(found, key=lambda key: -found[key]["difference"])
    rows = [
        {"title": label_of(names, key), "first": line["first"], "second": line["second"],
         "certain": bool(line["is_significant"]),
         "change": _points(-line["difference"]) + (" *" if line["is_significant"] else "")}
        for key, line in ((key, found[key]) for key in keys)
    ]  # fmt: skip
    unit = altair.Scale(domain=[0, 1])
    y = altair.Y("title:N", sort=[row["title"] for row in rows], title=None)
    base = altair.Chart(altair.Data(values=rows))
    strength = altair.condition("datum.certain", altair.value(1), altair.value(0.4))
    title = str(_("Accuracy"))
    lines = base.mark_rule(strokeWidth=3, color=theme.faint).encode(
        x=altair.X("first:Q", scale=unit, title=title, axis=altair.Axis(format="%")), x2="second:Q", y=y,
        opacity=strength,
    )  # fmt: skip
    points = altair.Chart(
        altair.Data(
            values=[
                {"title": row["title"], "model": model, "accuracy": row[at], "certain": row["certain"]}
                for row in rows
                for at, model in (("first", first), ("second", second))
            ]
        )
    )
    colours, shapes = series_scale(altair, [first, second], theme)
    legend = altair.Legend(orient="top", columns=2)
    dots = points.mark_point(size=80, filled=True).encode(
        x=altair.X("accuracy:Q", scale=unit), y=y, opacity=strength,
        color=altair.Color("model:N", title=None, scale=colours, legend=legend),
        shape=altair.Shape("model:N", title=None, scale=shapes, legend=legend),
    )  # fmt: skip
    changes = base.mark_text(align="left", fontSize=11).encode(
        x=altair.value(WIDTH + 10), y=y, text="change:N",
        color=altair.condition("datum.certain", altair.value(theme.ink), altair.value(theme.soft)),
    )  # fmt: skip
    said = str(_("Change in percentage points; * significant after Holm’s correction, tested over templates."))
    return (lines + dots + changes).properties(
        width=WIDTH, height=max(40, ROW * len(rows)), title=altair.TitleParams(said, fontWeight="normal", fontSize=12)
    )


def _points(change: float) -> str:
    shown = f"{100 * change:+.1f}"
    return "0.0" if shown in ("+0.0", "-0.0") else shown.replace("-", "–")
