"""The options of a prompt's wording and of a trial; page and API are made from them."""

from core.options import COMMAND, Options, option
from core.text import _
from generation.prompts.algorithm.values import Instruction, PromptVersion, Skeleton

LONGEST_PART = 20_000
MOST_MESSAGES = 20
NEWEST = _("that of the newest version")
SHARED = _("Shared by all prompts of the language")


class PromptOptions(Options):
    """A wording of a prompt. In the API, whatever is left out is that of the newest version."""

    verb = "prompt"
    without = {COMMAND: "experts write prompts in a browser or by a program"}

    instruction: str = option(
        label=_("Instruction"),
        help=_(
            "Complete the sentence “Write messages that …”. {group} stands for the group. "
            "Example: say something positive about {group}."
        ),
        rows=3, longest=LONGEST_PART,
    )  # fmt: skip
    demonstration: str = option(
        "", label=_("Demonstration"), help=_("Give one mild example of such a message."), rows=2, longest=LONGEST_PART
    )
    uses_slurs: bool = option(
        False, label=_("Give the model a list of slurs"),
        help=_("This is needed to test whether a detector recognises slurs."),
    )  # fmt: skip
    slurs: tuple[str, ...] = option(
        (), label=_("Slurs"),
        help=_("Separate slurs with commas. They are used instead of those for the group in the lexicon."),
        longest=100, unless_given=_("those of the lexicon"),
    )  # fmt: skip
    system: str = option(
        "", label=_("System message"), help=_("Tell the model who it is and what the messages are for."), rows=4,
        longest=LONGEST_PART, unless_given=NEWEST, group=SHARED,
    )  # fmt: skip
    task: str = option(
        "", label=_("Task"), help=_("This part must contain {count} and {instruction}."), longest=LONGEST_PART,
        unless_given=NEWEST, group=SHARED,
    )  # fmt: skip
    demonstration_part: str = option(
        "", label=_("Text around the demonstration"), help=_("This part must contain {demonstration}."), rows=2,
        longest=LONGEST_PART, unless_given=NEWEST, group=SHARED,
    )  # fmt: skip
    slurs_part: str = option(
        "", label=_("Text around the slurs"), help=_("This part must contain {slurs}."), longest=LONGEST_PART,
        unless_given=NEWEST, group=SHARED,
    )  # fmt: skip
    answer: str = option(
        "", label=_("Answer format"), help=_("This part may contain {count}."), rows=2, longest=LONGEST_PART,
        unless_given=NEWEST, group=SHARED,
    )  # fmt: skip
    note: str = option(
        label=_("Change note"), help=_("Say what changed and why. The list of versions shows it."), longest=300
    )

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

    versions: tuple[int, ...] = option(label=_("Versions"), help=_("Choose at most five versions."), least=1)
    suite: str = option(label=_("Suite"), help=_("Choose the suite whose lexicon has the slurs."))
    group: str = option("", label=_("Group"), help=_("Choose the group that the messages are about."))
    count: int = option(
        5,
        label=_("Messages"),
        help=_("The model writes this number of messages for each version."),
        least=1,
        most=MOST_MESSAGES,
    )
    provider: str = option(
        label=_("Provider"),
        help=_("Enter the text of a provider file. Name the key by a variable that ends in _API_KEY."),
        rows=9, longest=64_000,
    )  # fmt: skip
