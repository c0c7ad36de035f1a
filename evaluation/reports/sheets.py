"""One table of figures, with its picture, as LaTeX, PDF, SVG or PNG: for attacks and experiments with splits."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from core.charts import FORMS, draw
from core.errors import Missing
from core.text import _
from evaluation.reports.figures import FigureTable
from evaluation.reports.latex import as_latex_figures
from evaluation.reports.pdf import as_pdf

SHEETS = {
    "tex": "application/x-tex; charset=utf-8",
    "pdf": "application/pdf",
    "png": FORMS["png"],
    "svg": FORMS["svg"],
}


@dataclass(frozen=True, slots=True)
class Sheet:
    """What is printed: a title, what the figures can be traced to, the table, and how its picture is drawn."""

    title: str
    facts: Mapping[str, str]
    table: FigureTable
    chart: Callable[[], Any]


def write_sheet(sheet: Sheet, form: str) -> bytes:
    """Return a sheet in one of the forms of SHEETS. Refuses others."""
    if form not in SHEETS:
        raise Missing(_("There is no format '%(format)s'. Choose from: %(known)s.", format=form, known=list(SHEETS)))
    if form == "tex":
        return as_latex_figures(sheet.title, sheet.facts, [sheet.table]).encode()
    if form == "png":
        return draw(sheet.chart(), "png")
    svg = draw(sheet.chart(), "svg")
    if form == "svg":
        return svg
    charts = {sheet.table.title: svg.decode()}
    return as_pdf("", sheet.facts, [], [sheet.table], charts=charts, title=sheet.title)
