"""The forest plot: the accuracy of each functionality with its interval, for one model or several."""

from collections.abc import Mapping
from typing import Any

from core.charts import LIGHT, Theme
from core.text import _, pgettext
from evaluation.reports.names import Names
from evaluation.reports.pictures import class_titles, label_of, series_scale

MIXED = pgettext("gold labels of a slice", "mixed")
GOLD_LABEL = _("Gold label")
WIDTH, ROW, BAND = 460, 20, 9  # units; a row of several models has a band for each


def forest(models: Mapping[str, Mapping[str, Any]], names: Names, theme: Theme = LIGHT) -> Any:
    """Draw a dot with its interval for each functionality, by class, beside a line at one half.

    One model has the colours of the gold labels and figures beside the dots; several have a colour and a shape each.
    """
    import altair

    classes = class_titles(names, models)
    rows = [
        {"model": model, "title": label_of(names, key), "class": classes[key], "accuracy": found["accuracy"],
         "low": found["ci95"][0], "high": found["ci95"][1], "gold": found.get("label") or str(MIXED),
         "figures": _figures(found)}
        for model, values in models.items()
        for key in classes
        if (found := values["by_functionality"].get(key)) and found["accuracy"] is not None and found["ci95"]
    ]  # fmt: skip
    order = list(dict.fromkeys(row["title"] for row in rows))
    is_alone = len(models) == 1
    unit = altair.Scale(domain=[0, 1])
    y = altair.Y("title:N", sort=order, title=None)
    if is_alone:
        ((_model, values),) = models.items()
        colour = altair.Color(
            "gold:N",
            title=str(GOLD_LABEL),
            scale=label_scale(altair, values, rows, theme),
            legend=altair.Legend(orient="top"),
        )
        encoded: dict[str, Any] = {"y": y, "color": colour}
        shaped: dict[str, Any] = {}
    else:
        colours, shapes = series_scale(altair, list(models), theme)
        legend = altair.Legend(orient="top", columns=2)
        colour = altair.Color("model:N", title=None, scale=colours, legend=legend)
        encoded = {"y": y, "color": colour, "yOffset": altair.YOffset("model:N", sort=list(models))}
        shaped = {"shape": altair.Shape("model:N", title=None, scale=shapes, legend=legend)}
    base = altair.Chart()
    axis = altair.Axis(format="%", grid=True)
    bars = base.mark_rule(strokeWidth=2).encode(
        x=altair.X("low:Q", scale=unit, title=str(_("Accuracy")), axis=axis), x2="high:Q", **encoded
    )
    dots = base.mark_point(size=62, filled=True, opacity=1).encode(
        x=altair.X("accuracy:Q", scale=unit), **encoded, **shaped
    )
    half = base.mark_rule(color=theme.soft, strokeDash=[4, 4]).encode(x=altair.datum(0.5))
    layers = [half, bars, dots]
    if is_alone:
        told = base.mark_text(align="left", color=theme.soft, fontSize=11)
        layers.append(told.encode(x=altair.value(WIDTH + 10), y=y, text="figures:N"))
    drawn = altair.layer(*layers, data=altair.Data(values=rows)).properties(
        width=WIDTH, height=altair.Step(ROW if is_alone else BAND)
    )
    if not any(classes.values()):
        return drawn
    header = altair.Header(
        labelOrient="top", labelAnchor="start", labelAngle=0, labelFontWeight="bold", title=None, labelPadding=2
    )
    shown = list(dict.fromkeys(row["class"] for row in rows))
    return drawn.facet(row=altair.Row("class:N", sort=shown, header=header), spacing=6).resolve_scale(y="independent")


def label_scale(altair: Any, values: Mapping[str, Any], rows: list[dict[str, Any]], theme: Theme) -> Any:
    """Orange for the positive label, blue for the other, grey where a slice mixes them, if one does."""
    positive = values["settings"]["positive"]
    others = [label for label in values["settings"]["labels"] if label != positive]
    mixed = [str(MIXED)] if any(row["gold"] == str(MIXED) for row in rows) else []
    colours = [theme.orange, *[theme.blue] * len(others), *[theme.soft] * len(mixed)]
    return altair.Scale(domain=[positive, *others, *mixed], range=colours)


def _figures(found: Mapping[str, Any]) -> str:
    low, high = (round(100 * bound) for bound in found["ci95"])
    counted = f"{found['n']:,}" + (f" / {found['templates']:,}" if found.get("templates") else "")
    return f"{100 * found['accuracy']:.1f} ({low}–{high}) · {counted}"
