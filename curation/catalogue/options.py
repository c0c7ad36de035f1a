"""What is said about a suite, a language, a functionality or a protected group: the same on page and in the API."""

from typing import Annotated, Any

from pydantic import BeforeValidator, model_validator

from core.options import COMMAND, Options, option, refuse
from curation.catalogue.models import Direction, Policy

BY_PEOPLE = {COMMAND: "a signed-in person decides this; commands import whole suites"}
LONGEST_LABEL = 60
LONGEST_LICENCE = 120
AS_RULES = "as the rules of the language say"
CAPITALS = {"no": "nowhere", "start": "at the start of the text", "sentences": "at the start of every sentence"}
ARTICLES = {"fit": "fit the next word: l'ami, an hour", "keep": "stay as they are typed"}
BLANKS = {"drop": "dropped", "keep": "kept as they are typed"}
LIKE_THIS = "Write it like Number: Sing, Plur."


def read_features(given: Any) -> dict[str, list[str]]:
    """Return features with their values, from lists or from texts with commas such as `Sing, Plur`.

    Raises ValueError for a name that cannot be a feature's, and for a feature without values.
    """
    if not isinstance(given, dict):
        raise ValueError(f"'{given}' is not a feature. {LIKE_THIS}")
    found = {}
    for name, values in given.items():
        listed = values.split(",") if isinstance(values, str) else values if isinstance(values, list) else [values]
        # YAML, which pages use, reads Yes and No as truth values.
        words = [("Yes" if value else "No") if isinstance(value, bool) else str(value).strip() for value in listed]
        found[str(name).strip()] = [word for word in words if word]
        if not str(name).strip().isidentifier() or not found[str(name).strip()]:
            raise ValueError(f"'{name}' is not a feature with values. {LIKE_THIS}")
    return found


class SuiteOptions(Options):
    """What a suite is called, what it holds, and how its cases are validated."""

    verb = "suite"
    without = BY_PEOPLE

    key: str = option(
        help="Short name in addresses and releases, such as czech in czech@1.0. Use letters, digits and hyphens.",
        longest=60,
    )
    name: str = option(help="Title on pages and in citations.", longest=160)
    description: str = option("", help="What the suite tests and for whom it is.", rows=3)
    languages: tuple[str, ...] = option(help="Languages the suite has templates and cases in.")
    labels: tuple[str, ...] = option(
        ("hateful", "non-hateful"), help="Labels a case can have. The positive label comes first.", rows=3
    )
    raters: int = option(5, label="Annotators per case", help="Number of labels every case gets.", least=1, most=100)
    threshold: int = option(
        4, label="Minimum agreement", help="Number of labels that must equal the gold label. Example: 4 of 5.", least=1
    )
    policy: Policy = option(Policy.EXCLUDE, help="What a release does with cases that annotators disagree on.")
    licence: str = option("", help="Short name or address, such as CC-BY-4.0.", longest=LONGEST_LICENCE)
    authors: tuple[dict[str, Any] | str, ...] = option(
        (), help="Names as they are cited. The API also takes objects such as {name, orcid}.", rows=3
    )

    @model_validator(mode="after")
    def _agreement_is_possible(self) -> "SuiteOptions":
        if self.threshold > self.raters:
            refuse(
                f"{self.threshold} of {self.raters} labels cannot agree. Choose 1 to {self.raters}.", about="threshold"
            )
        return self


class LanguageCode(Options):
    """The code of a language; it stays as it is once keys are made with it."""

    code: str = option(help="Short code used in keys, such as sw or pt-BR.", longest=20)


class LanguageOptions(Options):
    """What is said about a language."""

    verb = "change_language"
    without = BY_PEOPLE

    name: str = option(help="English name.", longest=80)
    autonym: str = option("", help="Name of the language in the language itself.", longest=80)
    bcp47: str = option("", label="BCP 47 tag", help="Full tag where it differs from the code.", longest=35)
    script: str = option("Latn", help="Code of ISO 15924, such as Latn, Arab or Deva.", longest=40)
    direction: Direction = option(Direction.LEFT_TO_RIGHT, help="Direction in which the script is written.")
    features: Annotated[dict[str, list[str]], BeforeValidator(read_features)] = option(
        {"Number": "Sing, Plur"},
        help="Grammatical features with their values in order, one feature per line, such as Number: Sing, Plur.",
        rows=4,
    )
    fixed: tuple[str, ...] = option(
        (),
        label="Fixed features",
        help="Features that a word has by itself, beside Gender, such as Animacy: they make no columns in the lexicon.",
    )

    rules: tuple[str, ...] = option(
        (),
        label="Spelling rules",
        help="How a word of the template changes before a word of the lexicon, one rule per line, such as "
        "s -> se before s, z, š, ž.",
        rows=4,
    )
    examples: tuple[str, ...] = option(
        (),
        label="Examples of the rules",
        help="Examples and counter-examples that must come out, one per line, such as s ženou = se ženou.",
        rows=4,
    )
    capitalise: str = option(
        "", label="Capital letters", help="Where a text gets capital letters.", unless_given=AS_RULES, choices=CAPITALS
    )
    articles: str = option("", help="How articles are written.", unless_given=AS_RULES, choices=ARTICLES)
    outer_blanks: str = option(
        "", help="What happens to blanks around the forms of words.", unless_given=AS_RULES, choices=BLANKS
    )
    fallbacks: tuple[str, ...] = option(
        (),
        help="Forms that replace a missing one, one per line, such as Case=Acc -> Case=Nom. The first that helps is "
        "taken, and every use is reported with the case. Without one, a word that lacks a form is left out.",
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

    title: str = option(help="What a detector must get right, such as Negated hate.", longest=160)
    functionality_class: str = option(label="Class", help="An existing class, or a new one.", longest=120)
    gold_label: str = option(
        "", help="Label that every case of it should get.", unless_given="mixed, each case has its own",
        longest=LONGEST_LABEL,
    )  # fmt: skip
    definition: str = option(help="One sentence.", rows=2)
    example: str = option("", help="A text as mild as the purpose allows.")
    example_language: str = option(
        "", label="Language of the example", help="Required where there is an example: campaigns show their own only."
    )

    @model_validator(mode="after")
    def _example_has_a_language(self) -> "FunctionalityOptions":
        if self.example and not self.example_language:
            refuse("Choose the language of the example.", about="example_language")
        return self


class NewFunctionalityOptions(FunctionalityOptions):
    """A functionality that the catalogue does not have yet."""

    verb = "new_functionality"
    without = BY_PEOPLE

    key: str = option("", help="Name in files and addresses.", unless_given="made from the title", longest=80)


class GroupOptions(Options):
    """A protected group."""

    verb = "group"
    without = BY_PEOPLE

    name: str = option(help="Name of the group, such as elderly people.", longest=120)
    characteristic: str = option("", help="What protects it: gender, religion, origin, disability, ...", longest=80)
