"""The pictures of a campaign: Vega-Lite made with Altair, drawn to SVG on the server. Plain values in, text out.

Text and lines take the colour of the page, so that one drawing serves light and dark. Words and numbers are those of
the reader's language.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from django.utils.dates import MONTHS, MONTHS_3, WEEKDAYS, WEEKDAYS_ABBR
from django.utils.formats import get_format

from core.drawings import hidden_drawing
from core.text import _
from ui.numbers import percent_sign

if TYPE_CHECKING:
    import altair

TEAL = "#2a8f86"
ORANGE = "#d9781e"
INK = "currentColor"
WIDTH = 520
ROW = 19
MOST_PATTERNS = 12


def kappa_by_functionality(parts: Mapping[str, Mapping[str, Any]]) -> str:
    """Kappa of each functionality, named as in the mapping, with its interval; "undefined" where there is none."""
    import altair as alt

    rows = [
        {
            "functionality": key,
            "kappa": part["fleiss_kappa"],
            "low": (part["fleiss_kappa_ci95"] or [None, None])[0],
            "high": (part["fleiss_kappa_ci95"] or [None, None])[1],
        }
        for key, part in parts.items()
    ]
    known = [row for row in rows if row["kappa"] is not None]
    unknown = [row for row in rows if row["kappa"] is None]
    lowest = min([0.0, *(row["kappa"] for row in known), *(row["low"] for row in known if row["low"] is not None)])
    where = alt.Y("functionality:N", sort=list(parts), title=None, axis=alt.Axis(labelLimit=300))
    axis = str(_("Fleiss’ kappa with its 95% interval over templates"))
    across = alt.Scale(domain=[max(-1.0, lowest), 1.0])
    layers = [
        alt.Chart(_data(known)).mark_rule(color=TEAL, strokeWidth=2, opacity=0.6).encode(
            y=where, x=alt.X("low:Q", scale=across, title=axis), x2="high:Q"
        ),
        alt.Chart(_data(known)).mark_circle(color=TEAL, size=55, opacity=1).encode(
            y=where, x=alt.X("kappa:Q", scale=across)
        ),
        alt.Chart(_data(unknown)).mark_text(align="left", color=INK, opacity=0.7, dx=4, fontStyle="italic").encode(
            y=where, x=alt.datum(max(-1.0, lowest), type="quantitative"), text=alt.value(str(_("undefined")))
        ),
    ]  # fmt: skip
    shown = [layer for layer, used in zip(layers, (known, known, unknown), strict=True) if used]
    return _draw(alt.layer(*shown).properties(width=WIDTH, height=max(60, ROW * len(rows))))


def vote_distribution(votes: Sequence[tuple[Sequence[int], int]], labels: Sequence[str]) -> str:
    """How many cases have each pattern of votes, such as 5 to 0."""
    import altair as alt

    most = sorted(votes, key=lambda vote: -vote[1])[:MOST_PATTERNS]
    rows = [{"pattern": " : ".join(map(str, pattern)), "cases": cases} for pattern, cases in most]
    where = alt.Y("pattern:N", sort=[str(row["pattern"]) for row in rows], title=_votes_title(labels))
    bars = alt.Chart(_data(rows)).mark_bar(color=TEAL, height={"band": 0.7}).encode(
        y=where, x=alt.X("cases:Q", title=str(_("Cases")), axis=alt.Axis(tickMinStep=1))
    )  # fmt: skip
    numbers = (
        alt.Chart(_data(rows)).mark_text(align="left", dx=4, color=INK).encode(y=where, x="cases:Q", text="cases:Q")
    )
    return _draw((bars + numbers).properties(width=WIDTH - 140, height=max(60, 24 * len(rows))))


def annotator_scatter(people: Sequence[Mapping[str, Any]]) -> str:
    """Each annotator against gold and against the others; those who stand out are named."""
    import altair as alt

    rows = [one for one in people if one["with_gold"] is not None and one["with_majority"] is not None]
    if not rows:
        return ""
    lowest = min(min(one["with_gold"], one["with_majority"]) for one in rows)
    low = max(0.0, lowest - 0.05)
    scale = alt.Scale(domain=[low, 1.0])
    share = alt.Axis(format="%")
    points = [
        {"name": one["annotator"], "gold": one["with_gold"], "others": one["with_majority"], "labels": one["labels"],
         "stands_out": one["is_outlier"]}
        for one in rows
    ]  # fmt: skip
    dots = alt.Chart(_data(points)).mark_circle(opacity=0.85).encode(
        x=alt.X("others:Q", scale=scale, axis=share, title=str(_("Agrees with the majority of the others"))),
        y=alt.Y("gold:Q", scale=scale, axis=share, title=str(_("Agrees with gold"))),
        size=alt.Size("labels:Q", legend=None, scale=alt.Scale(range=[50, 260])),
        color=alt.condition("datum.stands_out", alt.value(ORANGE), alt.value(TEAL)),
    )  # fmt: skip
    names = [point for point in points if point["stands_out"]] or (points if len(points) <= 12 else [])
    middle = (low + 1.0) / 2
    layers = [dots]
    for is_right in (True, False):
        chosen = [point for point in names if (point["others"] >= middle) is is_right]
        text = alt.Chart(_data(chosen)).mark_text(
            align="right" if is_right else "left", dx=-9 if is_right else 9, fontSize=10, color=INK
        )
        layers += [text.encode(x="others:Q", y="gold:Q", text="name:N")] if chosen else []
    return _draw(alt.layer(*layers).properties(width=WIDTH - 120, height=280))


def kappa_over_time(points: Sequence[Mapping[str, Any]]) -> str:
    """Kappa of the labels given until then, by how many they were."""
    import altair as alt

    rows = [point for point in points if point["kappa"] is not None]
    if len(rows) < 2:
        return ""
    line = alt.Chart(_data(rows)).mark_line(color=TEAL, point={"color": TEAL, "filled": True, "size": 40}).encode(
        x=alt.X("labels:Q", title=str(_("Labels")), scale=alt.Scale(zero=False), axis=alt.Axis(tickCount=5)),
        y=alt.Y("kappa:Q", title=str(_("Fleiss’ kappa")), scale=alt.Scale(zero=False)),
    )  # fmt: skip
    return _draw(line.properties(width=WIDTH - 80, height=200))


def labels_per_day(days: Sequence[tuple[Any, int]]) -> str:
    """How many labels were given each day."""
    import altair as alt

    rows = [{"day": day.isoformat(), "labels": labels} for day, labels in days]
    if len(rows) < 2:
        return ""
    bars = alt.Chart(_data(rows)).mark_bar(color=TEAL).encode(
        x=alt.X("yearmonthdate(day):T", title=None, axis=alt.Axis(format="%d %b", tickCount=6)),
        y=alt.Y("labels:Q", title=str(_("Labels per day"))),
    )  # fmt: skip
    return _draw(bars.properties(width=WIDTH - 80, height=160))


def _votes_title(labels: Sequence[str]) -> str:
    return str(_("Votes (%(labels)s)", labels=" : ".join(labels)))


def _data(rows: Sequence[Mapping[str, Any]]) -> altair.InlineData:
    import altair as alt

    return alt.InlineData(values=[dict(row) for row in rows])


def _draw(chart: Any) -> str:
    import vl_convert

    axis = {
        "labelColor": INK, "titleColor": INK, "domainColor": INK, "tickColor": INK, "gridColor": INK,
        "gridOpacity": 0.12, "domainOpacity": 0.5, "tickOpacity": 0.5, "titleFontWeight": "normal",
    }  # fmt: skip
    drawn = chart.configure(background="transparent", font="sans-serif", aria=False).configure_axis(**axis)
    numbers, dates = _formats()
    spec = drawn.configure_view(stroke=None).to_dict()
    svg = str(vl_convert.vegalite_to_svg(spec, format_locale=numbers, time_format_locale=dates))
    return hidden_drawing(svg)


def _formats() -> tuple[dict[str, Any], dict[str, Any]]:
    """Return how numbers and dates are written, as d3 takes it."""
    numbers = {
        "decimal": get_format("DECIMAL_SEPARATOR"), "thousands": get_format("THOUSAND_SEPARATOR"), "grouping": [3],
        "currency": ["", ""], "percent": percent_sign(),
    }  # fmt: skip
    from_sunday = (6, 0, 1, 2, 3, 4, 5)
    dates = {
        "dateTime": "%x %X", "date": "%Y-%m-%d", "time": "%H:%M:%S", "periods": ["AM", "PM"],
        "days": [str(WEEKDAYS[day]) for day in from_sunday],
        "shortDays": [str(WEEKDAYS_ABBR[day]) for day in from_sunday],
        "months": [str(name) for name in MONTHS.values()],
        "shortMonths": [_short_month(number) for number in MONTHS_3],
    }  # fmt: skip
    return numbers, dates


def _short_month(number: int) -> str:
    """Return a short name; Django's English ones are in lower case, which other languages may want and English not."""
    name, full = str(MONTHS_3[number]), str(MONTHS[number])
    return name.capitalize() if full[:1].isupper() else name
