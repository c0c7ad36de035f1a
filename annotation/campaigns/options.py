"""The options of the verbs about campaigns; page, API and command line are made from them."""

from decimal import Decimal
from typing import Annotated, Any, Self

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from pydantic import BeforeValidator, model_validator

from annotation.campaigns.choosing import Selection
from annotation.campaigns.guidelines import LONGEST
from annotation.campaigns.models import QUESTIONS, CampaignState, CrowdPlatform, Mode, PayUnit, Role, Source
from annotation.labelling.quality_rules import CONSEQUENCES
from annotation.questions import Labels
from core.options import API, COMMAND, PAGE, Options, only, option, refuse
from curation.cases.models import Origin

CASES, ASKED, PEOPLE, BEFORE, QUALITY, PAY = (
    "Which cases", "What is asked", "Who labels", "Before the first text: consent, test, facts about people",
    "Quality: checks, too fast, skips", "Pay and completion",
)  # fmt: skip
ALL = "all"
# The quality rules as a campaign stores them, with the prefix and the parts of their options.
RULES = {
    "too_fast": ("too_fast", ("milliseconds", "times", "then")),
    "skips_in_a_row": ("skips", ("times", "then")),
    "failed_checks": ("checks", ("times", "then")),
}


class CampaignOptions(Options):
    """What a campaign asks, of whom, and about which cases."""

    title: str = option(help="As annotators read it.", longest=160)
    language: str | None = option(
        None, help="Code of the language, for example de.", unless_given="all languages of the suite"
    )
    origins: tuple[Origin, ...] = option((), help="Where the cases come from.", unless_given=ALL, group=CASES)
    only_unlabelled: bool = option(
        False, label="Only cases without a verdict", help="Leave out cases that have a verdict.", group=CASES
    )
    sample: int | None = option(
        None, help="Draw this number of cases, evenly over functionalities.", unless_given=ALL, least=1, group=CASES
    )
    functionalities: tuple[str, ...] = option(
        (), help="Keys of functionalities.", unless_given=ALL, group="Only some functionalities", advanced=True
    )
    targets: tuple[str, ...] = option(
        (), label="Target groups", help="Names of target groups.", unless_given=ALL, group="Only some target groups",
        advanced=True,
    )  # fmt: skip
    keys: tuple[str, ...] = option(
        (), label="Single cases", help="Keys of cases, one per line.", unless_given=ALL, rows=4,
        group="Only single cases", advanced=True,
    )  # fmt: skip
    question: str = option(
        Labels.key, help="What annotators decide about a text.", choices=dict(QUESTIONS), group=ASKED
    )
    prompt: str = option(
        "", label="The question in words", help="As annotators read it.", unless_given="the usual words", longest=300,
        group=ASKED,
    )  # fmt: skip
    labels: tuple[str, ...] = option(
        (), label="Own answers", help="Two to nine, one per line. Only for an own list of answers.", longest=60, rows=4,
        group=ASKED,
    )  # fmt: skip
    binarise_above: int = option(
        3, label="Cut of the scale", help="On a scale: steps above this one count as positive.", least=1, most=4,
        group=ASKED,
    )  # fmt: skip
    guideline: str | None = option(
        None, help="Language and version, for example de:2; a version alone is one of the campaign's language.",
        unless_given="the newest of the language", aliases=("guideline_version",), group=ASKED,
    )  # fmt: skip
    raters: int | None = option(
        None, label="Labels per case", help="How many annotators label each case.", unless_given="that of the suite",
        least=1, most=1000, group=ASKED,
    )  # fmt: skip
    threshold: int | None = option(
        None, label="Minimum agreement",
        help="Minimum number of labels equal to the gold label. A case with fewer is disputed.",
        unless_given="that of the suite", least=1, group=ASKED,
    )  # fmt: skip
    mode: Mode = option(Mode.TEAM, help="How cases are handed out.", group=PEOPLE)
    invited_only: bool = option(
        True, label="By invitation only", help="Only annotators who were added to the campaign may label.", group=PEOPLE
    )
    group_members_first: bool = option(
        False, label="Members of a group first", help="Show reclaimed slurs to members of the group first.",
        group=PEOPLE,
    )  # fmt: skip
    platform: CrowdPlatform = option(
        CrowdPlatform.NONE, label="Crowd platform", help="The link for platforms admits participants of this one only.",
        group=PEOPLE,
    )  # fmt: skip
    per_annotator: int | None = option(
        None, label="Maximum cases per annotator", help="In a crowd, after this number an annotator is done.",
        unless_given="no limit", least=1, group=PEOPLE,
    )  # fmt: skip
    batch_size: int = option(
        10, label="Cases leased ahead", help="In a crowd, this number of texts is kept ready for one annotator.",
        least=1, most=50, group=PEOPLE,
    )  # fmt: skip
    lease_minutes: int = option(
        30, label="Minutes a lease lasts",
        help="In a crowd, texts that are not answered within this time go to another annotator.", least=1, most=1440,
        group=PEOPLE,
    )  # fmt: skip
    consent_text: str = option(
        "", help="What annotators agree to.", unless_given="the usual text", rows=4, group=BEFORE, advanced=True
    )
    pass_mark: float | None = option(
        None, help="Share of right answers in the qualification test, for example 0.7.", unless_given="no test",
        above=0, most=1, group=BEFORE, advanced=True,
    )  # fmt: skip
    qualification_tries: int = option(
        2, label="Tries at the test", help="How often the test may be taken.", least=1, most=100, group=BEFORE,
        advanced=True,
    )  # fmt: skip
    asks_demographics: bool = option(
        True, label="Ask annotators about themselves", help="Voluntary questions, for the data statement.",
        group=BEFORE, advanced=True,
    )  # fmt: skip
    links_demographics: bool = option(
        False, label="Compare groups of annotators",
        help="Ask whether the answers may be linked to the labels. Answers of annotators who do not agree stay apart.",
        group=BEFORE, advanced=True,
    )  # fmt: skip
    check_every: int = option(
        20, label="Cases between two checks", help="In a crowd, one text with a known answer after this number.",
        least=1, most=10_000, group=QUALITY, advanced=True,
    )  # fmt: skip
    checks_times: int | None = option(
        None, label="Failed checks", help="After this number of wrong answers something happens.",
        unless_given="no rule", least=1, group=QUALITY, advanced=True,
    )  # fmt: skip
    checks_then: str = option(
        "", label="Then", help="What follows failed checks.", unless_given="nothing", choices=dict(CONSEQUENCES),
        group=QUALITY, advanced=True,
    )  # fmt: skip
    too_fast_milliseconds: int | None = option(
        None, label="Too fast is below (milliseconds)", help="Faster answers count as too fast.",
        unless_given="no rule", least=1, group=QUALITY, advanced=True,
    )  # fmt: skip
    too_fast_times: int | None = option(
        None, label="Too fast in a row", help="After this number of fast answers something happens.",
        unless_given="no rule", least=1, group=QUALITY, advanced=True,
    )  # fmt: skip
    too_fast_then: str = option(
        "", label="Then", help="What follows answers that are too fast.", unless_given="nothing",
        choices=dict(CONSEQUENCES), group=QUALITY, advanced=True,
    )  # fmt: skip
    skips_times: int | None = option(
        None, label="Skips in a row", help="After this number of skipped texts something happens.",
        unless_given="no rule", least=1, group=QUALITY, advanced=True,
    )  # fmt: skip
    skips_then: str = option(
        "", label="Then", help="What follows skipped texts.", unless_given="nothing", choices=dict(CONSEQUENCES),
        group=QUALITY, advanced=True,
    )  # fmt: skip
    pay_unit: PayUnit = option(PayUnit.NONE, label="Pay", help="What is paid for.", group=PAY, advanced=True)
    pay_amount: Decimal | None = option(
        None, help="Per case or per hour, for example 0.12.", unless_given="no pay", above=0, below=100_000, group=PAY,
        advanced=True,
    )  # fmt: skip
    pay_currency: str = option(
        "EUR", label="Currency", help="Its code of three letters.", longest=3, group=PAY, advanced=True
    )
    seconds_per_case: int = option(
        8, help="For the estimate of time and cost.", least=1, most=3600, group=PAY, advanced=True
    )
    completion_code: str = option(
        "", help="What participants enter on their platform.", longest=80, group=PAY, advanced=True
    )
    completion_url: str = option(
        "", label="Completion address", help="Where participants return to their platform.", longest=200, group=PAY,
        advanced=True,
    )  # fmt: skip

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        """Half a rule is no rule, and no one would notice that it is missing."""
        for prefix, parts in RULES.values():
            missing = [name for part in parts if not getattr(self, name := f"{prefix}_{part}")]
            if missing and len(missing) < len(parts):
                refuse("Fill in the whole rule, or leave all of it empty.", about=missing[0])
        if self.links_demographics and not self.asks_demographics:
            refuse("Ask annotators about themselves, or do not link their answers.", about="links_demographics")
        if self.pay_unit and self.pay_amount is None:
            refuse("Say how much is paid, or choose that pay is not handled here.", about="pay_amount")
        if self.pay_amount is not None and self.pay_amount != round(self.pay_amount, 3):
            refuse("Use at most three decimal places.", about="pay_amount")
        if self.completion_url:
            try:
                URLValidator()(self.completion_url)
            except ValidationError:
                refuse("Write a full address, for example https://example.org/done.", about="completion_url")
        return self

    def selection(self) -> Selection:
        """Return which cases are chosen."""
        return Selection(**{name: getattr(self, name) for name in Selection.__slots__})

    def quality_rules(self) -> dict[str, Any]:
        """Return the complete rules as a campaign stores them."""
        return {
            name: {part: getattr(self, f"{prefix}_{part}") for part in parts}
            for name, (prefix, parts) in RULES.items()
            if getattr(self, f"{prefix}_then")
        }


