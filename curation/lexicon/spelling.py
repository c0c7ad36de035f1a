"""What an expert may say about the spelling around a word: the properties that the language's rules ask for."""

from collections.abc import Mapping
from typing import NamedTuple

from core.errors import BadInput
from curation.authoring.wording import orthography_of
from curation.models import Language


class SpellingProperty(NamedTuple):
    """A property with the values it may have, and how a form asks for it."""

    name: str
    values: tuple[str, ...]
    label: str
    help_text: str


WORDING = {
    "elides": ("Elision before it", "Whether the word before it loses its vowel: l'ami, le héros."),
    "article": ("Article before it", "Which article the word takes, where the rules get it wrong."),
    "stressed_a": ("Begins with a stressed a", "Whether a feminine noun takes el and un: el agua."),
}


def spelling_properties(language: Language) -> list[SpellingProperty]:
    """The properties a word of the language may have; none where its rules ask for none."""
    values: dict[str, list[str]] = {}
    for name, value in orthography_of(language).sounds.properties or {}:
        values.setdefault(name, []).append(value)
    return [SpellingProperty(name, tuple(known), *WORDING.get(name, (name, ""))) for name, known in values.items()]


def checked_properties(language: Language, properties: Mapping[str, str]) -> dict[str, str]:
    """The properties that say something. Refuses a name or a value that the language's rules do not know."""
    known = {wanted.name: wanted.values for wanted in spelling_properties(language)}
    said = {name: str(value).strip() for name, value in properties.items() if str(value).strip()}
    for name, value in said.items():
        if name not in known:
            listed = ", ".join(known) or "none"
            raise BadInput(
                f"Words in {language.name} have no property '{name}'; known: {listed}. Leave it out.", column=name
            )
        if value not in known[name]:
            raise BadInput(
                f"'{name}' cannot be '{value}'. Write {' or '.join(known[name])}, or leave it empty.", column=name
            )
    return said
