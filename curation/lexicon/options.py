"""What is said about a word of the lexicon: the same on page and in the API."""

from core.options import API, COMMAND, PAGE, Options, Pairs, option
from core.text import _

BY_PEOPLE = {COMMAND: "words come in with import_suite"}


class WordPlace(Options):
    """Where a word belongs; the page of the lexicon shows one language and one kind."""

    language: str = option(
        "", help="Code of the language.", longest=20, needed=(API,), without={PAGE: "shows one language"}
    )
    kind: str = option(
        "", help="Kind of word: identity, slur, profession, ...", longest=40, needed=(API,),
        without={PAGE: "shows words of one kind"},
    )  # fmt: skip


class EntryOptions(Options):
    """What is said about a word; its forms are written cell by cell."""

    verb = "change_entry"
    without = BY_PEOPLE

    lemma: str = option(label=_("Base form"), help=_("The word as a dictionary lists it, such as woman."), longest=200)
    target: str = option(
        "", label=_("Group"), help=_("The group that the word is about, from the catalogue."), longest=120
    )
    inherent: str = option(
        "",
        label=_("Fixed features"),
        help=_("Features that every form of the word has, such as Gender=Fem."),
        longest=200,
    )
    properties: Pairs = option(
        {},
        help="What the spelling rules of the language ask for: elides, article, stressed_a.",
        without={PAGE: "shows one field per property of the language"},
    )


class NewEntryOptions(EntryOptions, WordPlace):
    """A word that the lexicon does not have yet."""

    verb = "new_entry"
    without = BY_PEOPLE