def rule_options(quality_rules: dict[str, Any]) -> dict[str, Any]:
    """Return the options that say the rules a campaign stores."""
    return {
        f"{prefix}_{part}": quality_rules.get(name, {}).get(part, "" if part == "then" else None)
        for name, (prefix, parts) in RULES.items()
        for part in parts
    }


class SuiteOptions(Options):
    """The suite that a campaign belongs to."""

    suite: str = option(help="Key of the suite.", positional=True)


class NewCampaignOptions(CampaignOptions, SuiteOptions):  # in this order the suite comes first on the page
    """What a new campaign asks, of whom, and about which cases of a suite."""

    verb = "campaign create"


class ChangeCampaignOptions(CampaignOptions):
    """What changes in a draft. The API keeps what is left out."""

    verb = "campaign change"
    without = {COMMAND: "a draft is changed on its page; the command makes a new one"}


class ListCampaignsOptions(Options):
    """Which campaigns are listed."""

    verb = "campaign list"
    without = {PAGE: "is the list of campaigns", API: "lists campaigns by an address with filters"}

    suite: str = option("", help="Key of a suite.", unless_given="campaigns of all suites", positional=True)
    state: CampaignState | None = option(None, help="Only campaigns in this state.", unless_given="any state")


class OpenCampaignOptions(Options):
    """Which draft is opened: its cases are dealt and annotators may begin."""

    verb = "campaign open"
    without = {PAGE: "has a button", API: "has an address for each campaign"}

    campaign: str = option(help="Key of the campaign.", positional=True)


