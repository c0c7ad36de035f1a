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
from core.text import _, pgettext
from curation.cases.models import Origin

CASES, ASKED, PEOPLE, BEFORE, QUALITY, PAY = (
    _("Cases"), _("Question"), _("Annotators"), _("Before the first text: consent, test, questions about annotators"),
    _("Quality rules: attention checks, speed, skips"), _("Pay and completion"),
)  # fmt: skip
ONE_PLATFORM = _("The link for platforms admits participants of this platform only.")
ALL, NO_RULE, OF_THE_SUITE = _("all"), _("no rule"), _("the setting of the suite")
# The quality rules as a campaign stores them, with the prefix and the parts of their options.
RULES = {
    "too_fast": ("too_fast", ("milliseconds", "times", "then")),
    "skips_in_a_row": ("skips", ("times", "then")),
    "failed_checks": ("checks", ("times", "then")),
}


class CampaignOptions(Options):
    """What a campaign asks, of whom, and about which cases."""

    title: str = option(
        label=_("Title"), help=_("Annotators see this title. Example: German, first campaign."), longest=160
    )
    language: str | None = option(
        None, label=_("Language"), help=_("Only cases in this language. The API takes its code. Example: de."),
        unless_given=_("all languages of the suite"),
    )  # fmt: skip
    origins: tuple[Origin, ...] = option(
        (), label=_("Origins"), help=_("Only cases that were made in one of these ways."), unless_given=ALL, group=CASES
    )
    only_unlabelled: bool = option(
        False, label=_("Only cases without a verdict"), help=_("Leave out cases that already have a verdict."),
        group=CASES,
    )  # fmt: skip
    sample: int | None = option(
        None, label=_("Sample"),
        help=_("Label a random sample of this many cases, balanced by functionality. Example: 500."), unless_given=ALL,
        least=1, group=CASES,
    )  # fmt: skip
    functionalities: tuple[str, ...] = option(
        (), label=_("Functionalities"), help=_("Only cases of these functionalities. The API takes their keys."),
        unless_given=ALL, group=_("Only some functionalities"), advanced=True,
    )  # fmt: skip
    targets: tuple[str, ...] = option(
        (), label=_("Target groups"), help=_("Only cases about these target groups. The API takes their names."),
        unless_given=ALL, group=_("Only some target groups"), advanced=True,
    )  # fmt: skip
    keys: tuple[str, ...] = option(
        (), label=_("Single cases"), help=_("Only these cases: write their keys, one per line. Example: en-0012."),
        unless_given=ALL, rows=4, group=_("Only single cases"), advanced=True,
    )  # fmt: skip
    question: str = option(
        Labels.key, label=_("Question"), help=_("What annotators decide about each text."), choices=dict(QUESTIONS),
        group=ASKED,
    )  # fmt: skip
    prompt: str = option(
        "", label=_("Wording of the question"), help=_("Annotators read this above each text."),
        unless_given=_("the usual wording"), longest=300, group=ASKED,
    )  # fmt: skip
    labels: tuple[str, ...] = option(
        (), label=_("Own answers"), help=_("Two to nine answers, one per line. Only for your own list of answers."),
        longest=60, rows=4, group=ASKED,
    )  # fmt: skip
    binarise_above: int = option(
        3, label=_("Cut of the scale"),
        help=_("Steps above this one count as the positive label. Example: with 3, the steps 4 and 5 count."), least=1,
        most=4, group=ASKED,
    )  # fmt: skip
    guideline: str | None = option(
        None, label=_("Guideline"),
        help=_("Language and version. Example: de:2. A version alone is one of the campaign's language."),
        unless_given=_("the newest version in the language"), aliases=("guideline_version",), group=ASKED,
    )  # fmt: skip
    raters: int | None = option(
        None, label=_("Labels per case"), help=_("How many annotators label each case. Example: 5."),
        unless_given=OF_THE_SUITE, least=1, most=1000, group=ASKED,
    )  # fmt: skip
    threshold: int | None = option(
        None, label=_("Minimum agreement"),
        help=_(
            "How many labels must equal the gold label. Cases with fewer are disagreements. Example: 4 of 5."
        ),
        unless_given=OF_THE_SUITE, least=1, group=ASKED,
    )  # fmt: skip
    mode: Mode = option(Mode.TEAM, label=_("Mode"), help=_("How cases are given to annotators."), group=PEOPLE)
    invited_only: bool = option(
        True, label=_("By invitation only"), help=_("Only annotators who were added to the campaign may label."),
        group=PEOPLE,
    )  # fmt: skip
    group_members_first: bool = option(
        False, label=_("Members of a group first"),
        help=_("Show cases about reclaimed slurs to members of the group first."), group=PEOPLE,
    )  # fmt: skip
    platform: CrowdPlatform = option(CrowdPlatform.NONE, label=_("Crowd platform"), help=ONE_PLATFORM, group=PEOPLE)
    per_annotator: int | None = option(
        None, label=_("Maximum cases per annotator"),
        help=_("In a crowd, annotators are done after this number of cases. Example: 200."), unless_given=_("no limit"),
        least=1, group=PEOPLE,
    )  # fmt: skip
    batch_size: int = option(
        10, label=_("Cases leased ahead"),
        help=_("In a crowd, this number of texts is kept ready for each annotator. Example: 10."), least=1, most=50,
        group=PEOPLE,
    )  # fmt: skip
    lease_minutes: int = option(
        30, label=_("Length of a lease (minutes)"),
        help=_("In a crowd, texts without an answer after this time go to another annotator. Example: 30."), least=1,
        most=1440, group=PEOPLE,
    )  # fmt: skip
    consent_text: str = option(
        "", label=_("Consent text"), help=_("Annotators agree to this text before they start."),
        unless_given=_("the usual text"), rows=4, group=BEFORE, advanced=True,
    )  # fmt: skip
    pass_mark: float | None = option(
        None, label=_("Pass mark"), help=_("Share of right answers needed in the qualification test. Example: 0.7."),
        unless_given=_("no test"), above=0, most=1, group=BEFORE, advanced=True,
    )  # fmt: skip
    qualification_tries: int = option(
        2, label=_("Tries at the test"), help=_("How often each annotator may take the test. Example: 2."), least=1,
        most=100, group=BEFORE, advanced=True,
    )  # fmt: skip
    asks_demographics: bool = option(
        True, label=_("Ask annotators about themselves"),
        help=_("Ask voluntary questions whose answers go into the data statement."), group=BEFORE, advanced=True,
    )  # fmt: skip
    links_demographics: bool = option(
        False, label=_("Compare groups of annotators"),
        help=_("Ask annotators whether their answers may be linked to their labels. All other answers stay apart."),
        group=BEFORE, advanced=True,
    )  # fmt: skip
    check_every: int = option(
        20, label=_("Distance of attention checks"),
        help=_("In a crowd, insert an attention check every N texts. Example: 20."), least=1, most=10_000,
        group=QUALITY, advanced=True,
    )  # fmt: skip
    checks_times: int | None = option(
        None, label=_("Failed checks"),
        help=_("Apply the rule after this number of wrong answers to attention checks. Example: 3."),
        unless_given=NO_RULE, least=1, group=QUALITY, advanced=True,
    )  # fmt: skip
    checks_then: str = option(
        "", label=_("Consequence of failed checks"),
        help=_("Warn the annotator, pause their work until a maintainer has looked, or end it."), unless_given=NO_RULE,
        choices=dict(CONSEQUENCES), group=QUALITY, advanced=True,
    )  # fmt: skip
    too_fast_milliseconds: int | None = option(
        None, label=_("Flag answers faster than (ms)"),
        help=_("Answers below this time count as too fast. Example: 600."), unless_given=NO_RULE, least=1,
        group=QUALITY, advanced=True,
    )  # fmt: skip
    too_fast_times: int | None = option(
        None, label=_("Fast answers in a row"),
        help=_("Apply the rule after this number of answers that are too fast. Example: 5."), unless_given=NO_RULE,
        least=1, group=QUALITY, advanced=True,
    )  # fmt: skip
    too_fast_then: str = option(
        "", label=_("Consequence of fast answers"),
        help=_("Warn the annotator, pause their work until a maintainer has looked, or end it."), unless_given=NO_RULE,
        choices=dict(CONSEQUENCES), group=QUALITY, advanced=True,
    )  # fmt: skip
    skips_times: int | None = option(
        None, label=_("Skips in a row"), help=_("Apply the rule after this number of skipped texts. Example: 5."),
        unless_given=NO_RULE, least=1, group=QUALITY, advanced=True,
    )  # fmt: skip
    skips_then: str = option(
        "", label=_("Consequence of skips"),
        help=_("Warn the annotator, pause their work until a maintainer has looked, or end it."), unless_given=NO_RULE,
        choices=dict(CONSEQUENCES), group=QUALITY, advanced=True,
    )  # fmt: skip
    pay_unit: PayUnit = option(
        PayUnit.NONE, label=_("Pay"), help=_("What annotators are paid for."), group=PAY, advanced=True
    )
    pay_amount: Decimal | None = option(
        None, label=_("Amount"), help=_("Pay per case or per hour. Example: 0.12."), unless_given=_("no pay"), above=0,
        below=100_000, group=PAY, advanced=True,
    )  # fmt: skip
    pay_currency: str = option(
        "EUR", label=_("Currency"), help=_("The code of three letters. Example: EUR."), longest=3, group=PAY,
        advanced=True,
    )  # fmt: skip
    seconds_per_case: int = option(
        8, label=_("Seconds per case"), help=_("Used to estimate time and cost. Example: 8."), least=1, most=3600,
        group=PAY, advanced=True,
    )  # fmt: skip
    completion_code: str = option(
        "", label=_("Completion code"), help=_("Participants enter this code on their platform. Example: C1A2B3."),
        longest=80, group=PAY, advanced=True,
    )  # fmt: skip
    completion_url: str = option(
        "", label=_("Completion address"),
        help=_("Participants return to their platform here. Example: https://example.org/done."), longest=200,
        group=PAY, advanced=True,
    )  # fmt: skip

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        """Half a rule is no rule, and no one would notice that it is missing."""
        for prefix, parts in RULES.values():
            missing = [name for part in parts if not getattr(self, name := f"{prefix}_{part}")]
            if missing and len(missing) < len(parts):
                refuse(_("Fill in the whole rule, or leave all of it empty."), about=missing[0])
        if self.links_demographics and not self.asks_demographics:
            refuse(
                _("Ask annotators about themselves, or do not compare groups of annotators."),
                about="links_demographics",
            )
        if self.pay_unit and self.pay_amount is None:
            refuse(_("Enter the amount, or choose “No payment”."), about="pay_amount")
        if self.pay_amount is not None and self.pay_amount != round(self.pay_amount, 3):
            refuse(_("Use at most three decimal places."), about="pay_amount")
        if self.completion_url:
            try:
                URLValidator()(self.completion_url)
            except ValidationError:
                refuse(_("Write a full address. Example: https://example.org/done."), about="completion_url")
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

    suite: str = option(
        label=_("Suite"),
        help=_("The suite whose cases are labelled. Commands and the API take its key."),
        positional=True,
    )


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

    suite: str = option(
        "", label=_("Suite"), help=_("Key of a suite."), unless_given=_("campaigns of all suites"), positional=True
    )
    state: CampaignState | None = option(
        None, label=_("State"), help=_("Only campaigns in this state."), unless_given=_("any state")
    )


