"""Options declared once become the same form, serializer and arguments, and refuse the same values."""

from argparse import ArgumentParser
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal, Self

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import QueryDict
from pydantic import model_validator

from core.options import API, COMMAND, PAGE, File, Options, OptionsRefused, Pairs, option, refuse
from core.options.arguments import add_arguments, read_arguments
from core.options.declaring import declared, read_pairs
from core.options.forms import OptionsForm
from core.options.serializers import OptionsSerializer


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class PaintOptions(Options):
    """How something is painted."""

    wall: str = option(label="Wall", help="Its name.", positional=True, longest=10)
    colour: Colour = option(Colour.RED, help="Which one.")
    share: float = option(0.1, label="Painted share", help="Of the wall, 10 % at most.", above=0, most=0.1)
    coats: tuple[int, ...] = option((1, 2), help="One try each.", least=1)
    brush: int | None = option(None, help="Width in cm.", least=1, most=50, unless_given="a roll", aliases=("width",))
    words: tuple[str, ...] = option((), help="What to write.", rows=3, group="More", advanced=True)
    mixes: Pairs = option({}, help="Names of mixtures.", group="More", advanced=True)
    photo: File = option(None, help="How it looked.", flag="--before")
    primer: bool = option(True, help="Paint twice.")
    finish: Literal["matt", "gloss"] | None = option(None, help="Of the surface.")
    dry_run: bool = option(False, help="Change nothing.", without={PAGE: "the page has a preview"})

    @model_validator(mode="after")
    def _brush_fits(self) -> Self:
        if self.brush == 50 and self.finish == "gloss":
            refuse("A gloss finish needs a narrower brush.", about="brush")
        return self


class PaintForm(OptionsForm[PaintOptions]):
    options = PaintOptions


class PaintSerializer(OptionsSerializer[PaintOptions]):
    options = PaintOptions


def typed(*words: str) -> PaintOptions:
    parser = ArgumentParser(exit_on_error=False)
    add_arguments(parser, PaintOptions)
    return read_arguments(PaintOptions, vars(parser.parse_args(words)))


def sent(values: Any) -> PaintOptions:
    serializer = PaintSerializer(data=values)
    serializer.is_valid(raise_exception=True)
    return serializer.chosen


def filled(values: dict[str, Any] | QueryDict, **files: Any) -> PaintForm:
    form = PaintForm(values, files)
    form.is_valid()
    return form


def test_every_surface_gives_the_same_defaults():
    usual = PaintOptions(wall="north")
    assert typed("north") == sent({"wall": "north"}) == usual
    assert filled({"wall": "north", "primer": "on"}).chosen == usual


def test_every_surface_reads_the_same_values():
    wanted = PaintOptions(
        wall="north", colour="blue", share=0.05, coats=[3], brush=7, words=["a, b", "c"], mixes={"a": "b"},
        primer=False, finish="matt", dry_run=True,
    )  # fmt: skip
    line = "north --colour blue --share 0.05 --coats 3 --brush 7 --mixes a=b --no-primer --finish matt --dry-run"
    assert typed(*line.split(), "--words", "a, b", "c") == wanted
    assert sent(wanted.plain()) == wanted
    page = {"wall": "north", "colour": "blue", "share": "0.05", "coats": "3", "brush": "7", "words": "a, b\nc"}
    assert filled({**page, "mixes": "a = b", "finish": "matt"}).chosen.plain() == wanted.plain() | {"dry_run": False}


def test_a_form_with_files_reads_lists_pairs_and_older_names():
    body = QueryDict("wall=north&coats=1&coats=5&mixes=a%3Db,c%3Dd&width=9")
    assert sent(body) == PaintOptions(wall="north", coats=[1, 5], mixes={"a": "b", "c": "d"}, brush=9)
    assert sent({"wall": "north", "width": 9}).brush == typed("north", "--width", "9").brush == 9


