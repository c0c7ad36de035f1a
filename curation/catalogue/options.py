"""What is said about a suite, a language, a functionality or a protected group: the same on page and in the API."""

from typing import Annotated, Any

from pydantic import BeforeValidator, model_validator

from core.options import COMMAND, Options, option, refuse
from core.text import _
from curation.catalogue.models import Direction, Policy

BY_PEOPLE = {COMMAND: "a signed-in person decides this; commands import whole suites"}
LONGEST_LABEL = 60
LONGEST_LICENCE = 120
AS_RULES = _("language default")
CAPITALS = {
    "no": _("Nowhere"),
    "start": _("At the start of the text"),
    "sentences": _("At the start of every sentence"),
}
ARTICLES = {"fit": _("Adapt to the next word: l'ami, an hour"), "keep": _("Keep as typed")}
BLANKS = {"drop": _("Remove"), "keep": _("Keep as typed")}


def read_features(given: Any) -> dict[str, list[str]]:
    """Return features with their values, from lists or from texts with commas such as `Sing, Plur`.

    Raises ValueError for a name that cannot be a feature's, and for a feature without values.
    """
    if not isinstance(given, dict):
        raise ValueError(_("'%(text)s' is not a feature. Write it like Number: Sing, Plur.", text=str(given)))
    found = {}
    for name, values in given.items():
        listed = values.split(",") if isinstance(values, str) else values if isinstance(values, list) else [values]
        # YAML, which pages use, reads Yes and No as truth values.
        words = [("Yes" if value else "No") if isinstance(value, bool) else str(value).strip() for value in listed]
        found[str(name).strip()] = [word for word in words if word]
        if not str(name).strip().isidentifier() or not found[str(name).strip()]:
            raise ValueError(
                _("'%(name)s' is not a feature with values. Write it like Number: Sing, Plur.", name=str(name))
            )
    return found


class SuiteOptions(Options):
    """What a suite is called, what it holds, and how its cases are validated."""

    verb = "suite"
    without = BY_PEOPLE

    key: str = option(
        label=_("Key"),
        help=_("Short name in addresses and releases, such as czech in czech@1.0. Use letters, digits and hyphens."),
        longest=60,
    )
    name: str = option(label=_("Name"), help=_("Title on pages and in citations."), longest=160)
    description: str = option("", label=_("Description"), help=_("What the suite tests and who can use it."), rows=3)
    languages: tuple[str, ...] = option(label=_("Languages"), help=_("Languages of the suite's templates and cases."))
    labels: tuple[str, ...] = option(
        ("hateful", "non-hateful"),
        label=_("Labels"),
        help=_("Labels a case can have. The positive label comes first."),
        rows=3,
    )
    raters: int = option(
        5, label=_("Annotators per case"), help=_("Number of labels that every case gets."), least=1, most=100
    )
    threshold: int = option(
        4,
        label=_("Minimum agreement"),
        help=_("Number of labels that must equal the gold label. Example: 4 of 5."),
        least=1,
    )
    policy: Policy = option(
        Policy.EXCLUDE, label=_("Policy"), help=_("What a release does with cases that annotators disagree on.")
    )
    licence: str = option(
        "", label=_("Licence"), help=_("Short name or address, such as CC-BY-4.0."), longest=LONGEST_LICENCE
    )
    authors: tuple[dict[str, Any] | str, ...] = option(
        (),
        label=_("Authors"),
        help=_("Names as they are cited. The API also takes objects such as {name, orcid}."),
        rows=3,
    )

    @model_validator(mode="after")
    def _agreement_is_possible(self) -> "SuiteOptions":
        if self.threshold > self.raters:
            sentence = _(
                "%(threshold)s of %(raters)s labels cannot agree. Choose a number from 1 to %(raters)s.",
                threshold=self.threshold,
                raters=self.raters,
            )
            refuse(sentence, about="threshold")
        return self


class LanguageCode(Options):
    """The code of a language; it stays as it is once keys are made with it."""

    code: str = option(label=_("Code"), help=_("Short code used in keys, such as sw or pt-BR."), longest=20)


