"""Pictures for papers: what stands in them, for whom they can be drawn, and in which files."""

import json
import re

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from core.charts import DARK, LIGHT, as_svg, draw, themed
from core.errors import BadInput, Missing
from evaluation.metrics.columns import Columns, Row
from evaluation.metrics.compare import compare_models
from evaluation.metrics.report import measure
from evaluation.reports.names import FunctionalityName, Names
from evaluation.reports.pictures.drawing import Material, is_drawable, panels_of, picture_chart
from tests.curation.releases.factories import make_release, make_suite
from tests.evaluation.factories import allow_models, run_model

LABELS = ("hateful", "non-hateful")
NAMES = Names(
    {f"f{number}": FunctionalityName(f"Title {number}", f"F{number}", f"Class {number}") for number in range(3)},
    {f"c{number}": f"Class {number}" for number in range(3)},
    {"en": "English", "de": "German"},
)


def answers(right: float, *, scored: bool = False) -> tuple[Columns, list[Row]]:
    """A model that is right on this share of the templates of each functionality."""
    rows = []
    for number in range(3):
        for template in range(10):
            for language in ("en", "de"):
                gold, other = LABELS if number < 2 else LABELS[::-1]
                said = gold if template < right * 10 else other
                rows.append(
                    Row(
                        f"{language}-{number}-{template}", gold, said, functionality=f"f{number}",
                        score=(0.9 if said == "hateful" else 0.1) if scored else None,
                        functionality_class=f"c{number}", language=language, targets=("women",),
                        is_identity_template=True, template=f"{number}-{template}",
                    )
                )  # fmt: skip
    return Columns.of(rows, labels=LABELS), rows


def material(*models: tuple[str, float], scored: bool = False) -> Material:
    made = {name: answers(right, scored=scored) for name, right in models}
    columns = {name: found for name, (found, _rows) in made.items()}
    values = {name: measure(rows, labels=list(LABELS), positive="hateful") for name, (_columns, rows) in made.items()}
    return Material(
        json.loads(json.dumps(values, default=float)),
        NAMES,
        lambda: compare_models(*columns.values()),
        lambda name: panels_of(columns[name]),
    )


def texts(svg: str) -> list[str]:
    return re.findall(r">([^<>]+)</text>", svg)


def test_a_forest_of_one_model_has_classes_titles_figures_and_gold_labels():
    drawn = texts(as_svg(picture_chart("forest", material(("A", 0.7)))))
    assert {"F1 Title 1", "Class 1", "hateful", "non-hateful", "Accuracy"} <= set(drawn)
    (first, *others) = [text for text in drawn if text.startswith("70.0 (")]
    assert first.endswith("· 20 / 20"), "cases and templates stand beside each interval"
    assert len(others) == 2


def test_a_forest_of_several_models_names_them_and_leaves_the_figures_to_the_table():
    drawn = texts(as_svg(picture_chart("forest", material(("A", 0.7), ("B", 0.2)))))
    assert {"A", "B"} <= set(drawn)
    assert not [text for text in drawn if "/ 20" in text]


def test_dumbbells_show_what_changed_most_on_top_and_star_what_is_significant():
    drawn = texts(as_svg(picture_chart("dumbbell", material(("A", 0.9), ("B", 0.1)))))
    assert drawn.count("–80.0 *") == 3
    (small,) = {
        text for text in texts(as_svg(picture_chart("dumbbell", material(("A", 0.5), ("B", 0.6))))) if "10.0" in text
    }
    assert small == "+10.0", "one template in ten may be chance"


def test_a_heat_map_has_a_panel_for_each_language_and_failures_stand_out():
    chart = picture_chart("heatmap", material(("A", 0.7)))
    assert {"English", "German", "women", "F0 Title 0", "70"} <= set(texts(as_svg(chart)))
    assert LIGHT.ramp[0] in json.dumps(themed(chart)), "0 % has the strongest colour"


def test_a_reliability_diagram_needs_scores():
    assert is_drawable("reliability", material(("A", 0.7), scored=True).models)
    with pytest.raises(BadInput, match="labels without scores"):
        picture_chart("reliability", material(("A", 0.7)))