class CloseOptions(Options):
    """How a campaign is closed: its labels become verdicts."""

    verb = "campaign close"
    without = {PAGE: "has a button"}

    campaign: str = option(
        "", help="Key of the campaign.", positional=True, needed=(COMMAND,), without={API: "the address says it"}
    )
    leave_out_incomplete: bool = option(False, help="Cases without all labels get no verdict.")


class PlatformOptions(Options):
    """Which crowd platform a campaign takes participants from."""

    verb = "campaign platform"
    without = {COMMAND: "a signed-in maintainer chooses; campaign create takes the platform of a new campaign"}

    platform: CrowdPlatform = option(
        CrowdPlatform.NONE, label="Crowd platform", help="The link for platforms admits participants of this one only.",
        needed=(API,),
    )  # fmt: skip


ANOTHER_CAMPAIGN = "campaign"
PARTS = ("text", "expected", "explanation", "language")
HOW = "Write text | expected answer | explanation."


def parse_items(given: Any) -> list[dict[str, str]]:
    """Return texts with a known answer from objects, or from lines `text | expected answer | explanation`.

    Raises ValueError with the number of the line that lacks an expected answer.
    """
    found = []
    for number, item in enumerate(given, 1):
        if isinstance(item, str):
            item = dict(zip(PARTS[:3], map(str.strip, item.split("|", 2)), strict=False))
        if not isinstance(item, dict) or not set(item) <= set(PARTS):
            raise ValueError(f"Line {number} is not a text with its answer. {HOW}")
        for name, word in (("text", "text"), ("expected", "expected answer")):
            if not str(item.get(name, "")).strip():
                raise ValueError(f"Line {number} has no {word}. {HOW}")
        found.append(item)
    return found


