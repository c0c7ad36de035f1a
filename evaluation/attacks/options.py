"""The options of attacks, declared once for pages, API and commands."""

from typing import Any, Self

from pydantic import model_validator

from core.options import API, COMMAND, LARGEST_SEED, PAGE, File, Options, only, option, refuse
from evaluation.attacks.algorithm.parameters import FILLED_RULES, PAPER_RULES, TOOL_RULES
from evaluation.attacks.algorithm.scoring import Policy

RULES = {"paper": PAPER_RULES, "tool": TOOL_RULES, "filled": FILLED_RULES}
RULE_NAMES = {
    "paper": "As in the paper: the strongest of all words, then without offensive ones",
    "tool": "As in the public tool: of the 1,500 most frequent words, punctuation deleted",
    "filled": "Filled up: without offensive words first, then cut to the number",
}
POLICIES: dict[Policy, str] = {
    "penalise": "Penalise where no information is left",
    "printed": "Penalise a significant drop, as the paper's text says",
    "warn": "Only warn",
}
STORED = only(COMMAND, "works on what is stored on the platform")
ALL_POLICIES = only(COMMAND, "shows the scores under every policy")
IN_ADDRESS = only(COMMAND, "the address names it")
MOST_SEEDS = 100
FURTHER: dict[str, Any] = {"group": "More settings", "advanced": True}


class AttackOptions(Options):
    """The recipe of an attack on a data set."""

    verb = "attack build"

    dataset: str = option(
        "",
        help="Key of a data set with a training and a test part.",
        needed=(API,),
        without={PAGE: "is chosen on the page before", COMMAND: "works on files"},
    )
    train: File = option(None, help="Labelled training posts.", metavar="FILE", without=STORED)
    test: File = option(None, help="Labelled test posts.", metavar="FILE", without=STORED)
    data: File = option(
        None,
        help="One file with training and test posts, told apart by a split column.",
        metavar="FILE",
        without=STORED,
    )
    text_column: str = option("", help="Column with the texts.", unless_given="found by its name", without=STORED)
    label_column: str = option("", help="Column with the labels.", unless_given="found by its name", without=STORED)
    split_column: str = option("", help="Column with the parts.", unless_given="found by its name", without=STORED)
    out: File = option(
        None, help="Folder to write to.", metavar="DIR", needed=(COMMAND,),
        without=only(COMMAND, "offers a download"),
    )  # fmt: skip
    title: str = option(
        "", help="Of the attack.", unless_given="the data set and the seed", longest=160,
        without={COMMAND: "keeps nothing on the platform"},
    )  # fmt: skip
    seed: int = option(1, help="The same seed gives the same posts, to the byte.", least=0, most=LARGEST_SEED)
    seeds: int = option(
        1, help="Build it with this number of seeds, each in a folder of its own: how far do scores depend on chance?",
        least=1, most=MOST_SEEDS, metavar="N", without=only(COMMAND, "repeats an attack that is built"),
    )  # fmt: skip
    abusive: tuple[str, ...] = option(
        (),
        label="Labels that mean abuse",
        help="All others count as harmless.",
        unless_given="those with a common name, such as hateful",
        metavar="LABEL",
    )
    language: str = option(
        "",
        help="Of the quotation templates and of the lemmas.",
        unless_given="that of the data set, otherwise English",
        longest=20,
        metavar="CODE",
    )
    lexicon: File = option(
        None,
        help="Offensive lemmas in HurtLex's format: none of them is appended to harmless posts.",
        metavar="FILE",
    )
    templates: File = option(
        None,
        label="Quotation templates",
        help="One per line with <post> for the post.",
        unless_given="our own of the language",
        metavar="FILE",
    )
    identifiers: tuple[str, ...] = option(
        (),
        label="Names of groups",
        help="Adds the attack that appends them to harmless posts. One per line.",
        rows=3,
        without={COMMAND: "reads them from a file: --identifiers"},
    )
    identifiers_file: File = option(
        None,
        help="File with names of groups, one per line: adds the attack that appends them to harmless posts.",
        flag="--identifiers",
        metavar="FILE",
        without=only(COMMAND, "takes the names themselves"),
    )
    rules: str = option("paper", label="Choice of words", help="Of the appended words.", choices=RULE_NAMES, **FURTHER)
    words: int = option(
        100, label="Words per class", help="How many words are appended at most.", least=1, most=5000, **FURTHER
    )
    dictionary_size: int | None = option(
        None,
        help="Count the most frequent words only, for example 1500.",
        unless_given="all by the paper's rules, 1,500 by the others",
        least=1,
        most=100_000,
        metavar="N",
        **FURTHER,
    )
    fewest_hashtags: int = option(
        1, help="Fewest words that a post of the Corr attacks gets.", least=1, most=50, metavar="N", **FURTHER
    )
    most_hashtags: int = option(
        5, help="Most words that a post of the Corr attacks gets.", least=1, most=50, metavar="N", **FURTHER
    )

    @model_validator(mode="after")
    def _fit_together(self) -> Self:
        if self.fewest_hashtags > self.most_hashtags:
            refuse(
                f"The most hashtags must not be fewer than the fewest ({self.fewest_hashtags}).", about="most_hashtags"
            )
        if self.data and (self.train or self.test):
            refuse("Give --train FILE and --test FILE, or one --data FILE with a split column.")
        return self


