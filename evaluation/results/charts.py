"""Pictures of one model's measures: Vega-Lite made with Altair, drawn to SVG without a browser."""

from collections.abc import Mapping, Sequence
from typing import Any

from core.text import _, pgettext
from evaluation.reports.figures import RATES
from evaluation.reports.names import Names

BLUE, ORANGE, GREY = "#2f6db3", "#c9691c", "#59616d"
POINTS = "datum.value == 0 ? '0' : format(100 * datum.value, '+.0f')"
MIXED = pgettext("gold labels of a slice", "mixed")
SIGNIFICANT, CHANCE = _("significant"), _("may be chance")
GOLD_LABEL = _("Gold label")
FONT = "system-ui, Noto Sans, sans-serif"


def as_svg(chart: Any) -> str:
    """Draw a chart. Importing Altair takes a second, so nothing at start-up may come here.

    Charts hold texts as the reader sees them, hence `str()` wherever a text goes into one.
    """
    import vl_convert

    settled = chart.configure(font=FONT, background="white").configure_axis(
        labelFontSize=12, titleFontSize=12, gridColor="#e4e7eb", labelColor="#1d2430", titleColor=GREY, labelLimit=260
    )
    drawn: str = vl_convert.vegalite_to_svg(settled.to_dict())
    return drawn


def functionality_dots(values: Mapping[str, Any], names: Names) -> Any:
    """Draw the accuracy of each functionality as a dot with its interval, beside a line at one half."""
    import altair

    rows = [
        {"key": str(names.of("functionality", key)), "accuracy": found["accuracy"], "low": found["ci95"][0],
         "high": found["ci95"][1], "gold": found.get("label") or str(MIXED)}
        for key, found in values["by_functionality"].items()
        if found["accuracy"] is not None and found["ci95"]
    ]  # fmt: skip
    return _dots(altair, rows, x_title=_("Accuracy"), domain=(0, 1), rule=0.5, values=values)


def group_gaps(values: Mapping[str, Any]) -> Any:
    """Draw how much better or worse each target group is served than all others together."""
    import altair

    groups = values["gaps"]["target"]["groups"]
    rows = [
        {"key": key, "accuracy": found["difference"], "low": found["ci95"][0], "high": found["ci95"][1],
         "gold": str(SIGNIFICANT if (found["p_holm"] or 1) < 0.05 else CHANCE)}
        for key, found in groups.items()
        if found["ci95"]
    ]  # fmt: skip
    reach = max([0.1, *(abs(row[end]) for row in rows for end in ("low", "high"))])
    title = _("Points of accuracy above or below all other groups")
    return _dots(altair, rows, x_title=title, domain=(-reach, reach), rule=0)


def calibration(values: Mapping[str, Any]) -> Any:
    """Draw the share of positive cases among those with a score, against that score; the diagonal is perfect."""
    import altair

    rows = [
        {"score": found["mean_score"], "share": found["positive_share"], "n": found["n"],
         "low": found["ci95"][0], "high": found["ci95"][1]}
        for found in values["calibration"]["bins"]
        if found["n"]
    ]  # fmt: skip
    unit = altair.Scale(domain=[0, 1])
    data = altair.Data(values=rows)
    diagonal = altair.Chart(altair.Data(values=[{"score": 0, "share": 0}, {"score": 1, "share": 1}])).mark_line(
        color=GREY, strokeDash=[4, 4]
    )
    x = altair.X("score:Q", scale=unit, title=str(_("Mean score")), axis=altair.Axis(format="%"))
    y = altair.Y("share:Q", scale=unit, title=str(_("Share that is positive")), axis=altair.Axis(format="%"))
    bars = altair.Chart(data).mark_rule(color=BLUE).encode(x=x, y=altair.Y("low:Q", title=""), y2="high:Q")
    dots = altair.Chart(data).mark_circle(color=BLUE, opacity=1).encode(x=x, y=y, size=altair.Size("n:Q", legend=None))
    return (diagonal.encode(x="score:Q", y="share:Q") + bars + dots).properties(width=320, height=320)