def test_a_file_is_an_upload_or_a_path():
    upload = SimpleUploadedFile("wall.png", b"...")
    assert filled({"wall": "north"}, photo=upload).chosen.photo is upload
    assert sent({"wall": "north", "photo": upload}).photo is upload
    assert (
        typed("north", "--before", "wall.png").photo == typed("north", "--photo", "wall.png").photo == Path("wall.png")
    )
    assert "photo" not in PaintOptions(wall="north", photo=upload).plain()


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("share", 0.2, "Use more than 0 and at most 0.1."),
        ("share", 0, "Use more than 0 and at most 0.1."),
        ("share", float("nan"), "Write a number."),
        ("coats", [1, "x"], "Write a whole number."),
        ("coats", [0], "Use at least 1."),
        ("wall", "a wall that is long", "Use at most 10 characters."),
        ("colour", "green", "Choose from: red, blue."),
        ("finish", "none", "Choose from: matt, gloss."),
        ("mixes", ["ab"], "'ab' is not a pair."),
        ("primer", "perhaps", "Write true or false."),
    ],
)
def test_a_direct_call_is_refused_by_name(name, value, sentence):
    with pytest.raises(OptionsRefused) as refused:
        PaintOptions(**{"wall": "north", name: value})
    assert refused.value.errors[name][0].startswith(sentence)
    assert str(refused.value).startswith(f"{name}: {sentence}")
    assert refused.value.as_problem()["fields"][name] == refused.value.errors[name]


def test_an_unknown_option_is_refused_with_the_known_ones():
    with pytest.raises(OptionsRefused, match=r"There is no option 'colr'. Known: wall, colour"):
        PaintOptions(wall="north", colr="red")  # type: ignore[call-arg]
    assert PaintOptions.given({"wall": "north", "colr": "red"}).colour == "red"


def test_the_command_names_the_option_as_it_is_typed():
    with pytest.raises(OptionsRefused, match=r"^--share: Use more than 0"):
        typed("north", "--share", "3")
    with pytest.raises(OptionsRefused, match=r"^--brush: A gloss finish"):
        typed("north", "--brush", "50", "--finish", "gloss")


def test_the_page_says_what_is_wrong_beside_the_field():
    form = filled({"wall": "", "share": "3", "brush": "x", "coats": " , "})
    assert set(form.errors) == {"wall", "share", "brush", "coats"}
    form = filled({"wall": "north", "brush": "50", "finish": "gloss"})
    assert form.errors == {"brush": ["A gloss finish needs a narrower brush."]}
    form = filled({"wall": "north", "share": "0"})
    assert form.errors == {"share": ["Use more than 0 and at most 0.1."]}


def test_a_rule_is_bad_input_in_the_api():
    with pytest.raises(OptionsRefused) as refused:
        sent({"wall": "north", "brush": 50, "finish": "gloss"})
    assert refused.value.as_problem()["status"] == 422
    assert refused.value.fields["brush"] == ["A gloss finish needs a narrower brush."]


def test_a_field_that_was_not_sent_has_its_default_and_an_emptied_one_is_empty():
    assert filled({"wall": "north"}).chosen.coats == (1, 2)
    assert "coats" in filled({"wall": "north", "coats": ""}).errors
    assert filled({"wall": "north", "brush": "", "words": ""}).chosen.brush is None


def test_a_page_may_offer_choices_of_its_own():
    form = PaintForm({"wall": "south"})
    form.offer("wall", [("north", "The one in the north")])
    assert not form.is_valid()
    assert "wall" in form.errors


def test_sections_hold_the_fields_by_group_and_open_on_errors():
    titles = [(title, [field.name for field in fields], is_open) for title, fields, is_open in PaintForm().sections()]
    first = ["wall", "colour", "share", "coats", "brush", "photo", "primer", "finish"]
    assert titles == [("", first, True), ("More", ["words", "mixes"], False)]
    form = filled({"wall": "north", "mixes": "ab"})
    assert [is_open for _, _, is_open in form.sections()] == [True, True]


def test_help_and_defaults_are_told_on_the_command_line():
    parser = ArgumentParser()
    add_arguments(parser, PaintOptions)
    told = " ".join(parser.format_help().split())
    assert "Of the wall, 10 % at most. (default: 0.1)" in told
    assert "Width in cm. Default: a roll." in told


def test_an_option_may_be_missing_from_a_surface_for_a_reason():
    assert "dry_run" not in {one.name for one in declared(PaintOptions, PAGE)}
    assert "dry_run" in {one.name for one in declared(PaintOptions, API)}
    assert "dry_run" in {one.name for one in declared(PaintOptions, COMMAND)}


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("a=b, c = d", {"a": "b", "c": "d"}),
        ("x, y = b\nc =", {"x, y": "b", "c": ""}),
        ("a=b=c", {"a=b": "c"}),
        ("", {}),
    ],
)
def test_pairs_stand_between_commas_or_on_lines(text, pairs):
    assert read_pairs(text) == pairs


@pytest.mark.parametrize("text", ["a", "=b", "a=b, c", "a=b, a=c"])
def test_what_is_no_pair_is_refused(text):
    with pytest.raises(ValueError, match=r"is not a pair|is named twice"):
        read_pairs(text)
