"""The options of runs, plans and expansions; pages, API and commands are made from them."""

from __future__ import annotations

from typing import Any

from core.inference.servers import MOST_SEED
from core.options import API, COMMAND, LARGEST_SEED, PAGE, File, Options, only, option
from core.text import _
from generation.checks.algorithm.checking import DEFAULT_THRESHOLD
from generation.checks.models import RuleSetName
from generation.checks.validating import LONGEST_NAME

MOST_WANTED = 10_000
MOST_PER_REQUEST = 50
LONGEST_PROVIDER = 64_000
MOST_CASES = 200_000  # of one expansion; a larger space is sampled
LANGUAGE = _("English if the suite has it, otherwise its only language")
ADVANCED = _("Advanced")
STEP = "a step of its own"


class WritingOptions(Options):
    """Who writes, how much, and how the messages are checked."""

    groups: tuple[str, ...] = option(
        (), label=_("Groups"),
        help=_("Choose the groups that the messages are about. Some functionalities are about no group in particular."),
        flag="--group", repeated=True, metavar="KEY",
    )  # fmt: skip
    wanted: int = option(
        20, label=_("Messages per group"), help=_("The model writes this number of messages for each group."),
        least=1, most=MOST_WANTED, flag="--n", metavar="N",
    )  # fmt: skip
    per_request: int = option(
        10, label=_("Messages per request"), help=_("This number of messages is requested at once."), least=1,
        most=MOST_PER_REQUEST, group=ADVANCED, advanced=True,
    )  # fmt: skip
    seed: int | None = option(
        None, label=_("Seed"), help=_("The same seed gives the same answers; another seed gives new ones."), least=0,
        most=MOST_SEED, unless_given=_("the seed of the provider file"), group=ADVANCED, advanced=True,
    )  # fmt: skip
    nli_model: str = option(
        "", label=_("Inference model"),
        help=_("Enter the folder or hub id of a model that checks the messages. Example: owner/model."),
        unless_given=_("screening only"), longest=LONGEST_NAME, flag="--nli", metavar="MODEL",
    )  # fmt: skip
    rule_set: RuleSetName = option(
        RuleSetName.TOUCHSTONE, label=_("Hypotheses"),
        help=_("Choose the hypotheses that the inference model is asked about each message."),
        flag="--hypotheses", group=ADVANCED, advanced=True,
    )  # fmt: skip
    threshold: float = option(
        DEFAULT_THRESHOLD, label=_("Threshold"), help=_("A hypothesis holds above this score. Example: 0.5."), least=0,
        most=1, group=ADVANCED, advanced=True,
    )  # fmt: skip
    provider_file: File = option(
        None, label=_("Provider file"), help=_("Use a YAML file as described in docs/generation.md."),
        flag="--provider", metavar="FILE.yaml", without={API: "the text of the file is sent"},
    )  # fmt: skip
    provider: str = option(
        "", label=_("Provider"),
        help=_("Enter the text of a provider file. Name the key by a variable that ends in _API_KEY."), rows=9,
        longest=LONGEST_PROVIDER, needed=(API,), without={COMMAND: "names the file"},
    )  # fmt: skip

    @property
    def place(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Codes of languages and keys of functionalities."""
        raise NotImplementedError

    def settings(self) -> dict[str, Any]:
        """Return how each run writes and checks."""
        return self.model_dump(include={"wanted", "per_request", "seed", "nli_model", "rule_set", "threshold"})


class RunPlace(Options):
    suite: str = option(help="Key of the suite.")
    functionality: str = option(help="Key of the functionality.")
    language: str = option("", help="Code of the language.", unless_given=LANGUAGE)


class RunOptions(WritingOptions, RunPlace):
    """One run: a functionality in a language. `provider` is the text of a provider file."""

    verb = "generation run"
    without = {PAGE: "starts plans, which can have one run", COMMAND: "generate_llm starts plans of one or more runs"}

    @property
    def place(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return (self.language,), (self.functionality,)


class PlanPlace(Options):
    suite: str = option(
        label=_("Suite"), help=_("Choose the suite that the messages are written for."), positional=True
    )
    languages: tuple[str, ...] = option(
        (), label=_("Languages"), help=_("Choose the languages that the model writes in."), unless_given=LANGUAGE,
        flag="--language", repeated=True, metavar="CODE",
    )  # fmt: skip
    functionalities: tuple[str, ...] = option(
        (), label=_("Functionalities"),
        help=_("Choose what the messages test: one or more functionalities, or all that have a prompt."),
        flag="--functionality", repeated=True, metavar="KEY", needed=(PAGE, API),
    )  # fmt: skip


class PlanOptions(WritingOptions, PlanPlace):
    """A plan: one run per functionality and language, with one provider and one budget."""

    verb = "generate_llm"

    resume: str = option(
        "", help="Continue a run or plan that broke off. Nothing is asked twice.", metavar="RUN",
        without=only(COMMAND, STEP),
    )  # fmt: skip
    accept_passing: bool = option(
        False, help="Make cases of candidates that are clean and, with --nli, pass.", without=only(COMMAND, STEP)
    )
    dry_run: bool = option(False, help="Show the prompt and the cost. Ask nothing.", without=only(COMMAND, STEP))

    @property
    def place(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return self.languages or ("",), self.functionalities


class ExpansionOptions(Options):
    """What to expand: everything, or a sample drawn by `seed` in which all groups are equally large."""

    verb = "expand_templates"

    suite: str = option(
        label=_("Suite"), help=_("Choose the suite whose approved templates are expanded."), positional=True
    )
    language: str = option(
        "", label=_("Language"), help=_("Choose the language of the templates."), unless_given=LANGUAGE
    )
    functionalities: tuple[str, ...] = option(
        (), label=_("Functionalities"), help=_("Choose the functionalities whose templates are expanded."),
        unless_given=_("all functionalities"), flag="--functionality", repeated=True, metavar="KEY",
        group=_("Functionalities"), advanced=True,
    )  # fmt: skip
    size: int | None = option(
        None, label=_("Size of the sample"),
        help=_("The sample is drawn evenly over functionalities, templates and groups. Example: 500."),
        least=1, most=MOST_CASES, unless_given=_("no sample, all texts"), flag="--sample", metavar="N",
    )  # fmt: skip
    seed: int = option(0, label=_("Seed"), help=_("The same seed draws the same sample."), least=0, most=LARGEST_SEED)
    similarity: float | None = option(
        None, label=_("Similarity of near duplicates"),
        help=_("Leave out texts that are at least this similar to another text of their group. Example: 0.9."),
        least=0.5, most=1, unless_given=_("near duplicates are kept"),
    )  # fmt: skip
    across_groups: bool = option(
        False, label=_("Combine words of different groups"),
        help=_("Use this for templates with several placeholders for group words."),
    )  # fmt: skip
    count: bool = option(False, help="Count the texts. Make nothing.", without=only(COMMAND, STEP))
