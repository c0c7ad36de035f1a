"""The options of a comparison of two sets; page and API are made from them."""

from core.options import LARGEST_SEED, Options, option
from core.text import _, pgettext
from curation.cases.models import Origin
from generation.diversity.algorithm.tokenizing import TOKENISATIONS

# NLTK's; without one (method0), short texts that share no long n-gram count as almost 0. Method 6 is left out: it
# is undefined as soon as one text shares no trigram.
SMOOTHINGS: dict[str, str] = {
    "method0": _("method0: none, as published for GPT-HateCheck"),
    "method1": _("method1: counts a tenth of a match where there is none"),
    "method2": _("method2: adds one to every count"),
    "method3": _("method3: halving for each order without a match"),
    "method4": _("method4: as method3, by the length of the text"),
    "method5": _("method5: average of neighbouring orders"),
    "method7": _("method7: method4, then method5"),
}
SAME = _("the same as for the first set")
ADVANCED = _("Advanced")


class DiversityOptions(Options):
    """Two sets of cases to compare, and how. Maintainers can name a language model for perplexity."""

    verb = "diversity"

    first_suite: str = option(
        label=_("First suite"), help=_("Choose the suite to compare."), positional=True, metavar="FIRST"
    )
    first_origin: Origin | None = option(
        Origin.TEMPLATE, label=_("Cases of the first suite"), help=_("Choose where these cases come from."),
        unless_given=_("any origin"),
    )  # fmt: skip
    second_suite: str = option(
        label=_("Second suite"), help=_("Choose the suite to compare the first one with. It can be the same suite."),
        positional=True, metavar="SECOND",
    )  # fmt: skip
    second_origin: Origin | None = option(
        Origin.LLM, label=_("Cases of the second suite"), help=_("Choose where these cases come from."),
        unless_given=_("any origin"),
    )  # fmt: skip
    language: str = option(
        "", label=_("Language"), help=_("Choose the language of the cases."), unless_given=_("all languages")
    )
    functionalities: tuple[str, ...] = option(
        (), label=_("Functionalities"), help=_("Choose the functionalities to compare."),
        unless_given=_("all functionalities"), group=_("Functionalities"), advanced=True,
    )  # fmt: skip
    second_language: str = option(
        "", label=_("Language of the second set"), help=_("Choose another language to compare two languages."),
        unless_given=SAME, group=ADVANCED, advanced=True,
    )  # fmt: skip
    second_functionalities: tuple[str, ...] = option(
        (), label=_("Functionalities of the second set"),
        help=_("Choose other functionalities to compare functionalities."), unless_given=SAME, group=ADVANCED,
        advanced=True,
    )  # fmt: skip
    tokens: str = option(
        "published", label=_("Words"), help=_("Choose how texts are split into words."), choices=TOKENISATIONS,
        group=ADVANCED, advanced=True,
    )  # fmt: skip
    smoothing: str = option(
        "method0", label=_("Smoothing of self-BLEU"),
        help=_("Choose a smoothing method of NLTK. Compare only figures with the same smoothing."), choices=SMOOTHINGS,
        group=ADVANCED, advanced=True,
    )  # fmt: skip
    repeats: int = option(
        10, label=pgettext("number of random samples", "Samples"),
        help=_("This number of random samples is drawn from the larger set."), least=2, most=100, group=ADVANCED,
        advanced=True,
    )  # fmt: skip
    seed: int = option(
        0, label=_("Seed"), help=_("The same seed draws the same samples."), least=0, most=LARGEST_SEED, group=ADVANCED,
        advanced=True,
    )  # fmt: skip
    perplexity_model: str = option(
        "", label=_("Language model for perplexity"),
        help=_("Enter the folder or hub id of a causal language model, or a GGUF file. Example: owner/model."),
        unless_given=_("no perplexity"), longest=300, group=ADVANCED, advanced=True,
    )  # fmt: skip