class OpenCampaignOptions(Options):
    """Which draft is opened: its cases are dealt and annotators may begin."""

    verb = "campaign open"
    without = {PAGE: "has a button", API: "has an address for each campaign"}

    campaign: str = option(label=_("Campaign"), help=_("Key of the campaign."), positional=True)


class CloseOptions(Options):
    """How a campaign is closed: its labels become verdicts."""

    verb = "campaign close"
    without = {PAGE: "has a button"}

    campaign: str = option(
        "",
        label=_("Campaign"),
        help=_("Key of the campaign."),
        positional=True,
        needed=(COMMAND,),
        without={API: "the address says it"},
    )
    leave_out_incomplete: bool = option(
        False, label=_("Close although labels are missing"),
        help=_("Cases without all their labels get no verdict."),
    )  # fmt: skip


class PlatformOptions(Options):
    """Which crowd platform a campaign takes participants from."""

    verb = "campaign platform"
    without = {COMMAND: "a signed-in maintainer chooses; campaign create takes the platform of a new campaign"}

    platform: CrowdPlatform = option(CrowdPlatform.NONE, label=_("Crowd platform"), help=ONE_PLATFORM, needed=(API,))


ANOTHER_CAMPAIGN = "campaign"
PARTS = ("text", "expected", "explanation", "language")


