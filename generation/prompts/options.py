"""The options of a prompt's wording and of a trial; page and API are made from them."""

from core.options import COMMAND, Options, option
from generation.prompts.algorithm.values import Instruction, PromptVersion, Skeleton

LONGEST_PART = 20_000
MOST_MESSAGES = 20
NEWEST = "that of the newest version"
SHARED = "Shared by all prompts of the language"


class PromptOptions(Options):
    """A wording of a prompt. In the API, whatever is left out is that of the newest version."""

    verb = "prompt"
    without = {COMMAND: "experts write prompts in a browser or by a program"}

    instruction: str = option(
        help="What the messages shall do, as the end of “Write messages that …”. {group} stands for the group.",
        rows=3, longest=LONGEST_PART,
    )  # fmt: skip
    demonstration: str = option("", help="One mild example.", rows=2, longest=LONGEST_PART)
    uses_slurs: bool = option(
        False, label="Gives the model a list of slurs", help="Slurs are needed to test whether they are recognised."
    )
    slurs: tuple[str, ...] = option(
        (), help="Used instead of those of the group in the lexicon.", longest=100, unless_given="the lexicon's"
    )
    system: str = option(
        "", label="System message", help="Who the model is, and what the messages are for.", rows=4,
        longest=LONGEST_PART, unless_given=NEWEST, group=SHARED,
    )  # fmt: skip
    task: str = option(
        "", help="Holds {count} and {instruction}.", longest=LONGEST_PART, unless_given=NEWEST, group=SHARED
    )
    demonstration_part: str = option(
        "", label="Around the demonstration", help="Holds {demonstration}.", rows=2, longest=LONGEST_PART,
        unless_given=NEWEST, group=SHARED,
    )  # fmt: skip
    slurs_part: str = option(
        "", label="Around the slurs", help="Holds {slurs}.", longest=LONGEST_PART, unless_given=NEWEST, group=SHARED
    )
    answer: str = option(
        "", label="Form of the answer", help="May hold {count}.", rows=2, longest=LONGEST_PART, unless_given=NEWEST,
        group=SHARED,
    )  # fmt: skip
    note: str = option(label="What changed and why", help="Shown in the list of versions.", longest=300)

    def as_version(self, language: str, functionality: str) -> PromptVersion:
        """Return the wording with plain line ends: browsers send others, and the same words are the same prompt."""
        text = {name: value.replace("\r\n", "\n") for name, value in self if isinstance(value, str)}
        skeleton = (text[name] for name in ("system", "task", "demonstration_part", "slurs_part", "answer"))
        return PromptVersion(
            Skeleton(language, *skeleton),
            Instruction(functionality, text["instruction"], text["demonstration"], self.uses_slurs),
        )


class TrialOptions(Options):
    """Versions to try on one small batch each at temperature 0. `provider` is the text of a provider file."""

    verb = "trial"
    without = {COMMAND: "outcomes are compared on a page"}

    versions: tuple[int, ...] = option(help="Numbers of versions, at most five.", least=1)
    suite: str = option(help="Key of the suite whose lexicon has the slurs.")
    group: str = option("", help="Key of the group that the messages are about.")
    count: int = option(5, label="Messages", help="Number of messages of each version.", least=1, most=MOST_MESSAGES)
    provider: str = option(
        help="The text of a provider file. Name the key by a variable that ends in _API_KEY.", rows=9, longest=64_000
    )