class AttackRunOptions(Options):
    """Which model is attacked."""

    verb = "attack run"

    model: str = option(
        help="Key of a registered model, with @ and a number for an older version: hatebert@2. A command takes a SPEC "
        "such as hf:FOLDER_OR_ID, as evaluate does.",
        longest=500,
        metavar="SPEC",
    )
    version: int | None = option(
        None,
        help="Version of the registered model.",
        unless_given="the newest",
        least=1,
        without={PAGE: "the choice of the model names it", COMMAND: "takes a spec, which needs no registration"},
    )
    sets: File = option(
        None, help="Folder that attack build wrote.", metavar="DIR", needed=(COMMAND,), without=IN_ADDRESS
    )
    out: File = option(
        None, help="Folder the answers go to.", metavar="DIR", without=only(COMMAND, "keeps them itself")
    )
    again: bool = option(
        False,
        help="Replace the answers that are in --out.",
        without=only(COMMAND, "keeps every answer it has"),
    )
    estimate: bool = option(
        False,
        help="Only say what it would cost; nothing is asked.",
        without={PAGE: "has a button for it", API: "has an address for it"},
    )
    policy: Policy = option(
        "penalise",
        help="When a model that ignores hashtags loses its Corr scores.",
        choices=POLICIES,
        without=ALL_POLICIES,
    )


class AttackScoreOptions(Options):
    """Answers of a model that was asked elsewhere."""

    verb = "attack score"

    name: str = option(
        "",
        label="Name of the model",
        help="As you would call it in a paper.",
        longest=200,
        needed=(PAGE, API),
        without={COMMAND: "keeps nothing on the platform"},
    )
    answers: tuple[File, ...] = option(
        label="Answer files",
        help="The sets with a prediction on each line: the files or one .zip archive; a command reads a folder.",
        aliases=("files", "archive"),
        metavar="DIR",
    )
    replace: bool = option(
        False,
        label="Replace the answers of this name",
        help="What is replaced is kept and can be downloaded.",
        without={COMMAND: "keeps nothing on the platform"},
    )
    sets: File = option(
        None, help="Folder that attack build wrote.", metavar="DIR", needed=(COMMAND,), without=IN_ADDRESS
    )
    policy: Policy = option(
        "penalise",
        help="When a model that ignores hashtags loses its Corr scores.",
        choices=POLICIES,
        without=ALL_POLICIES,
    )


class AttackSpreadOptions(Options):
    """The seeds an attack is repeated with, and the model that answers: how far scores depend on chance."""

    verb = "attack spread"
    without = {COMMAND: "attack build --seeds and attack run do it"}

    model: str = option(
        label="Model to repeat it on", help="Key of a registered model, with @ and a number for an older version.",
        longest=500,
    )  # fmt: skip
    seeds: int = option(
        10, label="Number of seeds", help="The first one is that of the attack.", least=2, most=MOST_SEEDS
    )


class AttackSuiteOptions(Options):
    """The suite that an attack becomes, whose labels people check."""

    verb = "attack suite"

    key: str = option(help="Of the new suite: small letters, digits and hyphens.", longest=60, metavar="SUITE")
    name: str = option("", help="Of the new suite.", unless_given="the title of the attack", longest=160)
    sample: int | None = option(
        None,
        label="Posts per attack",
        help="So many posts are drawn of each attack. The paper had a sample checked.",
        unless_given="all",
        least=1,
        metavar="N",
    )
    attack: str = option("", help="Key of an attack that is stored on the platform.", metavar="KEY", without=IN_ADDRESS)
    sets: File = option(None, help="Folder that attack build wrote.", metavar="DIR", without=IN_ADDRESS)