def parse_items(given: Any) -> list[dict[str, str]]:
    """Return texts with a known answer from objects, or from lines `text | expected answer | explanation`.

    Raises ValueError with the number of the line that lacks an expected answer.
    """
    found = []
    for number, item in enumerate(given, 1):
        if isinstance(item, str):
            item = dict(zip(PARTS[:3], map(str.strip, item.split("|", 2)), strict=False))
        if not isinstance(item, dict) or not set(item) <= set(PARTS):
            raise ValueError(
                _(
                    "Line %(line)s is not a text with its answer. Write text | expected answer | explanation.",
                    line=number,
                )
            )
        if not str(item.get("text", "")).strip():
            raise ValueError(_("Line %(line)s has no text. Write text | expected answer | explanation.", line=number))
        if not str(item.get("expected", "")).strip():
            raise ValueError(
                _("Line %(line)s has no expected answer. Write text | expected answer | explanation.", line=number)
            )
        found.append(item)
    return found


class ItemsOptions(Options):
    """Texts with a known answer: own ones, or a number of the catalogue's examples or of the chosen cases."""

    verb = "campaign items"
    without = {COMMAND: "a signed-in maintainer adds them to a draft"}

    role: str = option(
        label=_("Purpose"), help=_("What the texts are used for."),
        choices={role.value: role.label for role in (Role.TRAINING, Role.TEST, Role.CHECK)},
    )  # fmt: skip
    source: str = option(
        Source.OWN.value, label=_("Source"),
        help=_(
            "Examples and cases are balanced over labels. Cases that are used here are not labelled in this campaign."
        ),
        choices={**dict(Source.choices), ANOTHER_CAMPAIGN: _("Texts of another campaign")},
    )  # fmt: skip
    campaign: str = option(
        "",
        label=_("Other campaign"),
        help=_("Its texts for the same purpose are copied."),
        unless_given=pgettext("campaign", "none"),
    )
    number: int = option(
        8, label=_("Number of texts"), help=_("For examples and cases. Example: 8."), least=1, most=200
    )
    language: str = option(
        "", label=_("Language of own texts"),
        help=_("Needed only if the campaign has several languages. Example: de."),
        unless_given=_("the language of the campaign"),
    )  # fmt: skip
    items: Annotated[tuple[dict[str, str], ...], BeforeValidator(parse_items)] = option(
        (), label=_("Own texts"), rows=5,
        help=_(
            "One per line: text | expected answer | explanation. The API also takes objects with these three and a "
            "language."
        ),
    )  # fmt: skip


