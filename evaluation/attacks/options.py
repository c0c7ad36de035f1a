"""The options of attacks, declared once for pages, API and commands."""

from typing import Any, Self

from pydantic import model_validator

from core.options import API, COMMAND, LARGEST_SEED, PAGE, File, Options, only, option, refuse
from core.text import _
from evaluation.attacks.algorithm.parameters import FILLED_RULES, PAPER_RULES, TOOL_RULES
from evaluation.attacks.algorithm.scoring import Policy

RULES = {"paper": PAPER_RULES, "tool": TOOL_RULES, "filled": FILLED_RULES}
RULE_NAMES = {
    "paper": _("As in the paper: take the strongest words, then drop offensive ones"),
    "tool": _("As in the public tool: only the 1,500 most frequent words, punctuation deleted"),
    "filled": _("Filled up: drop offensive words, then take the strongest ones"),
}
POLICIES: dict[Policy, str] = {
    "penalise": _("Penalise where no information is left"),
    "printed": _("Penalise a significant drop, as in the paper's text"),
    "warn": _("Only warn"),
}
STORED = only(COMMAND, "works on what is stored on the platform")
ALL_POLICIES = only(COMMAND, "shows the scores under every policy")
IN_ADDRESS = only(COMMAND, "the address names it")
MOST_SEEDS = 100
FURTHER: dict[str, Any] = {"group": _("More settings"), "advanced": True}


class AttackOptions(Options):
    """The recipe of an attack on a data set."""

    verb = "attack build"

    dataset: str = option(
        "",
        help=_("Key of a data set with a training part and a test part, for example davidson-2017."),
        needed=(API,),
        without={PAGE: "is chosen on the page before", COMMAND: "works on files"},
    )
    train: File = option(None, help=_("File with the labelled training posts."), metavar="FILE", without=STORED)
    test: File = option(None, help=_("File with the labelled test posts."), metavar="FILE", without=STORED)
    data: File = option(
        None,
        help=_("One file with training and test posts. Its split column tells them apart."),
        metavar="FILE",
        without=STORED,
    )
    text_column: str = option(
        "", help=_("Name of the column with the texts."), unless_given=_("found by its name"), without=STORED
    )
    label_column: str = option(
        "", help=_("Name of the column with the labels."), unless_given=_("found by its name"), without=STORED
    )
    split_column: str = option(
        "", help=_("Name of the column with the parts."), unless_given=_("found by its name"), without=STORED
    )
    out: File = option(
        None, help=_("Folder to write to."), metavar="DIR", needed=(COMMAND,),
        without=only(COMMAND, "offers a download"),
    )  # fmt: skip
    title: str = option(
        "", label=_("Title"), help=_("Title of the attack, for example “Davidson 2017, seed 1”."),
        unless_given=_("the data set and the seed"), longest=160,
        without={COMMAND: "keeps nothing on the platform"},
    )  # fmt: skip
    seed: int = option(
        1, label=_("Seed"), help=_("The same seed always gives exactly the same posts."), least=0, most=LARGEST_SEED
    )
    seeds: int = option(
        1, help=_("Build the attack with this many seeds, one folder each, to see how much scores depend on chance."),
        least=1, most=MOST_SEEDS, metavar="N", without=only(COMMAND, "repeats an attack that is built"),
    )  # fmt: skip
    abusive: tuple[str, ...] = option(
        (),
        label=_("Labels that mean abuse"),
        help=_("All other labels count as harmless."),
        unless_given=_("labels with a common name, such as hateful"),
        metavar="LABEL",
    )
    language: str = option(
        "",
        label=_("Language"),
        help=_("Language of the quotation templates and of the lemmas, for example en."),
        unless_given=_("the language of the data set, otherwise English"),
        longest=20,
        metavar="CODE",
    )
    lexicon: File = option(
        None,
        label=_("Lexicon"),
        help=_("Offensive lemmas in HurtLex's format. None of them is appended to harmless posts."),
        metavar="FILE",
    )
    templates: File = option(
        None,
        label=_("Quotation templates"),
        help=_("One template per line, with <post> where the post goes. Example: “<post>” is not acceptable."),
        unless_given=_("our own templates for the language"),
        metavar="FILE",
    )
    identifiers: tuple[str, ...] = option(
        (),
        label=_("Names of groups"),
        help=_("One name per line, for example Muslims. Adds an attack that appends these names to harmless posts."),
        rows=3,
        without={COMMAND: "reads them from a file: --identifiers"},
    )
    identifiers_file: File = option(
        None,
        help=_("File with names of groups, one per line. Adds an attack that appends these names to harmless posts."),
        flag="--identifiers",
        metavar="FILE",
        without=only(COMMAND, "takes the names themselves"),
    )
    rules: str = option(
        "paper",
        label=_("Choice of words"),
        help=_("How the appended words are chosen."),
        choices=RULE_NAMES,
        **FURTHER,
    )
    words: int = option(
        100,
        label=_("Words per class"),
        help=_("The largest number of different words to append, for example 100."),
        least=1,
        most=5000,
        **FURTHER,
    )
    dictionary_size: int | None = option(
        None,
        label=_("Dictionary size"),
        help=_("Only the most frequent words are considered, for example 1500."),
        unless_given=_("all words by the paper's rules, 1,500 by the others"),
        least=1,
        most=100_000,
        metavar="N",
        **FURTHER,
    )
    fewest_hashtags: int = option(
        1,
        label=_("Fewest hashtags"),
        help=_("The smallest number of words appended to a post in the Corr attacks."),
        least=1,
        most=50,
        metavar="N",
        **FURTHER,
    )
    most_hashtags: int = option(
        5,
        label=_("Most hashtags"),
        help=_("The largest number of words appended to a post in the Corr attacks."),
        least=1,
        most=50,
        metavar="N",
        **FURTHER,
    )

    @model_validator(mode="after")
    def _fit_together(self) -> Self:
        if self.fewest_hashtags > self.most_hashtags:
            refuse(
                _("“Most hashtags” must be at least “Fewest hashtags” (%(fewest)s).", fewest=self.fewest_hashtags),
                about="most_hashtags",
            )
        if self.data and (self.train or self.test):
            refuse(_("Give --train FILE and --test FILE, or one --data FILE with a split column."))
        return self