class ItemsOptions(Options):
    """Texts with a known answer: own ones, or a number of the catalogue's examples or of the chosen cases."""

    verb = "campaign items"
    without = {COMMAND: "a signed-in maintainer adds them to a draft"}

    role: str = option(
        label="For", help="What the texts are for.",
        choices={role.value: role.label for role in (Role.TRAINING, Role.TEST, Role.CHECK)},
    )  # fmt: skip
    source: str = option(
        Source.OWN.value, label="From",
        help="Examples and cases are balanced over labels. Chosen cases are then not labelled.",
        choices={**dict(Source.choices), ANOTHER_CAMPAIGN: "Texts of another campaign"},
    )  # fmt: skip
    campaign: str = option(
        "", label="Other campaign", help="Whose texts for the same purpose are copied.", unless_given="none"
    )
    number: int = option(8, label="How many", help="For examples and cases.", least=1, most=200)
    language: str = option(
        "", label="Language of own texts", help="Its code; needed where the campaign has several.",
        unless_given="the language of the campaign",
    )  # fmt: skip
    items: Annotated[tuple[dict[str, str], ...], BeforeValidator(parse_items)] = option(
        (), label="Own texts", rows=5,
        help="One per line: text | expected answer | explanation. In the API also objects with these three and a "
        "language.",
    )  # fmt: skip


class ItemOptions(Options):
    """What changes in one text with a known answer."""

    verb = "campaign item"
    without = {COMMAND: "a signed-in maintainer changes it in a draft"}

    text: str = option("", help="The text. That of a case stays.", unless_given="unchanged", rows=2)
    expected: str = option(label="Expected answer", help="The right answer.", longest=60)
    explanation: str = option(
        "", help="Shown after the answer in training. Name the rule of the guideline it follows.", rows=2
    )


class GuidelineOptions(Options):
    """The next version of a language's guideline."""

    verb = "guideline"
    without = {COMMAND: "a signed-in expert of the language writes it"}

    language: str = option(
        "", help="Code of the language.", longest=20, needed=(API,), without=only(API, "the address says it")
    )
    title: str = option("", help="Of this version.", unless_given="the first heading of the text", longest=160)
    text: str = option(help="Markdown: what annotators have to decide, and how.", longest=LONGEST, rows=24)
