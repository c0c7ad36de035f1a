"""The options of documents and pictures of results, declared once for page, API and command."""

from pathlib import Path
from typing import Any, Self, cast

from django.conf import settings
from pydantic import field_validator, model_validator

from core.charts import FORMS, THEMES, Form
from core.options import API, COMMAND, PAGE, File, Options, only, option, refuse
from core.text import _
from evaluation.reports.pictures import PICTURES


class DocumentOptions(Options):
    """What a document has beside the stored measures, and its language."""

    verb = "report"
    without = {PAGE: "its links name them", COMMAND: "report has them beside its own arguments"}

    cross: str = option(
        "",
        label=_("Two dimensions"),
        help=_("Also the results by two dimensions, such as functionality,language."),
        metavar="ROWS,COLUMNS",
    )
    threshold: float | None = option(
        None, label=_("Threshold"), help=_("Also what this threshold would give, such as 0.5."), metavar="SCORE"
    )
    prevalence: float | None = option(
        None,
        label=_("Share of positive texts"),
        help=_("Also the precision where this share of texts is positive, such as 0.05."),
        above=0,
        below=1,
        metavar="SHARE",
    )
    language: str = option(
        "en",
        label=_("Language"),
        help=_("The language of HTML, PDF and LaTeX documents, such as en. CSV, JSON and JUnit are always English."),
        choices=dict(settings.LANGUAGES),
        metavar="CODE",
    )
    hub_dataset: str = option(
        "",
        label=_("Dataset on the Hugging Face Hub"),
        help=_("The dataset on the Hugging Face Hub that holds the release, such as my-lab/hatecheck."),
        longest=200,
        metavar="ORG/NAME",
    )
    organisation: str = option(
        "",
        label=_("Organization"),
        help=_("Who ran the evaluation, as every_eval_ever names it, such as Example Lab."),
        longest=200,
        metavar="NAME",
    )


class PictureOptions(Options):
    """Which picture is drawn, of what, and how it looks."""

    verb = "picture"
    without = {PAGE: "its links name them"}

    kind: str = option(
        "forest", help=_("What is drawn. A radar hides how sure figures are: prefer a forest plot."), positional=True,
        choices=dict(PICTURES), without={API: "the address names it"}, needed=(COMMAND,),
    )  # fmt: skip
    release: str = option(
        "", help=_("The release."), positional=True, metavar="SUITE@VERSION",
        without={API: "runs, a release or a link are given as for documents"}, needed=(COMMAND,),
    )  # fmt: skip
    models: tuple[str, ...] = option(
        (), help=_("Names or keys of models, or keys of runs."), unless_given=_("all with results"), metavar="NAME",
        without={API: "runs, a release or a link are given as for documents"},
    )  # fmt: skip
    out: File = option(
        None, help=_("The file to write; its ending says the format: .svg, .pdf or .png."), metavar="FILE",
        without=only(COMMAND, "the answer is the file"), needed=(COMMAND,),
    )  # fmt: skip
    file_format: str = option(
        "svg", help=_("SVG and PDF are drawings in lines, PNG is an image with 240 dots per inch."),
        choices={form: form.upper() for form in FORMS}, without={COMMAND: "the ending of the file says it"},
    )  # fmt: skip
    theme: str = option(
        "light", help=_("Dark letters on light paper, or the other way round."), choices={name: name for name in THEMES}
    )
    language: str = option(
        "en", help=_("The language of the words in the picture, such as en."), choices=dict(settings.LANGUAGES),
        metavar="CODE",
    )  # fmt: skip

    @field_validator("out")
    @classmethod
    def _has_a_format(cls, out: Any) -> Any:
        if out is not None and form_of(out) not in FORMS:
            refuse(_("Name a file that ends with .svg, .pdf or .png."), about="out")
        return out

    @property
    def form(self) -> Form:
        """The format that is written."""
        return cast(Form, form_of(self.out) if self.out else self.file_format)


def form_of(file: Path) -> str:
    """Return the format that the ending of a file says."""
    return file.suffix.lower().removeprefix(".")


class LeaderboardOptions(Options):
    """Which release models are ranked on."""

    verb = "leaderboard"
    without = {PAGE: "its address names the release", API: "its address names the release"}

    release: str = option(help=_("The release."), positional=True, metavar="SUITE@VERSION")


class ShareOptions(Options):
    """Whose results are shared by a link, or which link is withdrawn."""

    verb = "share"
    without = {PAGE: "a button shares what is shown", API: "takes keys of runs"}

    release: str = option(
        "", help=_("The release."), positional=True, metavar="SUITE@VERSION", unless_given=_("only with --withdraw")
    )
    models: tuple[str, ...] = option(
        (), help=_("Names or keys of models, or keys of runs."), unless_given=_("all with results"), metavar="NAME"
    )
    withdraw: str = option("", help=_("Withdraw the link with this token."), metavar="TOKEN")

    @model_validator(mode="after")
    def _does_one_thing(self) -> Self:
        if bool(self.release) == bool(self.withdraw):
            refuse(_("Name a release to share its results, or give --withdraw TOKEN."))
        return self


class ExportPredictionsOptions(Options):
    """Which answers of a model are written, and where."""

    verb = "export predictions"
    without = {PAGE: "a button downloads what is shown", API: "lists the cases of a run"}

    release: str = option(help=_("The release."), positional=True, metavar="SUITE@VERSION")
    model: str = option(help=_("Name or key of a model, or key of a run."), metavar="NAME")
    out: File = option(help=_("The CSV file to write."), metavar="FILE")
    show: str = option(
        "all", help=_("Which answers."),
        choices={name: name for name in ("all", "wrong", "right", "unanswered", "near")},
    )  # fmt: skip


class GroupLabelsOptions(Options):
    """Which models are compared with the labels of which groups of annotators."""

    verb = "soft_labels"
    without = {PAGE: "has a tab for each question and shows the models of a release"}

    release: str = option(help=_("The release, as suite@version."), positional=True, metavar="SUITE@VERSION")
    by: str = option(
        "gender",
        help=_("The question whose answers make the groups, for example gender."),
        metavar="QUESTION",
    )
    model: tuple[str, ...] = option(
        (), help=_("Names or keys of models."), unless_given=_("all with results"), metavar="MODEL"
    )
