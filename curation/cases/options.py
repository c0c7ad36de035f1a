"""The options of the verbs about cases; page, API and command line are made from them."""

from typing import Any

from core.options import API, COMMAND, LARGEST_SEED, PAGE, Options, option
from core.text import _
from curation.authoring.options import detail
from curation.fields import DETAILS, LONGEST
from curation.formats.values import LONGEST_TEXT

HERE = {PAGE: "the page is about one suite and language"}


class CaseTextOptions(Options):
    """What is said about a case that is written by hand. The names are the columns of the exports."""

    test_case: str = option(
        label=_("Text"), help=_("The text as people would post it, without placeholders."), rows=3,
        longest=LONGEST_TEXT, aliases=("text",),
    )  # fmt: skip
    label_gold: str = option(
        "", label=_("Gold label"), help=_("The label that the case should get. Example: hateful."), longest=60,
        unless_given=_("that of the functionality"), aliases=("label",),
    )  # fmt: skip
    target_ident: tuple[str, ...] = option(
        (), label=_("Target groups"),
        help=_("The groups that the text is about. A text can be about several groups, or about none."),
        longest=LONGEST["target_ident"], aliases=("target",),
    )  # fmt: skip
    direction: str = detail("direction")
    focus_words: str = detail("focus_words")
    focus_lemma: str = detail("focus_lemma")
    ref_case_id: str = option(
        "", label=_("Related case (ID)"),
        help=_("The ID of the case that this one perturbs or contrasts with. Example: de-00017."),
        longest=LONGEST["ref_case_id"], aliases=("refers_to",),
    )  # fmt: skip
    contrast_set: str = option(
        "", label=_("Contrast set"), help=_("A name that all cases of one contrast set share. Example: negation-3."),
        longest=LONGEST["contrast_set"],
    )  # fmt: skip
    perturbation_set: str = option(
        "", label=_("Perturbation set"),
        help=_("How the case differs from the original of its contrast set. Example: polarity."),
        longest=LONGEST["perturbation_set"],
    )  # fmt: skip

    def facts(self) -> dict[str, Any]:
        """Return what the services take, without the groups, which are rows of the database."""
        names = (*DETAILS, "contrast_set", "perturbation_set")
        said = {"text": self.test_case, "label": self.label_gold, "refers_to": self.ref_case_id}
        return said | {name: getattr(self, name) for name in names}


class CasePlaceOptions(Options):
    """Where a case belongs."""

    suite: str = option("", help=_("Key of the suite."), longest=60, needed=(API,), without=HERE)
    language: str = option("", help=_("Code of the language."), longest=20, needed=(API,), without=HERE)
    functionality: str = option(
        label=_("Functionality"), help=_("The functionality that the case tests."), longest=LONGEST["functionality"]
    )


class NewCaseOptions(CaseTextOptions, CasePlaceOptions):  # in this order the functionality comes first on the page
    """Write a case by hand."""

    verb = "write_case"
    without = {COMMAND: "import_suite adds the cases of a file"}


class EditCaseOptions(CaseTextOptions):
    """Change a case that was written by hand."""

    verb = "edit_case"
    without = {API: "a case is retired and written anew", COMMAND: "a case is edited on its page"}


class PerturbOptions(Options):
    """Make perturbations of cases: other spellings that a reader still understands."""

    verb = "perturb_cases"

    suite: str = option(
        "", help=_("Key of the suite."), positional=True, longest=60, needed=(API, COMMAND), without=HERE
    )
    language: str = option(
        "", help=_("Code of the language."), longest=20, metavar="CODE", needed=(API, COMMAND), without=HERE
    )
    functionality: str = option(
        label=_("Spelling functionality"),
        help=_("The functionality of the new cases. It says which perturbation is made."),
        longest=LONGEST["functionality"], metavar="KEY",
    )  # fmt: skip
    from_functionality: str = option(
        "", label=_("Original functionality"), help=_("Perturb only cases of this functionality."),
        unless_given=_("all cases"), longest=LONGEST["functionality"], metavar="KEY", aliases=("source",),
    )  # fmt: skip
    template: str = option(
        "", label=_("Template (key)"), help=_("Perturb only cases of the template with this key."),
        longest=LONGEST["templ_id"], metavar="KEY",
    )  # fmt: skip
    seed: int = option(label=_("Seed"), help=_("The same seed gives the same texts."), least=0, most=LARGEST_SEED)


class GenerateCasesOptions(Options):
    """Make the cases of all approved templates of a suite."""

    verb = "generate_cases"
    without = {PAGE: "has a button beside the suite"}

    suite: str = option(help=_("Key of the suite."), positional=True, longest=60)