def score_histogram(values: Mapping[str, Any]) -> Any:
    """Draw how the scores of each gold label's cases are spread."""
    import altair

    edges = values["scores"]["edges"]
    rows = [
        {"from": edges[place], "to": edges[place + 1], "cases": cases, "gold": label}
        for label, found in values["scores"]["labels"].items()
        if found
        for place, cases in enumerate(found["histogram"])
    ]
    colour = altair.Color("gold:N", title=str(GOLD_LABEL), scale=_label_scale(altair, values, rows))
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


def threshold_lines(values: Mapping[str, Any]) -> Any:
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
    scale = altair.Scale(domain=list(kinds.values()), range=[BLUE, ORANGE, GREY])
    lines = altair.Chart(altair.Data(values=rows)).mark_line().encode(
        x=altair.X("threshold:Q", title=str(_("Threshold"))),
        y=altair.Y("share:Q", title=str(_("Share")), scale=altair.Scale(domain=[0, 1]), axis=altair.Axis(format="%")),
        color=altair.Color("measure:N", title=None, scale=scale, legend=altair.Legend(orient="top")),
    )  # fmt: skip
    own = altair.Chart(altair.Data(values=[{"x": found["overall"]["at_threshold"]["threshold"]}]))
    return (lines + own.mark_rule(color=GREY, strokeDash=[4, 4]).encode(x="x:Q")).properties(width=480, height=260)


def confusion(values: Mapping[str, Any]) -> Any:
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
    shade = altair.Color("share:Q", scale=altair.Scale(scheme="blues", domain=[0, 1]), legend=None)
    ink = altair.condition("datum.share > 0.55", altair.value("white"), altair.value("#1d2430"))
    cells = base.mark_rect().encode(color=shade)
    return (cells + base.mark_text(fontSize=14).encode(text=altair.Text("cases:Q", format=",d"), color=ink)).properties(
        width=110 * len(order), height=120
    )


def _dots(
    altair: Any,
    rows: list[dict[str, Any]],
    *,
    x_title: str,
    domain: tuple[float, float],
    rule: float,
    values: Mapping[str, Any] | None = None,
) -> Any:
    scale = altair.Scale(domain=list(domain))
    axis = altair.Axis(format="%") if rule else altair.Axis(labelExpr=POINTS)
    y = altair.Y("key:N", sort=[row["key"] for row in rows], title=None)
    kinds = list(dict.fromkeys(row["gold"] for row in rows))
    palette = _label_scale(altair, values, rows) if values else altair.Scale(domain=kinds, range=[
        BLUE if kind == str(SIGNIFICANT) else "#8c95a1" for kind in kinds
    ])  # fmt: skip
    colour = altair.Color(
        "gold:N", title=str(GOLD_LABEL) if values else None, scale=palette, legend=altair.Legend(orient="top")
    )
    data = altair.Data(values=rows)
    middle = altair.Chart(altair.Data(values=[{"x": rule}])).mark_rule(color=GREY, strokeDash=[4, 4]).encode(x="x:Q")
    bars = altair.Chart(data).mark_rule(strokeWidth=2).encode(
        x=altair.X("low:Q", scale=scale, title=str(x_title), axis=axis), x2="high:Q", y=y, color=colour
    )  # fmt: skip
    dots = (
        altair.Chart(data)
        .mark_circle(size=70, opacity=1)
        .encode(x=altair.X("accuracy:Q", scale=scale), y=y, color=colour)
    )
    return (middle + bars + dots).properties(width=480, height=max(60, 20 * len(rows)))


def _label_scale(altair: Any, values: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> Any:
    """Orange for the positive label, blue for the other, grey where a slice mixes them, if one does."""
    positive = values["settings"]["positive"]
    others = [label for label in values["settings"]["labels"] if label != positive]
    mixed = [str(MIXED)] if any(row["gold"] == str(MIXED) for row in rows) else []
    return altair.Scale(domain=[positive, *others, *mixed], range=[ORANGE, *[BLUE] * len(others), *[GREY] * len(mixed)])
