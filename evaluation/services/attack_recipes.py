"""From what a person chooses on a page or command line to the recipe of an attack."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from curation.errors import BadInput
from evaluation.attacks.lexicons import read_hurtlex
from evaluation.attacks.parameters import FILLED_RULES, PAPER_RULES, TOOL_RULES, AttackParameters
from evaluation.attacks.quotations import our_quotations, read_quotations
from evaluation.services.labelled_files import refuse_problems

RULES = {"paper": PAPER_RULES, "tool": TOOL_RULES, "filled": FILLED_RULES}
NO_LEXICON = "No lexicon was given: the words that Corr N→N appends may be offensive themselves."


def read_templates(path: str | Path, *, called: str = "") -> tuple[str, ...]:
    """The usable quotation templates of a file; lines without a slot are left out. Refuses a file without any.

    `called` is how its owner knows the file, where that is not its name here.
    """
    path = Path(path)
    known_as = called or path.name
    if not path.is_file():
        raise BadInput(f"The templates file {path} does not exist. Check the path and the name.")
    try:
        found = read_quotations(path)
    except UnicodeDecodeError as error:
        raise BadInput(f"{known_as} is not UTF-8 text. Save it as UTF-8.") from error
    if not found.templates:
        raise BadInput(f"{known_as} holds no template. Write one per line, with <post> where the quotation goes.")
    return found.templates


def read_lexicon(path: str | Path, *, called: str = "") -> frozenset[str]:
    """The lemmas of a file in HurtLex's format, which its owner may know by another name.

    Refuses a missing file and one with bad rows.
    """
    path = Path(path)
    known_as = called or path.name
    if not path.is_file():
        raise BadInput(f"The lexicon {path} does not exist. Check the path and the name.")
    try:
        lexicon = read_hurtlex(path)
    except UnicodeDecodeError as error:
        raise BadInput(f"{known_as} is not UTF-8 text. Save it as UTF-8.") from error
    problems = [replace(problem, file=known_as) for problem in lexicon.problems]
    refuse_problems("The lexicon cannot be used.", problems)
    return lexicon.lemmas


def make_recipe(
    *,
    seed: int,
    language: str = "en",
    templates: tuple[str, ...] | None = None,
    lexicon: frozenset[str] = frozenset(),
    identifiers: tuple[str, ...] = (),
    rules: str = "paper",
    words: int = 100,
    dictionary_size: int | None = None,
    fewest_hashtags: int = 1,
    most_hashtags: int = 5,
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
            words=words,
            dictionary_size=dictionary_size,
            fewest_hashtags=fewest_hashtags,
            most_hashtags=most_hashtags,
        )
    except ValueError as error:
        raise BadInput(f"The attack cannot be built: {error}.") from error


def read_identifiers(path: str | Path) -> tuple[str, ...]:
    """Names of groups, one per line. Refuses a missing or empty file."""
    path = Path(path)
    if not path.is_file():
        raise BadInput(f"The list of group names {path} does not exist. Check the path and the name.")
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise BadInput(f"{path.name} is not UTF-8 text. Save it as UTF-8.") from error
    names = tuple(dict.fromkeys(line.strip() for line in lines if line.strip()))
    if not names:
        raise BadInput(f"{path.name} names no group. Write one name per line.")
    return names
