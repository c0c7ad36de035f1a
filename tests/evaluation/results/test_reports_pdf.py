"""The PDF: the heat map is shaded as in the HTML file, and the charts are in it."""

import re

from core.charts import as_svg
from evaluation.reports.figures import f1_table
from evaluation.reports.html_page import as_html
from evaluation.reports.names import Names
from evaluation.reports.pdf import HEIGHT, LOW, WIDTH, as_pdf, as_typst
from evaluation.reports.pictures.forest import forest
from evaluation.reports.tables import tables_of
from tests.evaluation.results.test_reports_tables import ALWAYS, MODELS, RIGHT

TABLES, F1 = tables_of(MODELS), [f1_table(MODELS)]
SQUARE = '<svg xmlns="http://www.w3.org/2000/svg" width="{}" height="{}"><text y="20">"quoted" \\ #x</text></svg>'


def test_every_chart_is_in_the_source_with_its_title():
    source = as_typst("s@1", {}, TABLES, F1, charts={"Dots: <Right>": SQUARE.format(100, 100)})
    assert source.count("#image(") == 1
    assert '[#"Dots: <Right>"]' in source
    assert '== #"Charts"' in source


def test_without_charts_there_is_no_heading_for_them():
    assert "== Charts" not in as_typst("s@1", {}, TABLES, F1)


def test_a_chart_is_never_larger_than_a_page():
    for width, height in ((100, 100), (5000, 100), (100, 5000), (900, 4000)):
        source = as_typst("s@1", {}, TABLES, F1, charts={"t": SQUARE.format(width, height)})
        (set_to,) = re.findall(r"#box\(width: ([\d.]+)pt\)", source)
        assert float(set_to) <= WIDTH
        assert float(set_to) * height / width <= HEIGHT * 1.01


def test_the_heat_map_has_the_shades_of_the_html_file():
    html = set(re.findall(r"oklch\(([\d.]+) ([\d.]+) 250\)", as_html("s@1", {}, TABLES, F1)))
    pdf = set(re.findall(r"oklch\(([\d.]+)%, ([\d.]+), 250deg\)", as_typst("s@1", {}, TABLES, F1)))
    assert {(f"{float(lightness) / 100:.3f}", chroma) for lightness, chroma in pdf} <= html
    assert len(pdf) > 1


def test_a_pdf_with_drawn_charts_can_be_set():
    charts = {"Dots": as_svg(forest({"m": RIGHT}, Names())), "Odd signs": SQUARE.format(200, 60)}
    with_charts = as_pdf("s@1", {"Release": "s@1"}, TABLES, F1, charts=charts)
    assert with_charts.startswith(b"%PDF-")
    assert len(with_charts) > len(as_pdf("s@1", {"Release": "s@1"}, TABLES, F1))


def test_the_legend_names_mixed_slices_only_where_there_are_some():
    assert "mixed" not in as_svg(forest({"m": ALWAYS}, Names()))
    mixed = {**ALWAYS, "by_functionality": {"a": {**ALWAYS["by_functionality"]["a_h"], "label": None}}}
    assert "mixed" in as_svg(forest({"m": mixed}, Names()))


def test_many_models_lie_on_their_side_and_leave_room_for_the_names_of_rows():
    models = {f"organisation/some-long-model-name-v{number}": RIGHT for number in range(10)}
    source = as_typst("s@1", {}, tables_of(models), [f1_table(models)], charts={"t": SQUARE.format(100, 5000)})
    assert "flipped: true" in source
    assert f"columns: (auto, auto, auto, {', '.join(['1fr'] * 12)})" in source
    assert "columns: (1fr" not in source
    (set_to,) = re.findall(r"#box\(width: ([\d.]+)pt\)", source)
    assert float(set_to) * 50 <= LOW * 1.01
    assert "flipped: false" in as_typst("s@1", {}, TABLES, F1)