class ItemOptions(Options):
    """What changes in one text with a known answer."""

    verb = "campaign item"
    without = {COMMAND: "a signed-in maintainer changes it in a draft"}

    text: str = option(
        "", label=_("Text"), help=_("The text of a case cannot be changed here."), unless_given=_("unchanged"), rows=2
    )
    expected: str = option(label=_("Expected answer"), help=_("The right answer to the question."), longest=60)
    explanation: str = option(
        "", label=_("Explanation"),
        help=_("Shown after the answer in training. Name the rule of the guideline that it follows."), rows=2,
    )  # fmt: skip


class GuidelineOptions(Options):
    """The next version of a language's guideline."""

    verb = "guideline"
    without = {COMMAND: "a signed-in expert of the language writes it"}

    language: str = option(
        "",
        label=_("Language"),
        help=_("Code of the language. Example: de."),
        longest=20,
        needed=(API,),
        without=only(API, "the address says it"),
    )
    title: str = option(
        "", label=_("Title"), help=_("The title of this version. Example: Guidelines for annotators."),
        unless_given=_("the first heading of the text"), longest=160,
    )  # fmt: skip
    text: str = option(
        label=_("Text"), help=_("Say in Markdown what annotators have to decide, and how."), longest=LONGEST, rows=24
    )