def test_a_radar_has_a_corner_for_each_class():
    assert {"Class 0", "Class 1", "Class 2"} <= set(texts(as_svg(picture_chart("radar", material(("A", 0.7))))))


@pytest.mark.parametrize(
    ("kind", "models", "why"),
    [
        ("dumbbell", 1, "exactly two"),
        ("dumbbell", 3, "exactly two"),
        ("forest", 7, "at most 6"),
    ],
)
def test_a_picture_refuses_models_it_cannot_show(kind, models, why):
    with pytest.raises(BadInput, match=why):
        picture_chart(kind, material(*((f"M{number}", 0.5) for number in range(models))))


def test_an_unknown_picture_is_refused_with_those_there_are():
    with pytest.raises(Missing, match="forest, dumbbell"):
        picture_chart("pie", material(("A", 0.7)))


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("form", "begins"), [("svg", b"<svg"), ("pdf", b"%PDF-"), ("png", b"\x89PNG")])
def test_a_picture_is_a_file_of_each_format_in_each_theme(form, begins, theme):
    drawn = draw(picture_chart("forest", material(("A", 0.7)), theme), form, theme)
    assert drawn.startswith(begins)
    if form == "svg":
        assert f'fill="{theme.paper}"' in drawn.decode()


def contrast(colour: str, paper: str) -> float:
    """The contrast ratio of WCAG."""

    def luminance(value: str) -> float:
        value = {"white": "#ffffff"}.get(value, value)
        parts = [int(value[place : place + 2], 16) / 255 for place in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    dark, light = sorted((luminance(colour), luminance(paper)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_words_can_be_read_on_their_paper_and_on_the_heat_map(theme):
    assert contrast(theme.ink, theme.paper) >= 7
    assert contrast(theme.soft, theme.paper) >= 4.5
    for ground, letters in zip(theme.ramp, theme.on_ramp, strict=True):
        assert contrast(letters, ground) >= 4.5


@pytest.fixture
def runs(db, settings, tmp_path, mira):
    settings.VAR = tmp_path
    allow_models(settings)
    release = make_release(make_suite(by=mira), cascade="none", by=mira)
    return [
        run_model(release, "by_word", name="Words", by=mira),
        run_model(release, "no_word_for_it", name="Odd", by=mira),
    ]


def test_the_page_shows_a_picture_and_offers_it_as_files(runs, client, mira):
    client.force_login(mira)
    page = client.get(reverse("evaluation:results") + "?tab=pictures").content.decode()
    addresses = re.findall(r'(/results/pictures/[^"]+)"', page)
    assert {f"file_format={form}" in address for address in addresses for form in ("pdf",)} == {True, False}
    for address in addresses:
        assert client.get(address.replace("&amp;", "&")).status_code == 200, address


def test_the_command_draws_what_page_and_api_draw(runs, client, mira, tmp_path, capsys):
    out = tmp_path / "made" / "change.svg"
    key = runs[0].release.key
    call_command("picture", "dumbbell", key, "--models", "Words", "Odd", "--out", str(out), "--json")
    assert json.loads(capsys.readouterr().out) == {
        "release": key,
        "picture": "dumbbell",
        "models": ["Words", "Odd"],
        "file": str(out),
    }
    client.force_login(mira)
    answer = client.get(f"/api/v1/results/pictures/dumbbell/?release={key}&model=Words&model=Odd")
    assert answer.content == out.read_bytes()
    assert answer["Content-Type"] == "image/svg+xml"


def test_a_picture_of_models_that_are_not_public_is_not_for_everyone(runs, client):
    assert client.get(reverse("evaluation:picture", args=["forest"]) + f"?run={runs[0].key}").status_code == 404


def test_a_file_with_another_ending_is_refused_before_anything_is_drawn(runs, tmp_path):
    with pytest.raises(CommandError, match=r"Name a file that ends with .svg, .pdf or .png"):
        call_command("picture", "forest", runs[0].release.key, "--out", str(tmp_path / "forest.gif"))
