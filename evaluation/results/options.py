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