class LanguageOptions(Options):
    """What is said about a language."""

    verb = "change_language"
    without = BY_PEOPLE

    name: str = option(label=_("Name"), help=_("English name, such as Czech."), longest=80)
    autonym: str = option(
        "",
        label=_("Name in the language itself"),
        help=_("What its speakers call the language, such as čeština."),
        longest=80,
    )
    bcp47: str = option(
        "",
        label=_("BCP 47 tag"),
        help=_("Full tag, if it differs from the code, such as ar-EG."),
        longest=35,
    )
    script: str = option(
        "Latn", label=_("Script"), help=_("Code of ISO 15924, such as Latn, Arab or Deva."), longest=40
    )
    direction: Direction = option(
        Direction.LEFT_TO_RIGHT, label=_("Direction"), help=_("The direction in which the language is written.")
    )
    features: Annotated[dict[str, list[str]], BeforeValidator(read_features)] = option(
        {"Number": "Sing, Plur"},
        label=_("Features"),
        help=_("Grammatical features with their values in order, one feature per line, such as Number: Sing, Plur."),
        rows=4,
    )
    fixed: tuple[str, ...] = option(
        (),
        label=_("Fixed features"),
        help=_(
            "Features that belong to a word and not to its forms, in addition to Gender. Example: Animacy. "
            "The lexicon has no columns for them."
        ),
    )

    rules: tuple[str, ...] = option(
        (),
        label=_("Spelling rules"),
        help=_(
            "How a word of the template changes before a word of the lexicon, one rule per line, such as "
            "s -> se before s, z, š, ž."
        ),
        rows=4,
    )
    examples: tuple[str, ...] = option(
        (),
        label=_("Examples of the rules"),
        help=_("Texts with the result that the rules must give, one per line, such as s ženou = se ženou."),
        rows=4,
    )
    capitalise: str = option(
        "",
        label=_("Capital letters"),
        help=_("Where a text gets capital letters."),
        unless_given=AS_RULES,
        choices=CAPITALS,
    )
    articles: str = option(
        "",
        label=_("Articles"),
        help=_("Whether articles and similar words adapt to the word after them."),
        unless_given=AS_RULES,
        choices=ARTICLES,
    )
    outer_blanks: str = option(
        "",
        label=_("Spaces around forms"),
        help=_("What happens to spaces before and after the forms of words."),
        unless_given=AS_RULES,
        choices=BLANKS,
    )
    fallbacks: tuple[str, ...] = option(
        (),
        label=_("Fallbacks"),
        help=_(
            "Forms that replace a missing one, one per line, such as Case=Acc -> Case=Nom. The first form that "
            "exists is used, and the case says so. Without a fallback, a word that lacks a form is left out."
        ),
        rows=3,
    )


class NewLanguageOptions(LanguageOptions, LanguageCode):
    """A language that the catalogue does not have yet."""

    verb = "new_language"
    without = BY_PEOPLE


class FunctionalityOptions(Options):
    """What a group of cases tests."""

    verb = "change_functionality"
    without = BY_PEOPLE

    title: str = option(label=_("Title"), help=_("What a detector must get right, such as Negated hate."), longest=160)
    functionality_class: str = option(
        label=_("Class"), help=_("An existing class, or a new one, such as Negation."), longest=120
    )
    gold_label: str = option(
        "",
        label=_("Gold label"),
        help=_("The label that every case of the functionality should get."),
        unless_given=_("mixed, each case has its own"),
        longest=LONGEST_LABEL,
    )
    definition: str = option(label=_("Definition"), help=_("One sentence that says what is tested."), rows=2)
    example: str = option("", label=_("Example"), help=_("A text that is as mild as possible."))
    example_language: str = option(
        "",
        label=_("Language of the example"),
        help=_("Required with an example: campaigns show only examples in their own language."),
    )

    @model_validator(mode="after")
    def _example_has_a_language(self) -> "FunctionalityOptions":
        if self.example and not self.example_language:
            refuse(_("Choose the language of the example."), about="example_language")
        return self


class NewFunctionalityOptions(FunctionalityOptions):
    """A functionality that the catalogue does not have yet."""

    verb = "new_functionality"
    without = BY_PEOPLE

    key: str = option(
        "",
        label=_("Key"),
        help=_("Name in files and addresses, such as negated_hate."),
        unless_given=_("made from the title"),
        longest=80,
    )


class GroupOptions(Options):
    """A protected group."""

    verb = "group"
    without = BY_PEOPLE

    name: str = option(label=_("Name"), help=_("Name of the group, such as elderly people."), longest=120)
    characteristic: str = option(
        "",
        label=_("Characteristic"),
        help=_("Why the group is protected, for example gender, religion, origin or disability."),
        longest=80,
    )