class AttackRunOptions(Options):
    """Which model is attacked."""

    verb = "attack run"

    model: str = option(
        label=_("Model"),
        help=_(
            "Key of a registered model, with @ and a number for an older version, for example hatebert@2. "
            "A command takes a SPEC such as hf:FOLDER_OR_ID, as evaluate does."
        ),
        longest=500,
        metavar="SPEC",
    )
    version: int | None = option(
        None,
        help=_("Version number of the registered model, for example 2."),
        unless_given=_("the newest"),
        least=1,
        without={PAGE: "the choice of the model names it", COMMAND: "takes a spec, which needs no registration"},
    )
    sets: File = option(
        None, help=_("Folder that attack build wrote."), metavar="DIR", needed=(COMMAND,), without=IN_ADDRESS
    )
    out: File = option(
        None, help=_("Folder to write the answers to."), metavar="DIR", without=only(COMMAND, "keeps them itself")
    )
    again: bool = option(
        False,
        help=_("Replace the answers that are in --out."),
        without=only(COMMAND, "keeps every answer it has"),
    )
    estimate: bool = option(
        False,
        help=_("Only estimate the cost. The model is not asked."),
        without={PAGE: "has a button for it", API: "has an address for it"},
    )
    policy: Policy = option(
        "penalise",
        help=_("When a model that ignores hashtags loses its Corr scores."),
        choices=POLICIES,
        without=ALL_POLICIES,
    )


class AttackScoreOptions(Options):
    """Answers of a model that was asked elsewhere."""

    verb = "attack score"

    name: str = option(
        "",
        label=_("Name of the model"),
        help=_("The name you would use in a paper, for example HateBERT."),
        longest=200,
        needed=(PAGE, API),
        without={COMMAND: "keeps nothing on the platform"},
    )
    answers: tuple[File, ...] = option(
        label=_("Answer files"),
        help=_(
            "The set files with a prediction added to each line, or one .zip archive of them. A command reads a folder."
        ),
        aliases=("files", "archive"),
        metavar="DIR",
    )
    replace: bool = option(
        False,
        label=_("Replace the answers of this name"),
        help=_("The replaced answers are kept and can be downloaded."),
        without={COMMAND: "keeps nothing on the platform"},
    )
    sets: File = option(
        None, help=_("Folder that attack build wrote."), metavar="DIR", needed=(COMMAND,), without=IN_ADDRESS
    )
    policy: Policy = option(
        "penalise",
        help=_("When a model that ignores hashtags loses its Corr scores."),
        choices=POLICIES,
        without=ALL_POLICIES,
    )
    document: File = option(
        None,
        help=_("Also write the scores for a paper: a file that ends with .tex, .pdf, .png or .svg."),
        metavar="FILE",
        without=only(COMMAND, "offers downloads"),
    )


class AttackSpreadOptions(Options):
    """The seeds an attack is repeated with, and the model that answers: how far scores depend on chance."""

    verb = "attack spread"
    without = {COMMAND: "attack build --seeds and attack run do it"}

    model: str = option(
        label=_("Model to repeat it on"),
        help=_("Key of a registered model, with @ and a number for an older version, for example hatebert@2."),
        longest=500,
    )  # fmt: skip
    seeds: int = option(
        10,
        label=_("Number of seeds"),
        help=_("The first seed is the one of this attack; the next ones follow it."),
        least=2,
        most=MOST_SEEDS,
    )


class AttackSuiteOptions(Options):
    """The suite that an attack becomes, whose labels people check."""

    verb = "attack suite"

    key: str = option(
        label=_("Key"),
        help=_("Key of the new suite: lower-case letters, digits and hyphens, for example aaa-davidson."),
        longest=60,
        metavar="SUITE",
    )
    name: str = option(
        "",
        label=_("Name"),
        help=_("Name of the new suite, for example “Attacks on Davidson 2017”."),
        unless_given=_("the title of the attack"),
        longest=160,
    )
    sample: int | None = option(
        None,
        label=_("Posts per attack"),
        help=_("Number of posts drawn at random from each attack, for example 50. In the paper, a sample was checked."),
        unless_given=_("all"),
        least=1,
        metavar="N",
    )
    attack: str = option(
        "", help=_("Key of an attack that is stored on the platform."), metavar="KEY", without=IN_ADDRESS
    )
    sets: File = option(None, help=_("Folder that attack build wrote."), metavar="DIR", without=IN_ADDRESS)
