"""The options of the verbs about what labels say; page, API and command line are made from them."""

from annotation.people.models import SUBJECTS_ABOUT_PEOPLE
from core.options import COMMAND, PAGE, Options, only, option
from core.text import _
from curation.releases.options import RuleOptions


class DecisionOptions(RuleOptions):
    """The rules that are applied to a suite, and how many cases the preview said would go."""

    verb = "decide"
    without = {COMMAND: "a signed-in maintainer decides; freeze takes other rules for one release"}

    expected: int | None = option(
        None,
        label=_("Expected number of cases"),
        help=_("How many cases the preview leaves out, for example 3. Another number is refused."),
        least=0,
    )


class PerspectivesOptions(Options):
    """Which groups of annotators are compared."""

    verb = "perspectives"
    without = {PAGE: "has a tab for each question"}

    suite: str = option(
        "",
        help=_("Key of the suite."),
        positional=True,
        needed=(COMMAND,),
        without=only(COMMAND, "the address says it"),
    )
    by: str = option(
        "gender", help=_("The question whose answers make the groups, for example gender."),
        choices=SUBJECTS_ABOUT_PEOPLE,
    )  # fmt: skip
