"""The options of a document of results, declared once for page, API and command."""

from django.conf import settings

from core.options import COMMAND, PAGE, Options, option
from core.text import _


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
