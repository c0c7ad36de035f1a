"""How every chart looks: one theme for light and one for dark paper, and drawing to SVG, PDF and PNG.

The colours are those of Okabe and Ito, which people with any colour vision tell apart; lightness differs too, so that
they also differ in a black-and-white print.
"""

from dataclasses import dataclass
from typing import Any, Literal

from core.drawings import hidden_drawing

Form = Literal["svg", "pdf", "png"]
FORMS: dict[str, str] = {"svg": "image/svg+xml", "pdf": "application/pdf", "png": "image/png"}
FONT = "system-ui, Noto Sans, sans-serif"
SHARPNESS = 2.5  # pixels of a PNG for each unit: 240 dots per inch
LABEL_LIMIT = 420  # the longest label of an axis, in units; longer ones are cut


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of a chart. `ramp` is a heat map from what a reader looks for to what is unremarkable."""

    name: str
    paper: str
    ink: str
    soft: str
    grid: str
    faint: str
    blue: str
    orange: str
    series: tuple[str, ...]
    ramp: tuple[str, str]
    on_ramp: tuple[str, str]


LIGHT = Theme(
    "light",
    paper="white",
    ink="#1d2430",
    soft="#59616d",
    grid="#e4e7eb",
    faint="#8c95a1",
    blue="#2f6db3",
    orange="#c9691c",
    series=("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#7a5c00", "#56b4e9"),
    ramp=("#0b3a66", "#eef4fa"),
    on_ramp=("white", "#1d2430"),
)
DARK = Theme(
    "dark",
    paper="#141618",
    ink="#e8e8e4",
    soft="#b6b9bc",
    grid="#32373c",
    faint="#7b8188",
    blue="#6aaee8",
    orange="#f0964a",
    series=("#56b4e9", "#f0964a", "#2fbf94", "#e3a3c7", "#f0e442", "#b3c7ff"),
    ramp=("#bfe0ff", "#1f2c38"),
    on_ramp=("#10202e", "#e8e8e4"),
)
# Takes the colours of the page it stands in, so that one drawing serves both; only for SVG inside HTML.
PAGE = Theme(
    "page",
    paper="transparent",
    ink="currentColor",
    soft="currentColor",
    grid="currentColor",
    faint="#8c95a1",
    blue="#2a8f86",
    orange="#d9781e",
    series=("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"),
    ramp=("#0b3a66", "#eef4fa"),
    on_ramp=("white", "#1d2430"),
)
THEMES = {theme.name: theme for theme in (LIGHT, DARK)}


def themed(chart: Any, theme: Theme = LIGHT, *, letters: int = 12) -> dict[str, Any]:
    """Return a chart of Altair as Vega-Lite in a theme. `letters` is the size of the words."""
    axis = {
        "labelFontSize": letters, "titleFontSize": letters, "labelLimit": LABEL_LIMIT, "labelColor": theme.ink,
        "titleColor": theme.soft, "gridColor": theme.grid, "domainColor": theme.faint, "tickColor": theme.faint,
        "titleFontWeight": "normal",
    }  # fmt: skip
    words = {"labelFontSize": letters, "labelColor": theme.ink, "titleColor": theme.soft, "labelLimit": 400}
    title = {"color": theme.ink, "subtitleColor": theme.soft, "anchor": "start", "fontSize": letters + 2}
    if theme is PAGE:
        axis |= {
            "gridOpacity": 0.12,
            "domainOpacity": 0.5,
            "tickOpacity": 0.5,
            "domainColor": theme.ink,
            "tickColor": theme.ink,
        }
    settled = (
        chart.configure(font=FONT, background=theme.paper, aria=theme is not PAGE)
        .configure_axis(**axis)
        .configure_legend(titleFontSize=letters, **words)
        .configure_header(titleFontSize=letters, **words)
        .configure_title(subtitleFontSize=letters, **title)
        .configure_view(stroke=None if theme is PAGE else theme.grid)
    )
    spec: dict[str, Any] = settled.to_dict()
    return spec


def as_svg(chart: Any, theme: Theme = LIGHT, *, letters: int = 12, **locale: Any) -> str:
    """Draw a chart without a browser. Importing what draws takes a second, so nothing at start-up may come here.

    Charts hold texts as the reader sees them, hence `str()` wherever a text goes into one.
    """
    import vl_convert

    svg = str(vl_convert.vegalite_to_svg(themed(chart, theme, letters=letters), **locale))
    return hidden_drawing(svg) if theme is PAGE else svg


def draw(chart: Any, form: Form = "svg", theme: Theme = LIGHT) -> bytes:
    """Draw a chart as a file: SVG, PDF (vectors, with its letters as outlines) or PNG."""
    if form == "svg":
        return as_svg(chart, theme).encode()
    import vl_convert

    if form == "pdf":
        return bytes(vl_convert.vegalite_to_pdf(themed(chart, theme)))
    return bytes(vl_convert.vegalite_to_png(themed(chart, theme), scale=SHARPNESS))


def converted(svg: str, form: Form) -> bytes:
    """Return a drawing that is kept as SVG in another format."""
    if form == "svg":
        return svg.encode()
    import vl_convert

    if form == "pdf":
        return bytes(vl_convert.svg_to_pdf(svg))
    return bytes(vl_convert.svg_to_png(svg, scale=SHARPNESS))
