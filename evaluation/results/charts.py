"""Charts of one model beside those of `evaluation.reports.pictures`: gaps, scores, thresholds, confusion."""

from collections.abc import Mapping
from typing import Any

from core.charts import LIGHT, Theme
from core.text import _
from evaluation.reports.figures import RATES
from evaluation.reports.pictures.forest import GOLD_LABEL, label_scale

POINTS = "datum.value == 0 ? '0' : format(100 * datum.value, '+.0f')"
SIGNIFICANT, CHANCE = _("significant"), _("may be chance")


def group_gaps(values: Mapping[str, Any], theme: Theme = LIGHT) -> Any:
    """Draw how much better or worse each target group is served than all others together."""
    import altair

    groups = values["gaps"]["target"]["groups"]
    rows = [
        {"key": key, "difference": found["difference"], "low": found["ci95"][0], "high": found["ci95"][1],
         "kind": str(SIGNIFICANT if (found["p_holm"] or 1) < 0.05 else CHANCE)}
        for key, found in groups.items()
        if found["ci95"]
    ]  # fmt: skip
    reach = max([0.1, *(abs(row[end]) for row in rows for end in ("low", "high"))])
    title = _("Points of accuracy above or below all other groups")
    scale = altair.Scale(domain=[-reach, reach])
    kinds = list(dict.fromkeys(row["kind"] for row in rows))
    colours = [theme.blue if kind == str(SIGNIFICANT) else theme.faint for kind in kinds]
    y = altair.Y("key:N", sort=[row["key"] for row in rows], title=None)
    colour = altair.Color(
        "kind:N", title=None, scale=altair.Scale(domain=kinds, range=colours), legend=altair.Legend(orient="top")
    )
    base = altair.Chart(altair.Data(values=rows))
    middle = altair.Chart(altair.Data(values=[{"x": 0}])).mark_rule(color=theme.soft, strokeDash=[4, 4]).encode(x="x:Q")
    bars = base.mark_rule(strokeWidth=2).encode(
        x=altair.X("low:Q", scale=scale, title=str(title), axis=altair.Axis(labelExpr=POINTS)), x2="high:Q", y=y,
        color=colour,
    )  # fmt: skip
    dots = base.mark_circle(size=70, opacity=1).encode(x=altair.X("difference:Q", scale=scale), y=y, color=colour)
    return (middle + bars + dots).properties(width=480, height=max(60, 20 * len(rows)))


def score_histogram(values: Mapping[str, Any], theme: Theme = LIGHT) -> Any:
    """Draw how the scores of each gold label's cases are spread."""
    import altair

    edges = values["scores"]["edges"]
    rows = [
        {"from": edges[place], "to": edges[place + 1], "cases": cases, "gold": label}
        for label, found in values["scores"]["labels"].items()
        if found
        for place, cases in enumerate(found["histogram"])
    ]
    colour = altair.Color("gold:N", title=str(GOLD_LABEL), scale=label_scale(altair, values, rows, theme))
    return (
        altair.Chart(altair.Data(values=rows))
        .mark_bar(opacity=0.75)
        .encode(
            x=altair.X("from:Q", bin="binned", title=str(_("Score for the positive label"))),
            x2="to:Q",
            y=altair.Y("cases:Q", title=str(_("Cases")), stack=None),
            color=colour,
        )
        .properties(width=520, height=220)
    )


def threshold_lines(values: Mapping[str, Any], theme: Theme = LIGHT) -> Any:
    """Draw recall, false positive rate and precision at each threshold, with a line at the model's own."""
    import altair

    found = values["discrimination"]
    kinds = {name: str(title) for name, title in RATES.items()}
    rows = [
        {"threshold": point["threshold"], "share": point[name], "measure": title}
        for point in found["sweep"]
        for name, title in kinds.items()
        if point[name] is not None
    ]
    scale = altair.Scale(domain=list(kinds.values()), range=[theme.blue, theme.orange, theme.soft])
    lines = altair.Chart(altair.Data(values=rows)).mark_line().encode(
        x=altair.X("threshold:Q", title=str(_("Threshold"))),
        y=altair.Y("share:Q", title=str(_("Share")), scale=altair.Scale(domain=[0, 1]), axis=altair.Axis(format="%")),
        color=altair.Color("measure:N", title=None, scale=scale, legend=altair.Legend(orient="top")),
    )  # fmt: skip
    own = altair.Chart(altair.Data(values=[{"x": found["overall"]["at_threshold"]["threshold"]}]))
    return (lines + own.mark_rule(color=theme.soft, strokeDash=[4, 4]).encode(x="x:Q")).properties(
        width=480, height=260
    )


def confusion(values: Mapping[str, Any], theme: Theme = LIGHT) -> Any:
    """Gold label by answer, the share of each row as shade and the number in the cell."""
    import altair

    unanswered = str(_("unanswered"))
    rows = [
        {"gold": gold, "answer": unanswered if answer == "unanswered" else answer, "cases": cases,
         "share": cases / max(1, sum(row.values()))}
        for gold, row in values["confusion"].items()
        for answer, cases in row.items()
        if answer != "unanswered" or any(other["unanswered"] for other in values["confusion"].values())
    ]  # fmt: skip
    order = list(dict.fromkeys(row["answer"] for row in rows))
    base = altair.Chart(altair.Data(values=rows)).encode(
        x=altair.X("answer:N", title=str(_("The model said")), sort=order, axis=altair.Axis(labelAngle=0)),
        y=altair.Y("gold:N", title=str(GOLD_LABEL), sort=order),
    )
    shade = altair.Color(
        "share:Q",
        scale=altair.Scale(range=[theme.ramp[1], theme.ramp[0]], domain=[0, 1], interpolate="lab"),
        legend=None,
    )
    ink = altair.condition("datum.share > 0.45", altair.value(theme.on_ramp[0]), altair.value(theme.on_ramp[1]))
    cells = base.mark_rect().encode(color=shade)
    return (cells + base.mark_text(fontSize=14).encode(text=altair.Text("cases:Q", format=",d"), color=ink)).properties(
        width=110 * len(order), height=120
    )
