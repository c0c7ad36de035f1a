"""From what a person chooses on a page or command line to the recipe of an attack."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from core.errors import BadInput, sentence_of
from core.text import _
from evaluation.attacks.algorithm.lexicons import read_hurtlex
from evaluation.attacks.algorithm.parameters import AttackParameters
from evaluation.attacks.algorithm.quotations import our_quotations, read_quotations
from evaluation.attacks.options import RULES
from evaluation.datasets.labelled_files import read_lines, refuse_problems

NUMBERS = ("words", "dictionary_size", "fewest_hashtags", "most_hashtags")
NO_LEXICON = _("No lexicon was given: the words that Corr N→N appends may be offensive themselves.")


def read_templates(path: str | Path, *, called: str = "") -> tuple[str, ...]:
    """The usable quotation templates of a file; lines without a slot are left out. Refuses a file without any.

    `called` is how its owner knows the file, where that is not its name here.
    """
    known_as = called or Path(path).name
    found = read_quotations(path)
    if not found.templates:
        refuse_problems(_("The templates cannot be used."), [replace(one, file=known_as) for one in found.problems])
        raise BadInput(
            _(
                "%(file)s contains no template. Write one per line, with <post> where the quotation goes.",
                file=known_as,
            )
        )
    return found.templates


def read_lexicon(path: str | Path, *, called: str = "") -> frozenset[str]:
    """Return the lemmas of a file in HurtLex's format, which its owner may know by another name.

    Refuses a missing file and one with bad rows.
    """
    lexicon = read_hurtlex(path, name=called or None)
    refuse_problems(_("The lexicon cannot be used."), lexicon.problems)
    return lexicon.lemmas


def make_recipe(
    *,
    seed: int,
    language: str,
    rules: str,
    templates: tuple[str, ...] | None = None,
    lexicon: frozenset[str] = frozenset(),
    identifiers: tuple[str, ...] = (),
    **numbers: Any,
) -> AttackParameters:
    """The recipe; without templates our own of the language. Refuses values no attack can be built from."""
    try:
        return AttackParameters(
            seed=seed,
            language=language,
            templates=our_quotations(language) if templates is None else templates,
            lexicon=lexicon,
            identifiers=identifiers,
            rules=RULES[rules],
            **numbers,
        )
    except ValueError as error:
        raise BadInput(_("The attack cannot be built. %(reason)s", reason=sentence_of(error))) from error


def read_identifiers(path: str | Path) -> tuple[str, ...]:
    """Names of groups, one per line. Refuses a missing or empty file."""
    names = tuple(dict.fromkeys(read_lines(path)))
    if not names:
        raise BadInput(_("%(file)s names no group. Write one name per line.", file=Path(path).name))
    return names
