"""Pictures without a server: from results in memory and from the files that evaluate writes."""

import json

import pytest

from tests.touchstone.releases import by_word, never_hateful, small_release
from touchstone import compare, evaluate
from touchstone.cli import main
from touchstone.errors import Refused
from touchstone.evaluating import read_result


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    folder = small_release(tmp_path_factory.mktemp("small") / "small")
    return evaluate(folder, by_word, name="good"), evaluate(folder, never_hateful, name="mute")


@pytest.fixture
def files(results, tmp_path):
    written = []
    for result in results:
        written.append(tmp_path / f"{result.model}.json")
        written[-1].write_text(json.dumps(result.as_json()))
    return written


def test_a_result_is_plotted_in_one_call_and_saved_in_each_format(results, tmp_path):
    good, mute = results
    for name, begins in (("forest.svg", b"<svg"), ("forest.pdf", b"%PDF-"), ("forest.png", b"\x89PNG")):
        assert good.plot("forest", mute).save(tmp_path / "made" / name).read_bytes().startswith(begins)
    assert good.plot()._repr_svg_().startswith("<svg"), "what a notebook shows"


def test_a_comparison_is_plotted_as_dumbbells(results):
    svg = compare(*results).plot(theme="dark")._repr_svg_()
    assert ">good<" in svg
    assert ">–100.0 *<" in svg


def test_a_heat_map_of_a_result_that_was_read_from_a_file_has_its_groups(results, files):
    drawn = read_result(files[0]).plot("heatmap").as_vega_lite()
    assert drawn == results[0].plot("heatmap").as_vega_lite()
    assert "disabled people" in json.dumps(drawn)


def test_a_result_without_groups_is_still_read(files):
    content = json.loads(files[0].read_text())
    for name in ("targets", "is_identity_template"):
        del content["cases"][name]
    files[0].write_text(json.dumps(content))
    assert read_result(files[0]).columns.cases == tuple(content["cases"]["case"])


def test_the_command_draws_files_without_a_database(files, tmp_path, capsys):
    out = tmp_path / "change.pdf"
    assert main(["picture", "dumbbell", *map(str, files), "--out", str(out), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "picture": "dumbbell",
        "models": ["good", "mute"],
        "file": str(out),
    }
    assert out.read_bytes().startswith(b"%PDF-")


@pytest.mark.parametrize(
    ("kind", "theme", "why"),
    [("pie", "light", "no picture 'pie'"), ("dumbbell", "light", "exactly two"), ("forest", "pink", "no theme 'pink'")],
)
def test_what_cannot_be_drawn_is_refused_in_one_sentence(results, kind, theme, why):
    with pytest.raises(Refused, match=why):
        results[0].plot(kind, theme=theme)
    with pytest.raises(Refused, match=r"written as \.svg"):
        results[0].plot().save("picture.gif")
