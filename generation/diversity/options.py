"""The options of a comparison of two sets; page and API are made from them."""

from core.options import COMMAND, LARGEST_SEED, Options, option
from curation.cases.models import Origin
from generation.diversity.algorithm.tokenizing import TOKENISATIONS

# NLTK's; without one (method0), short texts that share no long n-gram count as almost 0. Method 6 is left out: it
# is undefined as soon as one text shares no trigram.
SMOOTHINGS = {
    "method0": "method0: none, as published for GPT-HateCheck",
    "method1": "method1: a tenth of a match where there is none",
    "method2": "method2: one added to every count",
    "method3": "method3: halving",
    "method4": "method4: halving by length",
    "method5": "method5: average of neighbours",
    "method7": "method7: halving and average",
}
SAME = "that of the first set"


class DiversityOptions(Options):
    """Two sets of cases to compare, and how. Maintainers can name a language model for perplexity."""

    verb = "diversity"
    without = {COMMAND: "the comparison is read as a page with a plot, or from the API"}

    first_suite: str = option(label="First suite", help="The suite to compare.")
    first_origin: Origin | None = option(
        Origin.TEMPLATE, label="Cases of the first suite", help="Where they come from.", unless_given="any origin"
    )
    second_suite: str = option(label="Second suite", help="The suite to compare it with; it can be the same one.")
    second_origin: Origin | None = option(
        Origin.LLM, label="Cases of the second suite", help="Where they come from.", unless_given="any origin"
    )
    language: str = option("", help="In which language the cases are.", unless_given="all languages")
    functionalities: tuple[str, ...] = option(
        (), help="Which functionalities are compared.", unless_given="all functionalities", group="Functionalities",
        advanced=True,
    )  # fmt: skip
    second_language: str = option(
        "", label="Language of the second set", help="To compare two languages.", unless_given=SAME,
        group="Advanced", advanced=True,
    )  # fmt: skip
    second_functionalities: tuple[str, ...] = option(
        (), label="Functionalities of the second set", help="To compare functionalities.", unless_given=SAME,
        group="Advanced", advanced=True,
    )  # fmt: skip
    tokens: str = option(
        "published", label="Words", help="How a text is cut into words.", choices=TOKENISATIONS, group="Advanced",
        advanced=True,
    )  # fmt: skip
    smoothing: str = option(
        "method0", label="Smoothing of self-BLEU", help="One of NLTK's methods. Compare only figures smoothed alike.",
        choices=SMOOTHINGS, group="Advanced", advanced=True,
    )  # fmt: skip
    repeats: int = option(
        10, label="Samples", help="Number of samples drawn from the larger set.", least=2, most=100,
        group="Advanced", advanced=True,
    )  # fmt: skip
    seed: int = option(
        0, help="The same seed draws the same samples.", least=0, most=LARGEST_SEED, group="Advanced", advanced=True
    )
    perplexity_model: str = option(
        "", label="Language model for perplexity", help="Folder or hub id of a causal model, or a GGUF file.",
        unless_given="no perplexity", longest=300, group="Advanced", advanced=True,
    )  # fmt: skip
